// The memory of a promise's state, and the count of what holds it. No other file knows the layout.
//
// `Promise` is the *handle*, the object that users see. Its *core* has the state and the links of the tree. A
// core is memory of its own, counted by a plain integer under the tree's lock:
//
//     who has a hold                             since              until
//     the handle                                 it was made        its `deinit`
//     a pending child, for its parent            it was added       it settles
//     a pending child, for itself                it was added       it settles; a step: it follows
//     a job: a worker, a queue, a lane           it was scheduled   it has run
//     a follower, for its target                 it is registered   it leaves, or the target settles
//     a step or hook of a turn, a search         it was added       it was performed
//     a wait for the end of work                 it began           it has ended
//     a promise, for the work above it           it is known        it is freed
//
// The last drop frees the core, with the lock held (`Tree/Retiring.swift`). So nothing is touched after
// `drop`, unless another hold is known to exist. A linked core exists: the links of a tree hold nothing, but
// a core leaves the tree before it is freed. A resolver has no hold, but the memory stays until it is freed.
//
// A debug build frees the memory at once, so that Address Sanitizer sees a later use; a release build keeps
// some for the next core of the lock's trees.

/// The state of a promise: a reference that is counted by hand.
struct Core: Hashable, @unchecked Sendable {
  private struct Fields {
    /// The core above, and in the lowest bit whether this core or one below may be pending. The first field
    /// is one that is never read without the lock, because Thread Sanitizer takes a change of any field for a
    /// change of the first byte. (The phase of a settled promise is read without the lock.)
    var up: UInt = 0
    /// Where the promise was made, if it was made together with a resolver.
    var origin: Promise.Origin?
    var phase: Phase
    let kind: Handler.Kind
    let lock: TreeLock
    var source = Source.none
    var flags: Flags = []
    /// The number of consumers.
    var consumers: Int32 = 0
    var holds: Int32 = 0
    /// The newest handle. Its `deinit` may have begun. Not retained, except by `retainHandle`.
    var handle: Unmanaged<Promise>?
    var next: Core?
    /// The previous core in the list; for the first core, the last one. `nil` if the core is in no list.
    var before: Core?
    /// The first child that does not wait for this promise.
    var firstChild: Core?
    /// The first child that waits for this promise.
    var firstWaiting: Core?
    let context: ContextRef
    var side: Side?
  }

  /// Behind the fields there is room for one value. Its type depends on the phase.
  private static var payloadOffset: Int { (MemoryLayout<Fields>.size + 7) & ~7 }
  private static var size: Int { payloadOffset + max(MemoryLayout<Any>.size, MemoryLayout<Handler>.size) }

  private let address: UnsafeMutablePointer<Fields>

  private init(_ address: UnsafeMutablePointer<Fields>) { self.address = address }

  /// Makes a core without a hold. Called with the lock held. The caller stores the payload of the phase.
  @inline(__always)
  static func make(
    _ lock: TreeLock, _ phase: Phase, _ kind: Handler.Kind = [], on context: consuming ContextRef
  ) -> Core {
    let memory = lock.spares.pointee.take() ?? CurrentThread.allocate(size)
    let address = memory.bindMemory(to: Fields.self, capacity: 1)
    address.initialize(to: Fields(phase: phase, kind: kind, lock: lock, context: context))
    return Core(address)
  }

  /// Frees the memory. The payload and the side storage have been taken. Returns what the caller releases
  /// when the lock is free. Called with the lock held.
  @inline(__always)
  func free() -> ContextRef? {
    assert(
      address.pointee.before == nil && address.pointee.firstChild == nil, "another core links to this one")
    assert(address.pointee.holds == 0 && address.pointee.side == nil, "the core is in use")
    let lock = address.pointee.lock
    let context = address.pointee.context.isTrivial ? nil : address.pointee.context
    address.deinitialize(count: 1)
    #if !DEBUG
      if lock.spares.pointee.put(address) { return context }
    #else
      UnsafeMutableRawPointer(address).initializeMemory(as: UInt8.self, repeating: 0xFF, count: Self.size)
    #endif
    CurrentThread.deallocate(address)
    return context
  }

  @inline(__always) func hold() { address.pointee.holds &+= 1 }

  /// Drops a hold. The last one frees the core.
  @inline(__always)
  func drop(_ turn: Turn) {
    assert(address.pointee.holds > 0, "a hold was dropped twice")
    address.pointee.holds &-= 1
    if address.pointee.holds == 0 { retire(turn) }
  }

  @inline(__always) var holds: Int32 { address.pointee.holds }

  /// Drops holds when more are left.
  @inline(__always)
  func dropSome(_ count: Int32 = 1) {
    assert(address.pointee.holds > count, "this may be the last hold")
    address.pointee.holds &-= count
  }

  /// Drops the last hold. The caller frees the core.
  @inline(__always)
  func dropLast() {
    assert(address.pointee.holds == 1, "there are other holds")
    address.pointee.holds = 0
  }

  // MARK: The handle

  /// Makes `promise` the handle of this core, which it holds. Called with the lock held, or before another
  /// thread knows the core.
  @inline(__always)
  func addHandle(_ promise: Promise) {
    address.pointee.handle = .passUnretained(promise)
    hold()
  }

  /// Called in the `deinit` of a handle, with the lock held.
  @inline(__always)
  func forgetHandle(_ promise: Promise) {
    let own = Unmanaged.passUnretained(promise).toOpaque()
    if address.pointee.handle?.toOpaque() == own { address.pointee.handle = nil }
  }

  /// The handle; a new one if there is none. Called with the lock held.
  ///
  /// A weak reference is the only documented way to retain an object unless its `deinit` has begun. (`deinit`
  /// waits for the lock.) The result is retained before the first reference ends, so nothing is freed here.
  func promise() -> Promise {
    if let handle = address.pointee.handle {
      let known = handle.takeUnretainedValue()
      if let live = withExtendedLifetime(known, { WeakCell(promise: known).promise }) { return live }
    }
    return Promise(core: self)
  }

  private struct WeakCell { weak var promise: Promise? }

  /// Retains the handle, which the caller uses at this moment, for this core.
  func retainHandle() { _ = address.pointee.handle?.retain() }

  /// The reference of `retainHandle`.
  func takeHandle() -> Promise? { address.pointee.handle?.takeRetainedValue() }

  // MARK: Fields

  /// The tree's lock, shared by all promises in it.
  @inline(__always) var lock: TreeLock { address.pointee.lock }

  @inline(__always) var phase: Phase {
    get { address.pointee.phase }
    nonmutating set { address.pointee.phase = newValue }
  }

  /// The outcomes for which the handler runs, and fixed properties of a child.
  @inline(__always) var kind: Handler.Kind { address.pointee.kind }

  @inline(__always) var flags: Flags {
    get { address.pointee.flags }
    nonmutating set { address.pointee.flags = newValue }
  }

  @inline(__always) var consumers: Int32 {
    get { address.pointee.consumers }
    nonmutating set { address.pointee.consumers = newValue }
  }

  /// The context of handlers for which no other context is given.
  @inline(__always) var defaultContext: ContextRef { address.pointee.context }

  /// Rarely used state.
  @inline(__always) var side: Side? {
    get { address.pointee.side }
    nonmutating set { address.pointee.side = newValue }
  }

  @inline(__always) var hasSide: Bool { address.pointee.side != nil }

  var origin: Promise.Origin? {
    get { address.pointee.origin }
    nonmutating set { address.pointee.origin = newValue }
  }

  @inline(__always) var source: Source {
    get { address.pointee.source }
    nonmutating set { address.pointee.source = newValue }
  }

  /// A number that no other promise has at the same time.
  @inline(__always) var identity: PromiseIdentity { PromiseIdentity(number: UInt(bitPattern: address)) }

  /// The core of the parent, or of the nearest ancestor that has not been freed, or is `gone`.
  @inline(__always) var up: Core? {
    get {
      LockedWork.step()
      return UnsafeMutablePointer<Fields>(bitPattern: address.pointee.up & ~1).map { Core($0) }
    }
    nonmutating set {
      address.pointee.up = (newValue.map { UInt(bitPattern: $0.address) } ?? 0) | address.pointee.up & 1
    }
  }

  /// Whether this child or a descendant may be pending. Only the answer `false` is certain.
  @inline(__always) var mayHavePending: Bool {
    get { address.pointee.up & 1 != 0 }
    nonmutating set { if newValue { address.pointee.up |= 1 } else { address.pointee.up &= ~1 } }
  }

  @inline(__always) var next: Core? {
    get {
      LockedWork.step()
      return address.pointee.next
    }
    nonmutating set { address.pointee.next = newValue }
  }

  @inline(__always) var before: Core? {
    get { address.pointee.before }
    nonmutating set { address.pointee.before = newValue }
  }

  @inline(__always) var isListed: Bool { address.pointee.before != nil }

  @inline(__always) var firstChild: Core? {
    get { address.pointee.firstChild }
    nonmutating set { address.pointee.firstChild = newValue }
  }

  @inline(__always) var firstWaiting: Core? {
    get { address.pointee.firstWaiting }
    nonmutating set { address.pointee.firstWaiting = newValue }
  }

  // MARK: The payload: one accessor for each phase that has one

  private var payload: UnsafeMutableRawPointer { UnsafeMutableRawPointer(address) + Self.payloadOffset }

  @inline(__always)
  private func bound<T>(_ type: T.Type, in wanted: Phase) -> UnsafeMutablePointer<T> {
    assert(phase == wanted, "the phase has another payload")
    return payload.assumingMemoryBound(to: type)
  }

  // Not generic, because a generic parameter would become the dynamic type of an existential.
  @inline(__always) func set(value: consuming Any) { payload.initializeMemory(as: Any.self, to: value) }
  @inline(__always)
  func set(reason: consuming any Error) { payload.initializeMemory(as: (any Error).self, to: reason) }
  @inline(__always)
  func set(handler: consuming Handler) { payload.initializeMemory(as: Handler.self, to: handler) }
  @inline(__always)
  func set(adoption: consuming Adoption) { payload.initializeMemory(as: Adoption.self, to: adoption) }
  @inline(__always) func set(thread: UInt) { payload.initializeMemory(as: UInt.self, to: thread) }

  func set(end: consuming End) { payload.initializeMemory(as: End.self, to: end) }

  @inline(__always) var value: Any { bound(Any.self, in: .fulfilled).pointee }
  @inline(__always) var reason: any Error { bound((any Error).self, in: .rejected).pointee }
  @inline(__always) var adoption: Adoption { bound(Adoption.self, in: .following).pointee }
  @inline(__always) var runningThread: UInt { bound(UInt.self, in: .running).pointee }
  @inline(__always) var handlersContext: ContextRef? { bound(Handler.self, in: .handler).pointee.context }

  /// Only if there is a resolver.
  var end: End { bound(End.self, in: .gone).pointee }

  // The caller changes the phase.
  @inline(__always) func takeValue() -> Any { bound(Any.self, in: .fulfilled).move() }
  @inline(__always) func takeReason() -> any Error { bound((any Error).self, in: .rejected).move() }
  @inline(__always) func takeHandler() -> Handler { bound(Handler.self, in: .handler).move() }
  @inline(__always) func takeAdoption() -> Adoption { bound(Adoption.self, in: .following).move() }
  func takeEnd() -> End { bound(End.self, in: .gone).move() }
}
