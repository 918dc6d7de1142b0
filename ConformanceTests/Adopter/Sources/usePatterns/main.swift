import DynamicPromise
import DynamicPromisePatterns

let uploads = TaskQueue()
let first = uploads.add { "user" }
let second = uploads.add { Promise.resolved("settings") }
let both = try Promise.all([first, second]).get(as: [Any].self, timeout: 60)
precondition(both.count == 2)

let images = PromiseCache<String>(lifetime: 300, limit: 100)
let image = try images.promise(for: "user") { "a picture" }.get(as: String.self, timeout: 60)
precondition(image == "a picture" && images.count == 1)

let screen = CancelScope()
let shown = screen.add(Promise())
screen.cancel()
precondition(shown.isCancelled)

let batch = Batch([Promise.resolved(1), Promise.resolved(2)])
let outcomes = try batch.allSettled.get(as: [Result<Any, any Error>].self, timeout: 60)
precondition(outcomes.count == 2)

@Sendable func load(_ name: String) -> Promise { .resolved(name + ".txt") }
let length = load >>> onBackgroundQueue { (text: String) in text.count }
let count = try ("user" |> length).get(as: Int.self, timeout: 60)
precondition(count == 8)
print("DynamicPromisePatterns: \(both)")
