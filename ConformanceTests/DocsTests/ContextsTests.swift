// example: ctx-import
import DynamicPromise
import DynamicPromiseFoundation
// end
import Foundation
import TestSupport
import XCTest

/// The examples of `docs/contexts.md`.
final class ContextsTests: XCTestCase {
  /// A store that chains write to.
  private final class Store: Sendable {
    let lines = Recorded<[String]>([])
    let queue = DispatchSpecificKey<Bool>()

    private func write(_ text: String) {
      let place = DispatchQueue.getSpecific(key: queue) == true ? "model" : "elsewhere"
      lines.change { $0.append("\(text) on \(place)") }
    }

    func save(_ name: String) { write("save \(name)") }
    func note(_ text: Any) { write("note \(text)") }
  }

  func testDefault() throws {
    let store = Store()
    // example: ctx-default
    let model = DispatchQueue(label: "model")
    let root = Promise(on: model)
    let saved =
      root
      .then { (name: String) in store.save(name) }  // on `model`
      .thenOnMain { _ in "saved" }  // on the main actor
      .then { text in store.note(text) }  // on `model` again
    root.fulfill("Ann")
    // end
    model.setSpecific(key: store.queue, value: true)
    _ = try outcome(of: saved)
    XCTAssertEqual(store.lines.value.last, "note saved on model")
  }

  func testProcessDefault() throws {
    let former = Promise.defaultContext
    defer { Promise.defaultContext = former }
    // example: ctx-process-default
    Promise.defaultContext = DispatchQueue(label: "app")
    let greeting = Promise.resolved("Ann").then { (name: String) in "Hello, \(name)" }  // on `app`
    Promise.defaultContext = .shared  // the private concurrent queue again
    // end
    XCTAssertEqual(try value(of: greeting), "Hello, Ann")
    XCTAssertTrue(Promise.defaultContext is DefaultContext)
  }

  func testCurrent() throws {
    let model = DispatchQueue(label: "model")
    let isOnModel = DispatchSpecificKey<Bool>()
    model.setSpecific(key: isOnModel, value: true)
    // example: ctx-current
    let stayed = Promise.resolved("Ann").thenOn(model) { (name: String) in
      load("greeting").thenOn(.current) { greeting in "\(greeting), \(name)" }  // on `model`
    }
    // end
    XCTAssertEqual(try value(of: stayed), "hello, Ann")
    let place = Promise.resolved(0).thenOn(model) { _ in
      load("greeting").thenOn(.current) { _ in DispatchQueue.getSpecific(key: isOnModel) == true }
    }
    XCTAssertEqual(try value(of: place), true)
  }

  private final class Pages: Sendable {
    private let texts = Recorded<[String]>([])

    func add(_ text: String) { texts.change { $0.append(text) } }
    var count: Int { texts.value.count }
  }

  func testQueues() throws {
    let (page, pages) = (load("user"), Pages())
    // example: ctx-queues
    let cache = DispatchQueue(label: "cache", attributes: .concurrent)
    let stored = page.thenOn(cache) { (text: String) in pages.add(text) }  // alone
    let count = stored.thenOn(.reading(cache)) { _ in pages.count }  // together with other readers
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

  func testOperations() throws {
    let images = [1, 2, 3]
    @Sendable func shrink(_ image: Any) -> String { "\(OperationQueue.current?.name ?? "") \(image)" }
    // example: ctx-operations
    let thumbnails = OperationQueue.operations("thumbnails", width: 2)
    let small = images.map { image in Promise.resolved(image).thenOn(thumbnails) { shrink($0) } }
    // end
    XCTAssertEqual(thumbnails.maxConcurrentOperationCount, 2)
    for (index, promise) in small.enumerated() {
      XCTAssertEqual(try value(of: promise), "thumbnails \(images[index])")
    }
  }

  func testRunLoop() throws {
    let caller = ObjectIdentifier(Thread.current)
    // example: ctx-run-loop
    let home = RunLoopContext.current  // of the calling thread, which runs its loop
    let report = load("numbers")
      .then { (text: String) in try parse(text).count }
      .thenOn(home) { (count: Int) in "\(count) numbers" }
    // end
    let isHere = report.thenOn(home) { _ in ObjectIdentifier(Thread.current) == caller }
    XCTAssertEqual(try value(of: report), "3 numbers")
    XCTAssertEqual(try value(of: isHere), true)
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

  // example: ctx-own
  /// Lets pass at most one handler for each call of `open`.
  final class Turnstile: ExecutionContext {
    private let gate = DispatchSemaphore(value: 0)
    private let queue = DispatchQueue(label: "turnstile")

    func execute(_ job: @escaping @Sendable () -> Void) {
      queue.async { [gate] in
        gate.wait()
        job()
      }
    }

    func open() { gate.signal() }
  }
  // end

  func testOwn() throws {
    let turnstile = Turnstile()
    let promise = Promise.resolved(1)
    let (first, second) = (promise.thenOn(turnstile) { $0 }, promise.thenOn(turnstile) { $0 })
    turnstile.open()
    XCTAssertEqual(try value(of: first), 1)
    XCTAssertTrue(second.isPending)
    turnstile.open()
    XCTAssertEqual(try value(of: second), 1)
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
