import DynamicPromise
import DynamicPromisePatterns

let uploads = TaskQueue()
let first = uploads.add { "user" }
let second = uploads.add { Promise.resolved("settings") }
let both = try Promise.all([first, second]).get(as: [Any].self, timeout: 60)
precondition(both.count == 2)

let screen = CancelScope()
let shown = screen.add(Promise())
screen.cancel()
precondition(shown.isCancelled)

@Sendable func load(_ name: String) -> Promise { .resolved(name + ".txt") }
let length = load >>> onBackgroundQueue { (text: String) in text.count }
let count = try ("user" |> length).get(as: Int.self, timeout: 60)
precondition(count == 8)
print("DynamicPromisePatterns: \(both)")
