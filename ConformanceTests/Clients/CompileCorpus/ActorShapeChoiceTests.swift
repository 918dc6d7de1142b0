import DynamicPromise
import TestSupport
import XCTest

/// A handler on an actor may use the overload for ordinary closures or for closures that suspend. Only a run
/// shows which overload is used.
final class ActorShapeChoiceTests: XCTestCase {
  private let one = Promise.resolved(1)
  private let failed = Promise.rejected(NumberedError(1))

  /// Ordinary closures run in the one task that the library keeps for each actor. The actor's context
  /// recognizes this task. A closure that suspends runs in its own task.
  // Spec: X3.18, X3.19
  func testOrdinaryClosuresOnAnActorRunInItsMailbox() throws {
    let tally = Tally()
    let children: [Promise] = [
      one.thenOn(tally) { tally, _ in tally.isInMailbox },
      one.thenOn(tally) { (tally, _: Int) in tally.isInMailbox },
      one.thenOn(tally) { tally, value -> Any? in
        if value is String { return nil }
        return tally.isInMailbox
      },
      failed.catchOn(tally) { tally, _ in tally.isInMailbox },
      failed.catchOn(tally) { (tally, _: NumberedError) in tally.isInMailbox },
      failed.catchOn(tally) { tally, reason -> Any? in
        if reason is NumberedError { return tally.isInMailbox }
        return nil
      },
    ]
    let ran = Promise()
    one.finallyOn(tally) { tally in _ = ran.fulfill(tally.isInMailbox) }
    expect(children + [ran], toGive: true)
  }

  // Spec: X3.18, X3.19
  func testClosuresThatSuspendOnAnActorRunInATaskOfTheirOwn() throws {
    let tally = Tally()
    let children: [Promise] = [
      one.thenOn(tally) { tally, _ in await tally.isInMailboxAfterAll() },
      one.thenOn(tally) { (tally, _: Int) in await tally.isInMailboxAfterAll() },
      one.thenOn(tally) { tally, value -> Any? in
        if value is String { return nil }
        return await tally.isInMailboxAfterAll()
      },
      failed.catchOn(tally) { tally, _ in await tally.isInMailboxAfterAll() },
      failed.catchOn(tally) { (tally, _: NumberedError) in await tally.isInMailboxAfterAll() },
      failed.catchOn(tally) { tally, reason -> Any? in
        if reason is NumberedError { return await tally.isInMailboxAfterAll() }
        return nil
      },
    ]
    let ran = Promise()
    one.finallyOn(tally) { tally in _ = ran.fulfill(await tally.isInMailboxAfterAll()) }
    expect(children + [ran], toGive: false)
  }
}

private actor Tally {
  /// Whether the caller is a job of the task that the library keeps for this actor.
  var isInMailbox: Bool { ActorContext(self).isBlockedByCaller }

  /// Reads `isInMailbox` after a suspension.
  func isInMailboxAfterAll() async -> Bool {
    await Task.yield()
    return isInMailbox
  }
}
