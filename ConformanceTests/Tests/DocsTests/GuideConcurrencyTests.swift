import Distributed
import DynamicPromise
import TestSupport
import XCTest

/// The examples of `docs/concurrency.md` and `docs/choosing.md`.
final class GuideConcurrencyTests: XCTestCase {
  func testAwaitAndTask() async throws {
    // example: await
    let text = try await load("user").value  // Any
    let name = try await load("user").value(as: String.self)
    // end
    XCTAssertEqual(text as? String, "ann")
    XCTAssertEqual(name, "ann")
    // example: task
    let greeting = Promise {
      let user = try await load("user").value(as: String.self)
      return load("greeting of \(user)")
    }
    let length = greeting.then { (text: String) in text.count }
    // end
    let count = try await length.value(as: Int.self)
    XCTAssertEqual(count, 10)
  }

  func testLeaving() async throws {
    let shared = Promise()
    let own = Promise()
    // example: leaving
    let reader = Task { try await shared.value(as: String.self) }
    reader.cancel()  // `shared` continues, for others

    let owner = Task { try await own.cancellingValue(as: String.self) }
    owner.cancel()  // `own` is cancelled as well: it has no other consumer
    // end
    for task in [reader, owner] {
      let result = await task.result
      XCTAssertThrowsError(try result.get()) { XCTAssertTrue($0 is CancellationError) }
    }
    XCTAssertTrue(shared.isPending)
    XCTAssertTrue(own.isCancelled)
  }

  func testActor() async throws {
    // example: actor
    actor Inbox {
      private var messages: [String] = []

      func receive(_ message: Promise) -> Promise {
        message.thenOn(self) { inbox, text in
          inbox.messages.append("\(text)")
          return inbox.messages.count
        }
      }
    }
    let inbox = Inbox()
    let first = await inbox.receive(load("greeting"))
    // end
    let count = try await first.value(as: Int.self)
    XCTAssertEqual(count, 1)
  }

  func testActorFamily() async throws {
    // example: actor-family
    actor Outbox {
      private var isBusy = false
      private(set) var failures: [String] = []

      func send(_ name: String) -> Promise {
        isBusy = true
        return load(name)
          .catchOn(self) { (outbox, missing: Missing) in
            outbox.failures.append(missing.name)
            return load("greeting")
          }
          .finallyOn(self) { outbox in outbox.isBusy = false }
      }
    }
    let outbox = Outbox()
    let sent = await outbox.send("nothing")
    // end
    let text = try await sent.value(as: String.self)
    XCTAssertEqual(text, "hello")
    let failures = await outbox.failures
    XCTAssertEqual(failures, ["nothing"])
  }

  func testResults() async throws {
    let show = Log()
    // example: results
    for await result in Promise.results(of: [load("user"), load("settings"), load("nothing")]) {
      switch result {
      case .success(let value): show(value)
      case .failure(let reason): show(reason)
      }
    }
    // end
    XCTAssertEqual(show.lines.sorted(), ["Missing(name: \"nothing\")", "ann", "dark"])
  }

  func testDistributedActors() async throws {
    let renderer = Renderer(actorSystem: LocalTestingDistributedActorSystem())
    let text = try await outline("map", by: renderer).value(as: String.self)
    XCTAssertEqual(text, "outline of map")
    let unwanted = outline("globe", by: renderer)
    unwanted.cancel()
    for _ in 0..<1_000_000 where stopped.value.isEmpty && unwanted.isCancelled { await Task.yield() }
    XCTAssertEqual(stopped.value, unwanted.isCancelled ? ["globe"] : [])
  }

  func testOneAfterTheOther() async throws {
    // example: choose-async
    func greeting(of user: String) async throws -> String {
      let name = try await load(user).value(as: String.self)
      return try await load("greeting of \(name)").value(as: String.self)
    }
    // end
    let text = try await greeting(of: "user")
    XCTAssertEqual(text, "hello, ann")
    try await theSameAsAChain()
  }

  private func theSameAsAChain() async throws {
    // example: choose-chain
    func greeting(of user: String) -> Promise {
      load(user).then { name in load("greeting of \(name)") }
    }
    // end
    let text = try await greeting(of: "user").value(as: String.self)
    XCTAssertEqual(text, "hello, ann")
  }
}

private let stopped = Recorded<[String]>([])

// example: distributed
distributed actor Renderer {
  typealias ActorSystem = LocalTestingDistributedActorSystem  // for several machines: a cluster's

  distributed func outline(of name: String) async throws -> String { "outline of \(name)" }
  distributed func stop(_ name: String) { stopped.append(name) }
}

func outline(_ name: String, by renderer: Renderer) -> Promise {
  let outline = Promise { try await renderer.outline(of: name) }
  return outline.onCancel { Task { try await renderer.stop(name) } }
}
// end
