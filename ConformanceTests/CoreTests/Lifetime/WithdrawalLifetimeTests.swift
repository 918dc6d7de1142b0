// Lifetimes and withdrawals: releasing a promise does not cancel it (L1.2, L1.8).

import DynamicPromise
import XCTest

final class WithdrawalLifetimeTests: XCTestCase {
  // Spec: L1.8, H6.5
  func testADiscardedAsynchronousHandlerIsFollowedThrough() {
    let (gate, saved) = (Promise(), Log<Bool>())
    let (begun, done) = (Event(), Event())
    do {
      _ = Promise.resolved(1).then { _ async in
        begun.signal()
        _ = try? await gate.value
        saved.append(!Task.isCancelled)
        done.signal()
      }
    }
    begun.wait("the handler")
    gate.fulfill(())
    done.wait("the end of the handler")
    XCTAssertEqual(saved.all, [true])
  }

  // Spec: L1.2, L1.3
  func testItLivesAsLongAsOneOfItsAdopters() throws {
    let abandoned = Counter()
    let (adopters, resolver, adopted) = adoption(abandoned)
    XCTAssertNotNil(adopted.object)
    adopters[0].drop()
    XCTAssertNotNil(adopted.object)
    adopters[1].with { XCTAssertTrue($0.isPending) }
    XCTAssertEqual(abandoned.value, 0)
    adopters[1].drop()
    XCTAssertNil(adopted.object)
    XCTAssertEqual(abandoned.value, 1)

    let (others, second, kept) = adoption(abandoned)
    others[0].drop()
    second.fulfill("value")
    others[1].with { XCTAssertEqual(try? $0.value(), "value") }
    XCTAssertEqual(abandoned.value, 1)
    withExtendedLifetime((resolver, kept)) {}
  }

  // Spec: L1.2, L1.5
  func testAnAdopterThatIsCancelledKeepsItNoLonger() {
    let abandoned = Counter()
    let (adopters, resolver, adopted) = adoption(abandoned)
    adopters[0].with { $0.cancel() }
    XCTAssertNotNil(adopted.object)
    XCTAssertFalse(resolver.isCancelled, "the other adopter still uses the promise")
    adopters[1].drop()
    XCTAssertTrue(
      resolver.isCancelled, "an unwanted promise is cancelled when its last consumer leaves (C4.15)")
    XCTAssertEqual(abandoned.value, 0)
    resolver.fulfill(1)
    XCTAssertNil(adopted.object, "the promise is deallocated when its task has finished")
  }

  /// A promise that only its two adopters retain.
  private func adoption(_ abandoned: Counter) -> ([Hold<Promise>], Resolver, WeakReference<Promise>) {
    let (adopted, resolver) = Promise.pending()
    resolver.onAbandon { abandoned.increment() }
    return ((0..<2).map { _ in Hold(adopted.follower()) }, resolver, WeakReference(adopted))
  }
}
