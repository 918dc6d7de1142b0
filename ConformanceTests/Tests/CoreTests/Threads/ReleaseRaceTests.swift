// Releasing promises and resolvers against settling and cancelling on other threads (A4.6).

import DynamicPromise
import XCTest

/// A pending promise that only its `Hold` retains, and the promise's resolver.
func pendingHold(on context: (any ExecutionContext)? = nil) -> (promise: Hold<Promise>, resolver: Resolver) {
  let (promise, resolver) = Promise.pending(on: context)
  return (Hold(promise), resolver)
}

final class ReleaseRaceTests: XCTestCase {
  // Spec: A4.6, L1.3, L1.4
  func testReleaseAgainstResolve() {
    race(lanes: 2, rounds: 1200) { round, canary in
      let (promise, resolver) = pendingHold()
      let abandoned = Counter()
      resolver.onAbandon { withExtendedLifetime(canary) { abandoned.increment() } }
      resolver.onCancel { _ in withExtendedLifetime(canary) { XCTFail("the promise is not cancelled") } }
      let other = Promise()
      return racing([
        { promise.drop() },
        {
          switch round % 3 {
          case 0: resolver.fulfill(1)
          case 1: resolver.reject(Failure())
          default: resolver.resolve(other)
          }
        },
      ]) {
        // If the promise follows `other`, this call settles the promise, which can then be freed.
        other.fulfill(1)
        XCTAssertLessThanOrEqual(abandoned.value, 1)
        XCTAssertEqual(resolver.isAbandoned, abandoned.value == 1, "round \(round)")
        XCTAssertFalse(resolver.isCancelled)
      }
    }
  }

  // Spec: L1.3, A4.6
  func testRegisteringAnAbandonHookAgainstRelease() {
    race(lanes: 2, rounds: 3000) { round in
      let (hold, resolver) = pendingHold()
      let heard = Counter()
      return racing([{ hold.drop() }, { resolver.onAbandon { heard.increment() } }]) {
        XCTAssertEqual(heard.value, 1, "round \(round)")
      }
    }
  }
}
