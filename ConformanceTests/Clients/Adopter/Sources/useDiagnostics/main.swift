import DynamicPromise
import DynamicPromiseDiagnostics

let census = Census()
let (login, resolver) = Promise.pending()
let recorder = Recorder(of: login)
login.named("login")
precondition(census.unsettled.count == 1)
resolver.fulfill("user")
precondition(recorder.text.contains("login: fulfilled"))
print("DynamicPromiseDiagnostics: \(recorder.text)", terminator: "")
