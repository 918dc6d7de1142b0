// Programs for the patterns in PromiseKit's document on common patterns. Compared with code for PromiseKit,
// four things differ: another import, no type in brackets after `Promise`, closures with typed inputs, and
// `@Sendable` for Swift 6.

import Foundation
import PromiseKitNames
import TestSupport
import XCTest

final class CommonPatternsTests: XCTestCase {
  private struct Song: Sendable, Equatable { let title: String }
  private enum Fault: Error, Equatable { case offline, scratched, empty }

  /// A record shop that answers asynchronously.
  private struct Shop: Sendable {
    let queue = DispatchQueue(label: "shop", attributes: .concurrent)

    func order(_ title: String) -> Promise {
      Promise { seal in
        queue.async {
          if title.isEmpty { seal.reject(Fault.empty) } else { seal.fulfill(Song(title: title)) }
        }
      }
    }

    func titles() -> Promise { queue.async(.promise) { ["Ruby", "Angie", "Layla"] } }
  }

  private let shop = Shop()

  // A chain: each step waits for the previous step's promise.
  // Spec: N8.1
  func testAChain() throws {
    let (shop, log) = (shop, Recorded([String]()))
    @Sendable func note(_ line: String) { log.append(line) }
    let played = firstly {
      shop.order("Ruby")
    }.then { (song: Song) in
      shop.order(song.title + ", live")
    }.map { (song: Song) in
      song.title.count
    }.done { (length: Int) in
      note("\(length) letters")
    }.ensure {
      note("the needle is up")
    }.catch { error in
      note("\(error)")
    }
    _ = try outcome(of: played)
    XCTAssertEqual(log.value, ["10 letters", "the needle is up"])
  }

  // A chain of untyped functions: the closures have untyped inputs.
  // Spec: N8.1
  func testAChainOfFunctions() throws {
    let log = Recorded([String]())
    @Sendable func note(_ line: Any) { log.append("\(line)") }
    @Sendable func fetch() -> Promise { .value(20) }
    @Sendable func double(_ number: Any) -> Promise { .value((number as? Int ?? 0) * 2) }
    @Sendable func fail() -> Promise { Promise(error: Fault.scratched) }
    let ended = firstly {
      fetch()
    }.then {
      double($0)
    }.then {
      note($0)
      return fail()
    }.done {
      note("done")
    }.ensure {
      note("the needle is up")
    }.catch {
      note($0)
    }
    _ = try outcome(of: ended)
    XCTAssertEqual(log.value, ["40", "the needle is up", "scratched"])
  }

  // An interface whose functions return promises and take no completion handlers.
  // Spec: N8.1
  func testAnInterfaceOfPromises() throws {
    struct Charts: Sendable {
      let shop: Shop
      func first() -> Promise {
        shop.titles().compactMap { (titles: [String]) in titles.first }.then { (title: String) in
          shop.order(title)
        }
      }
      func firstLetter() -> Promise {
        first().compactMap { (song: Song) in song.title.first }
      }
    }
    let charts = Charts(shop: shop)
    XCTAssertEqual(try value(of: charts.first()), Song(title: "Ruby"))
    XCTAssertEqual(try value(of: charts.firstLetter()), Character("R"))
  }

  // Work in the background: single steps run on given queues, and the last step runs on the main queue.
  // Spec: N8.1
  func testWorkInTheBackground() throws {
    let (shop, background) = (shop, DispatchQueue.global(qos: .userInitiated))
    let shown = firstly {
      shop.titles()
    }.then(on: background) { (titles: [String]) in
      shop.order(titles.joined(separator: " "))
    }.compactMap(on: background) { (song: Song) in
      song.title.split(separator: " ").last.map(String.init)
    }.then(on: .main) { (title: String) in
      Thread.isMainThread ? title : "not on the main thread"
    }
    XCTAssertEqual(try value(of: shown), "Layla")
  }

  // A failure in the middle: a step throws, and the next `catch` receives the error.
  // Spec: N8.1
  func testAFailureInTheMiddle() throws {
    let shop = shop
    let chain = shop.order("Ruby").then { (song: Song) -> Promise in
      guard song.title.count > 10 else { throw Fault.scratched }
      return shop.order(song.title)
    }.map { (song: Song) in
      song.title
    }
    let caught = chain.catch(policy: .allErrorsExceptCancellation) { error in "\(error)" }
    XCTAssertEqual(try value(of: caught), "scratched")
  }

  // A promise as a property: calls share a pending load, and a later call starts a new load.
  // Spec: N8.1
  func testAPromiseAsAProperty() throws {
    let (begun, gate) = (Recorded(0), Promise())
    var latest = Promise.value([String]())
    func reload() -> Promise {
      if latest.isResolved {
        begun.change { $0 += 1 }
        latest = gate.map { _ in ["Ruby"] }.ensure { begun.change { $0 += 10 } }
      }
      return latest
    }
    let (one, other) = (reload(), reload())
    XCTAssertTrue(one === other)
    gate.fulfill(())
    XCTAssertEqual(try value(of: one.firstValue), "Ruby")
    XCTAssertEqual(begun.value, 11)
  }

  // Sequential work: a loop extends a chain with orders of songs, and then with closures.
  // Spec: N8.1
  func testOneAfterTheOther() throws {
    let (shop, order) = (shop, Recorded([String]()))
    var last = Guarantee.value(())
    for title in ["Ruby", "Angie", "Layla"] {
      last = last.then { shop.order(title) }.done { (song: Song) in order.append(song.title) }
    }
    _ = try value(of: last, as: Void.self)
    let closures: [@Sendable () -> Promise] = ["a", "b"].map { name in
      { Promise.value(name).done { order.append(name) } }
    }
    var next = Promise.value(())
    for closure in closures { next = next.then(closure) }
    _ = try value(of: next, as: Void.self)
    XCTAssertEqual(order.value, ["Ruby", "Angie", "Layla", "a", "b"])
  }

  // Parallel work, without and with a limit.
  // Spec: N8.1
  func testMany() throws {
    let shop = shop
    let all = when(fulfilled: ["Ruby", "Angie"].map { shop.order($0) }).mapValues { (song: Song) in song.title
    }
    XCTAssertEqual(try value(of: all), ["Ruby", "Angie"])
    let source = ["a", "b", "c"].lazy.map { shop.order($0) }.makeIterator()
    let few = when(fulfilled: source, concurrently: 2).mapValues { (song: Song) in song.title }
    XCTAssertEqual(try value(of: few), ["a", "b", "c"])
  }

  // A time limit: the work races with a timer, both without a value.
  // Spec: N8.1
  func testALimitOfTime() throws {
    let late = race(
      when(fulfilled: [Promise()]).asVoid(), after(.milliseconds(1)).done { throw Fault.offline })
    XCTAssertEqual(try reason(of: late), Fault.offline)
    let inTime = race(when(fulfilled: [shop.order("Ruby")]).asVoid(), after(seconds: 600))
    XCTAssertNoThrow(try value(of: inTime, as: Void.self))
  }

  // A minimum time: faster work waits until the minimum time is over.
  // Spec: N8.1
  func testALeastTime() throws {
    let (shop, atLeast, order) = (shop, Promise(), Recorded([String]()))
    let shown = firstly {
      shop.order("Ruby").get { order.change { $0.append("loaded") } }
    }.then { _ in
      atLeast
    }.done {
      order.change { $0.append("hidden") }
    }
    order.change { $0.append("shown") }
    atLeast.fulfill(())
    _ = try value(of: shown, as: Void.self)
    XCTAssertEqual(order.value.last, "hidden")
    XCTAssertEqual(order.value.count, 3)
  }

  // Cancelling: PromiseKit's pair of a promise and a closure still works. A promise can also be cancelled
  // directly.
  // Spec: N8.1
  func testCancelling() throws {
    let stopped = Recorded([String]())
    func listen() -> (Promise, cancel: @Sendable () -> Void) {
      let (promise, seal) = Promise.pending()
      return (promise, { seal.reject(PMKError.cancelled) })
    }
    let (promise, cancel) = listen()
    let quiet = promise.catch(policy: .allErrorsExceptCancellation) { _ in
      stopped.change { $0.append("shown") }
    }
    let told = promise.catch(policy: .allErrors) { _ in stopped.change { $0.append("told") } }
    cancel()
    _ = try outcome(of: told)
    XCTAssertTrue(try reason(of: quiet, as: (any Error).self).isCancellation)
    let (direct, task) = Promise.pending()
    task.onCancel { _ in stopped.change { $0.append("stopped") } }
    direct.cancel()
    XCTAssertEqual(stopped.value, ["told", "stopped"])
  }

  // A retry: a function calls itself from `recover`.
  // Spec: N8.1
  func testOnceMore() throws {
    @Sendable func attempt(_ times: Int, _ body: @escaping @Sendable () -> Promise) -> Promise {
      body().recover { error -> Promise in
        guard times > 1 else { throw error }
        return after(.milliseconds(1)).then(on: nil) { attempt(times - 1, body) }
      }
    }
    let (shop, calls) = (shop, Recorded(0))
    let flaky: @Sendable () -> Promise = {
      calls.change { calls in
        calls += 1
        return calls < 3 ? Promise(error: Fault.offline) : shop.order("Ruby")
      }
    }
    XCTAssertEqual(try value(of: attempt(3, flaky)), Song(title: "Ruby"))
    XCTAssertEqual(calls.value, 3)
    XCTAssertEqual(try reason(of: attempt(2) { Promise(error: Fault.scratched) }), Fault.scratched)
  }

  // A delegate: an object that retains itself until it settles its promise.
  // Spec: N8.1
  func testADelegate() throws {
    final class Player: @unchecked Sendable {
      private let (promise, seal) = Promise.pending()
      private var itself: Player?
      static let playing = Recorded<Player?>(nil)

      static func play() -> Promise {
        let player = Player()
        playing.change { $0 = player }
        return player.promise
      }

      private init() {
        itself = self
        promise.ensure { [weak self] in self?.itself = nil }
      }

      func didFinish(_ title: String) { seal.fulfill(title) }
    }
    let heard = Player.play()
    weak var player: Player?
    player = Player.playing.value
    Player.playing.change { $0 = nil }
    XCTAssertNotNil(player)
    player?.didFinish("Ruby")
    player?.didFinish("Angie")
    XCTAssertEqual(try value(of: heard), "Ruby")
  }

  // Recovery from one known error. Other errors are passed on.
  // Spec: N8.1
  func testMakingUpForAnError() throws {
    @Sendable func fallback(_ error: any Error) throws -> Promise {
      guard error as? Fault == .empty else { throw error }
      return .value(Song(title: "silence"))
    }
    XCTAssertEqual(try value(of: shop.order("").recover(fallback)), Song(title: "silence"))
    XCTAssertEqual(try reason(of: Promise(error: Fault.offline).recover(fallback)), Fault.offline)
  }

  // A dialog whose answer is a promise.
  // Spec: N8.1
  func testADialogue() throws { try onMainActor(self) { try $0.aDialogue() } }

  @MainActor private func aDialogue() throws {
    @MainActor final class Dialogue {
      private let (promise, seal) = Guarantee.pending()
      func show() -> Promise { promise }
      func choose(_ title: String) { seal.fulfill(title) }
    }
    let dialogue = Dialogue()
    let chosen = dialogue.show().done { (title: String) in XCTAssertEqual(title, "Ruby") }
    dialogue.choose("Ruby")
    XCTAssertNoThrow(try value(of: chosen, as: Void.self))
  }

  // Earlier results: by nesting, or in a tuple that the next closure destructures.
  // Spec: N8.1
  func testEarlierResults() throws {
    let shop = shop
    let login = Promise.value("ann")
    let nested = login.then { (user: String) in
      shop.order("Ruby").map { (song: Song) in "\(user) has \(song.title)" }
    }
    XCTAssertEqual(try value(of: nested), "ann has Ruby")
    let flat = login.then { (user: String) in
      shop.order("Angie").map { (song: Song) in (song, user) }
    }.then { (song: Song, user: String) in
      shop.order("\(song.title) for \(user)")
    }.map { (song: Song) in song.title }
    XCTAssertEqual(try value(of: flat), "Angie for ann")
  }

  // Waits for all promises, whether they are fulfilled or rejected.
  // Spec: N8.1
  func testWhateverBecomesOfEach() throws {
    let counted = when(resolved: shop.order("Ruby"), shop.order("")).map {
      (results: [Result<Any, any Error>]) in
      results.filter { if case .success = $0 { true } else { false } }.count
    }
    XCTAssertEqual(try value(of: counted), 1)
  }
}
