// Programs for the patterns in PromiseKit's document on common patterns. The code is written for PromiseKit
// itself; only the import differs.

import Foundation
import PromiseKitTypes
import TestSupport
import XCTest

private struct Song: Equatable {
  let title: String
}

private enum Fault: Error { case offline, scratched, empty }

/// Looks a song up, and calls `completion` on a background thread.
private func look(up title: String, completion: @escaping @Sendable (Song?, (any Error)?) -> Void) {
  DispatchQueue.global().async {
    if title.isEmpty { completion(nil, Fault.empty) } else { completion(Song(title: title), nil) }
  }
}

private func order(_ title: String) -> Promise<Song> {
  Promise { seal in
    look(up: title, completion: seal.resolve)
  }
}

private func titles() -> Promise<[String]> {
  DispatchQueue.global().async(.promise) { ["Ruby", "Angie", "Layla"] }
}

final class CommonPatternsTypedTests: XCTestCase {
  // A chain: each step waits for the previous step's promise.
  func testAChain() {
    var log: [String] = []
    let ended = firstly {
      order("Ruby")
    }.then { song in
      order(song.title + ", live")
    }.map {
      $0.title.count
    }.done { length in
      log.append("\(length) letters")
    }.ensure {
      log.append("the needle is up")
    }.catch {
      log.append("\($0)")
    }
    end(of: ended)
    XCTAssertEqual(log, ["10 letters", "the needle is up"])
  }

  // Named functions as steps.
  func testAChainOfFunctions() {
    var heard: [Song] = []
    func encore(_ song: Song) -> Promise<Song> { order(song.title + " again") }
    func play(_ song: Song) { heard.append(song) }
    func complain(_ error: any Error) { XCTFail("\(error)") }
    end(of: order("Ruby").then(encore).done(play).catch(complain))
    XCTAssertEqual(heard, [Song(title: "Ruby again")])
  }

  // An interface whose functions return promises and take no completion handlers.
  func testAnInterfaceOfPromises() throws {
    struct Charts {
      func first() -> Promise<Song> {
        titles().compactMap { $0.first }.then { order($0) }
      }
      func length() -> Promise<Int> {
        first().map(\.title.count)
      }
      func size() -> Guarantee<Int> {
        titles().map { $0.count }.recover { _ in .value(0) }
      }
    }
    XCTAssertEqual(try value(of: Charts().first()), Song(title: "Ruby"))
    XCTAssertEqual(try value(of: Charts().length()), 4)
    XCTAssertEqual(try value(of: Charts().size()), 3)
  }

  // A promise as a property: calls share a pending load, and a later call starts a new load.
  func testAPromiseAsAProperty() throws { try onMainActor(self) { try $0.aPromiseAsAProperty() } }

  @MainActor private func aPromiseAsAProperty() throws {
    @MainActor final class Shelf {
      private var fetch: Promise<[Song]>?
      private(set) var loads = 0

      func songs() -> Promise<[Song]> {
        if let fetch, fetch.isPending { return fetch }
        loads += 1
        let fetch = titles().thenMap(order)
        self.fetch = fetch
        return fetch
      }
    }
    let shelf = Shelf()
    let (one, other) = (shelf.songs(), shelf.songs())
    XCTAssertTrue(one === other)
    XCTAssertEqual(try value(of: one).map(\.title), ["Ruby", "Angie", "Layla"])
    XCTAssertTrue(one !== shelf.songs())
    XCTAssertEqual(shelf.loads, 2)
  }

  // Sequential work: a loop extends a chain with timers, and then with closures.
  func testOneAfterTheOther() throws {
    var played: [String] = []
    var fade = Guarantee()
    for title in ["Ruby", "Angie", "Layla"] {
      fade = fade.then {
        after(.milliseconds(1))
      }.done {
        played.append(title)
      }
    }
    try value(of: fade)
    var closures: [() -> Promise<Void>] = []
    for title in ["a", "b"] {
      closures.append { order(title).done { played.append($0.title) } }
    }
    var last = Promise()
    for closure in closures { last = last.then(closure) }
    try value(of: last)
    XCTAssertEqual(played, ["Ruby", "Angie", "Layla", "a", "b"])
  }

  // A time limit: the work races with a timer, both without a value.
  func testALimitOfTime() throws {
    let (never, _seal) = Promise<Song>.pending()
    let timeout = after(.milliseconds(1)).done { throw Fault.offline }
    let late = race(when(fulfilled: [never]).asVoid(), timeout)
    XCTAssertEqual(try reason(of: late), Fault.offline)
    let inTime = race(order("Ruby").asVoid(), after(seconds: 600).done {})
    XCTAssertNoThrow(try value(of: inTime))
    _seal.reject(PMKError.cancelled)
  }

  // Cancelling: a closure rejects its promise as cancelled. `catch` ignores the cancellation, unless its
  // policy includes it.
  func testCancelling() {
    var log: [String] = []
    func listen() -> (Promise<Song>, cancel: () -> Void) {
      let (promise, seal) = Promise<Song>.pending()
      var isCancelled = false
      return (
        promise,
        {
          guard !isCancelled else { return }
          isCancelled = true
          log.append("stopped")
          seal.reject(PMKError.cancelled)
        }
      )
    }
    let (promise, cancel) = listen()
    let quiet = promise.done { _ in log.append("heard") }.catch { _ in log.append("shown") }
    let told = promise.catch(policy: .allErrors) { error in log.append("told: \(error.isCancelled)") }
    cancel()
    cancel()
    end(of: quiet)
    end(of: told)
    XCTAssertEqual(log, ["stopped", "told: true"])
  }

  // A retry: a function calls itself from `recover`, for promises of any type.
  func testOnceMore() throws {
    func attempt<T>(
      times: Int, pause: DispatchTimeInterval = .milliseconds(1), _ body: @escaping () -> Promise<T>
    ) -> Promise<T> {
      var attempts = 0
      func attempt() -> Promise<T> {
        attempts += 1
        return body().recover { error -> Promise<T> in
          guard attempts < times else { throw error }
          return after(pause).then(on: nil, attempt)
        }
      }
      return attempt()
    }
    var calls = 0
    let played = attempt(times: 3) { () -> Promise<Song> in
      calls += 1
      return calls < 3 ? Promise(error: Fault.offline) : order("Ruby")
    }
    XCTAssertEqual(try value(of: played), Song(title: "Ruby"))
    XCTAssertEqual(calls, 3)
    let refused = attempt(times: 2) { Promise<Int>(error: Fault.scratched) }
    XCTAssertEqual(try reason(of: refused), Fault.scratched)
  }

  // A delegate: an object that retains itself until it settles its promise.
  func testADelegate() throws {
    final class Player: NSObject {
      let (promise, seal) = Promise<Song>.pending()
      private var itself: Player?

      override init() {
        super.init()
        itself = self
        _ = promise.ensure { self.itself = nil }
      }

      func didFinish(_ song: Song) { seal.fulfill(song) }
      func didFail(_ error: any Error) { seal.reject(error) }
    }
    weak var player: Player?
    func play() -> Promise<Song> {
      let made = Player()
      player = made
      return made.promise
    }
    let heard = play().map { $0.title }
    player?.didFinish(Song(title: "Ruby"))
    player?.didFail(Fault.offline)
    XCTAssertEqual(try value(of: heard), "Ruby")
  }

  // Earlier results: by nesting, or in a tuple that the next closure destructures.
  func testEarlierResults() throws {
    let login = Promise.value("ann")
    let nested = login.then { user in
      order("Ruby").map { song in "\(user) has \(song.title)" }
    }
    XCTAssertEqual(try value(of: nested), "ann has Ruby")
    let flat = login.then { user in
      order("Angie").map { ($0, user) }
    }.then { song, user in
      order("\(song.title) for \(user)")
    }.map {
      $0.title
    }
    XCTAssertEqual(try value(of: flat), "Angie for ann")
  }

  // Main-actor code: closures in methods use the object's state without annotations.
  func testAViewController() { onMainActor(self) { $0.aViewController() } }

  @MainActor private func aViewController() {
    @MainActor final class Screen {
      var title = ""
      var isBusy = false
      var message: String?

      func viewDidLoad(_ name: String) -> PMKFinalizer {
        isBusy = true
        return firstly {
          order(name)
        }.done { song in
          self.title = song.title
        }.ensure { [weak self] in
          self?.isBusy = false
        }.catch { error in
          self.message = "\(error)"
        }
      }
    }
    let screen = Screen()
    end(of: screen.viewDidLoad("Ruby"))
    XCTAssertEqual(screen.title, "Ruby")
    end(of: screen.viewDidLoad(""))
    XCTAssertEqual(screen.message, "empty")
    XCTAssertFalse(screen.isBusy)
  }
}
