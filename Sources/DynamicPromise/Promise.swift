// The class and what it stores. What a promise does stands in one file per family of operators; how it does it
// stands in `Machine/`, which begins with `Machine/Settling.swift`.

import Dispatch

/// The eventual outcome of an asynchronous task, without a static type: fulfilled with any value, or rejected
/// with an error.
///
/// A promise is made by whoever runs the task (`Promise { resolver in ... }`, ``pending()``) and consumed with
/// `then`, `catch` and `finally`, each of which returns a new promise, its child. It behaves as Promises/A+ 1.1
/// says, read in Swift's terms (`Spec/A-promises-aplus.md`); on top of that it is cancelled down its tree of
/// children (`Spec/C-cancellation.md`) and runs its handlers on contexts of your choice (`Spec/X-contexts.md`).
///
/// Every method may be called from any thread. Values are `Any`, so the compiler cannot see who shares them:
/// whoever hands a value over stops using it, and a value with several readers is `Sendable` or is touched on
/// one serial context only (S1). For this reason alone the conformance to `Sendable` is unchecked.
public final class Promise: @unchecked Sendable {
  /// State, flags and the lock of every field below that is not constant. `State.swift` has the bits. Stays the first field (`Faint`).
  let word: LockedWord

  /// Handlers while they wait, the adopted promise while locked in, the outcome once settled.
  @exclusivity(unchecked) var store: Store

  /// The way up: the parent while pending, then the next ancestor. `Lineage.swift`.
  @exclusivity(unchecked) var up: Up

  /// Which list of the parent (or of an ancestor) this promise stands in, and its neighbours there; guarded by the owner of
  /// the list.
  @exclusivity(unchecked) var position = Position()
  @exclusivity(unchecked) var next: Unmanaged<Promise>?

  /// Children whose handlers wait for this promise, oldest first; each held.
  @exclusivity(unchecked) var waiting: Unmanaged<Promise>?

  /// Pending children that wait no longer (their handler was handed over, or they were resolved by hand), and settled
  /// descendants below which something is pending; none held.
  @exclusivity(unchecked) var below = Below()

  /// Where the handlers in `store` run. Held.
  let context: ContextRef

  /// What children inherit (X1). Held as well, unless it is the same.
  let defaultContext: ContextRef

  /// Whatever most promises never need.
  @exclusivity(unchecked) var rare = Rare()

  /// A root, or a child that `attach` will put into its parent's list. Takes over a reference for `context`.
  init(bits: UInt, store: Store, up: Up, context: ContextRef, defaultContext: ContextRef) {
    self.word = LockedWord(bits)
    self.store = store
    self.up = up
    self.context = context
    self.defaultContext = defaultContext
    if defaultContext.word != context.word { _ = defaultContext.retained() }
    noteMade()
  }

  deinit {
    retire()
    context.release()
    if defaultContext.word != context.word { defaultContext.release() }
  }
}
