// Programs for the patterns in PromiseKit's document on common patterns. The code is written for PromiseKit
// itself; only the import differs.

import Foundation
import PromiseKitTypes
import TestSupport
import XCTest

private struct Song { let title: String }

private enum Fault: Error { case empty }

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

final class CommonPatternsTypedTests: XCTestCase {
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
