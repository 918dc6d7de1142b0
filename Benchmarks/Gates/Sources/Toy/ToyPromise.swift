// The floor: the cost of a step of a promise that only has `then` and `resolve`.

import Synchronization

/// The promise without features: one object, one closure and one compare-exchange per step. It has no
/// rejection, parent, cancellation, contexts, or order among late handlers.
///
/// Handlers run in place, on the stack that registers or resolves, one after another, so chains do not
/// recurse.
package final class ToyPromise: @unchecked Sendable {
  package typealias Handler = @Sendable (Any) -> Any

  /// 0: pending without children. 1: settled. Otherwise the newest waiting child, retained.
  private let word: Atomic<UInt>
  /// Written before `word` becomes 1, and read after.
  @exclusivity(unchecked) private var value: Any
  /// Taken by the thread that settles the parent.
  @exclusivity(unchecked) private var handler: Handler?
  /// The next older child of the parent, and later the next one in the list of those whose turn has come;
  /// retained.
  @exclusivity(unchecked) private var next: UInt = 0

  package init() {
    word = Atomic(0)
    value = ()
  }

  package init(resolved value: Any) {
    word = Atomic(1)
    self.value = value
  }

  private init(calling handler: Handler?) {
    word = Atomic(0)
    value = ()
    self.handler = handler
  }

  package var result: Any? { word.load(ordering: .acquiring) == 1 ? value : nil }

  /// Calls `handler` with the value. Its result resolves the new promise; a returned promise is followed.
  @discardableResult
  package func then(_ handler: @escaping Handler) -> ToyPromise {
    let child = ToyPromise(calling: handler)
    if !wait(child) { ToyPromise.run(child, with: value) }
    return child
  }

  /// Fulfills with `value`, unchanged, and runs the waiting handlers.
  package func resolve(_ value: Any) {
    ToyPromise.run(settle(value))
  }

  /// Enters `child` among those that wait.
  ///
  /// - Returns: Whether it waits; otherwise this promise is settled.
  private func wait(_ child: ToyPromise) -> Bool {
    var seen = word.load(ordering: .acquiring)
    if seen == 1 { return false }
    let entry = UInt(bitPattern: Unmanaged.passRetained(child).toOpaque())
    while seen != 1 {
      child.next = seen
      let (isDone, now) = word.weakCompareExchange(
        expected: seen, desired: entry, ordering: .acquiringAndReleasing)
      if isDone { return true }
      seen = now
    }
    child.next = 0
    Unmanaged.passUnretained(child).release()
    return false
  }

  /// - Returns: The children whose turn has come, oldest first, each with its input in `value`.
  private func settle(_ value: Any) -> UInt {
    self.value = value
    var waiting = word.exchange(1, ordering: .acquiringAndReleasing)
    var oldest: UInt = 0
    while waiting != 0 {
      let child = Self.at(waiting)
      child._withUnsafeGuaranteedRef {
        let older = $0.next
        $0.next = oldest
        $0.value = value
        oldest = waiting
        waiting = older
      }
    }
    return oldest
  }

  @inline(__always)
  private static func at(_ word: UInt) -> Unmanaged<ToyPromise> {
    .fromOpaque(UnsafeRawPointer(bitPattern: word).unsafelyUnwrapped)
  }

  private static func run(_ child: ToyPromise, with input: Any) {
    child.value = input
    run(UInt(bitPattern: Unmanaged.passRetained(child).toOpaque()))
  }

  /// Runs all in the list, and what becomes ready by that: in place of the one that set it off.
  private static func run(_ list: UInt) {
    var turn = list
    while turn != 0 {
      let held = at(turn)
      held._withUnsafeGuaranteedRef { child in
        turn = child.next
        child.next = 0
        let handler = child.handler.take()
        let result = handler.map { $0(child.value) } ?? child.value
        if type(of: result) == ToyPromise.self {
          child.follow(result as! ToyPromise, &turn)
        } else {
          child.settle(result, &turn)
        }
      }
      held.release()
    }
  }

  private func settle(_ value: Any, _ turn: inout UInt) {
    let ready = settle(value)
    guard ready != 0 else { return }
    guard turn != 0 else { return turn = ready }
    var last = ready
    while true {
      let next = Self.at(last)._withUnsafeGuaranteedRef { $0.next }
      if next == 0 { break }
      last = next
    }
    Self.at(last)._withUnsafeGuaranteedRef { $0.next = turn }
    turn = ready
  }

  private func follow(_ other: ToyPromise, _ turn: inout UInt) {
    if let value = other.result { return settle(value, &turn) }
    let follower = ToyPromise(calling: { value in
      self.resolve(value)
      return ()
    })
    if !other.wait(follower) { ToyPromise.run(follower, with: other.value) }
  }

  /// Pending and unresolvable: waiting children are released with it.
  deinit {
    var waiting = word.load(ordering: .acquiring)
    while waiting > 1 {
      let child = Self.at(waiting)
      waiting = child._withUnsafeGuaranteedRef { $0.next }
      child.release()
    }
  }
}
