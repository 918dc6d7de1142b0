import DynamicPromise
import DynamicPromiseFoundation
import Foundation
import TestSupport
import XCTest

/// The examples of `docs/contexts.md`.
final class ContextsTests: XCTestCase {
  /// A store that chains write to.
  private final class Store: Sendable {
    let log = Log()
    var count: Int { log.lines.count }

    private var place: String { DispatchQueue.isModel ? "model" : "elsewhere" }

    func save(_ name: String) { log("save \(name) on \(place)") }
    func note(_ text: Any) { log("note \(text) on \(place)") }
  }

  func testDefault() throws {
    let (store, model) = (Store(), DispatchQueue.model())
    // example: ctx-default
    let root = Promise(on: model)
    let saved =
      root
      .then { (name: String) in store.save(name) }  // on `model`
      .thenOnMain { _ in "saved" }  // on the main actor
      .then { text in store.note(text) }  // on `model` again
    root.fulfill("Ann")
    // end
    _ = try outcome(of: saved)
    XCTAssertEqual(store.log.lines, ["save Ann on model", "note saved on model"])
  }

  func testCurrent() throws {
    let model = DispatchQueue.model()
    // example: ctx-current
    let stayed = Promise.resolved("Ann").thenOn(model) { (name: String) in
      load("greeting").thenOn(.current) { greeting in "\(greeting), \(name)" }  // on `model`
    }
    // end
    XCTAssertEqual(try value(of: stayed), "hello, Ann")
  }

  func testQueues() throws {
    let (page, store) = (load("user"), Store())
    // example: ctx-queues
    let cache = DispatchQueue(label: "cache", attributes: .concurrent)
    let stored = page.thenOn(cache) { (text: String) in store.save(text) }  // alone
    let count = stored.thenOn(.reading(cache)) { _ in store.count }  // together with other readers
    // end
    XCTAssertEqual(try value(of: count), 1)
  }

  func testImmediate() {
    // example: ctx-immediate
    let doubled = Promise.resolved(21).thenOn(.immediate) { (number: Int) in number * 2 }
    assert(doubled.isFulfilled)  // already
    // end
    XCTAssertEqual(try doubled.result?.get() as? Int, 42)
  }

  func testThread() throws {
    let names = Recorded<Set<String>>([])
    @Sendable func evaluate(_ numbers: [Int]) -> Int {
      _ = names.change { $0.insert(Thread.current.name ?? "") }
      return numbers.reduce(0, +)
    }
    // example: ctx-thread
    let interpreter = Thread.withRunLoop(name: "interpreter")
    let sum = Promise(on: interpreter) { resolver in resolver.fulfill([1, 2, 3]) }
      .then { (numbers: [Int]) in evaluate(numbers) }
      .then { (value: Int) in evaluate([value, value]) }
    // end
    XCTAssertEqual(try value(of: sum), 12)
    XCTAssertEqual(names.value, ["interpreter"])
  }

  func testOwnContext() throws {
    // example: ctx-own
    struct Utility: ExecutionContext {
      func execute(_ job: @escaping @Sendable () -> Void) {
        DispatchQueue.global(qos: .utility).async(execute: job)
      }
    }
    let sum = load("numbers").thenOn(Utility()) { (text: String) in try parse(text).count }
    // end
    XCTAssertEqual(try value(of: sum), 3)
  }

  func testBlockingWaits() throws {
    // example: ctx-held-up
    let ledger = DispatchQueue(label: "ledger")
    let text = Promise.task(on: ledger) {
      // `get` would deadlock: it waits for a second handler on `ledger`, which cannot start before this one
      // has ended.
      let total = load("numbers").thenOn(ledger) { (text: String) in try parse(text).reduce(0, +) }
      do {
        return try "\(total.get(as: Int.self))"
      } catch PromiseError.wouldDeadlock {
        return "not here"
      }
    }
    // end
    XCTAssertEqual(try value(of: text), "not here")
  }
}
