import DynamicPromise
import DynamicPromiseDiagnostics

let census = Census()
let (login, resolver) = Promise.pending()
let recorder = Recorder(of: login)
let page = login.named("login").then { _ in "page" }
precondition(census.unsettled.count == 2)
print("DynamicPromiseDiagnostics: \(census.unsettled[0])")
precondition(login.treeDescription.contains("login"))

let shown = page.then { (text: String) in text.count }.named("shown")
resolver.fulfill("user")
let length = try shown.get(as: Int.self, timeout: 60)
precondition(length == 4)
recorder.end()
precondition(recorder.text.contains("shown: fulfilled"))
precondition(recorder.trace.contains("traceEvents") && recorder.html.contains("<svg"))
census.end()
