// A lower bound for the cost of a step: a promise that has only `then` and `resolve`.

import Synchronization

/// A promise without features: one object, one closure and one compare-exchange per step. It has no
/// rejection, parent, cancellation, contexts, or order among late handlers.
///
/// Handlers run one after another on the stack of the caller of `then` or `resolve`, so that chains do not
/// recurse.
package final class ToyPromise: @unchecked Sendable {
  package typealias Handler = @Sendable (Any) -> Any

  /// 0: pending without children. 1: settled. Any other value: the newest waiting child, retained.
  private let word: Atomic<UInt>
  /// Written before `word` becomes 1, and read afterwards.
  @exclusivity(unchecked) private var value: Any
  /// The thread that runs the handler removes it.
  @exclusivity(unchecked) private var handler: Handler?
  /// The next older child of the parent. Later, the next child in the list of children to run. Retained.
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

  /// Adds `child` to the waiting children.
  ///
  /// - Returns: False if this promise is settled, so that `child` does not wait.
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

  /// - Returns: The children to run, oldest first, each with its input in `value`.
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

  /// Runs the children in the list. When a child settles, its own waiting children run next.
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

  /// Releases the waiting children of a promise that was never resolved.
  deinit {
    var waiting = word.load(ordering: .acquiring)
    while waiting > 1 {
      let child = Self.at(waiting)
      waiting = child._withUnsafeGuaranteedRef { $0.next }
      child.release()
    }
  }
}
