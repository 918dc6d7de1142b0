import DynamicPromise
import DynamicPromiseDiagnostics

let census = Census()
let (login, resolver) = Promise.pending()
let page = login.named("login").then { _ in "page" }
precondition(census.unsettled.count == 2)
print("DynamicPromiseDiagnostics: \(census.unsettled[0])")
resolver.fulfill("user")
_ = try page.get(timeout: 60)
census.end()
