import Foundation

/// A program of promises that is compared with a model of Promises/A+ while it runs.
///
/// The Swift source of a ``ProgramFailure`` uses this class:
///
///     func program(_ adapter: some PromiseAdapter) throws {
///       let check = try CheckedProgram(adapter, end: 5)
///       let p1 = check.promise(1)
///       let p2 = check.promise(2)
///       p1.create(on: .a)
///       p1.then(as: p2, { _ in ProgramValue(3) }, nil)
///       p1.fulfill(ProgramValue(4))
///       check.step(.a)
///       try check.end()
///     }
///
/// A number identifies each promise, value, error and thenable. An operation on a promise that does not exist
/// does nothing. After the first mistake of the implementation, all operations do nothing.
public final class CheckedProgram: Sendable {
  /// A promise of the program, which exists after ``create(on:)`` or ``then(as:_:_:)``.
  public struct Promise: Sendable {
    fileprivate let program: CheckedProgram
    fileprivate let number: Int

    /// Creates this promise, which is pending. Its handlers run on `lane`.
    public func create(on lane: Lane) { program.create(number, on: lane) }

    /// Creates `child` by a call of this promise's `then`. A handler returns a ``ProgramValue``, a promise or
    /// a thenable, or throws a ``ProgramError``. A promise that does not exist counts as a value.
    public func then(as child: Promise, _ onFulfilled: Handler?, _ onRejected: Handler?) {
      program.then(child.number, of: number, onFulfilled, onRejected)
    }

    /// Fulfills this promise.
    public func fulfill(_ value: ProgramValue) {
      program.settle(number, .fulfilled(value.number), clause: "2.1.2.1") { $0.fulfill(value) }
    }

    /// Rejects this promise.
    public func reject(_ error: ProgramError) {
      program.settle(number, .rejected(error.number), clause: "2.1.3.1") { $0.reject(error) }
    }

    /// Resolves this promise with a ``ProgramValue``, a promise or a thenable.
    public func resolve(_ x: Any) { program.resolve(number, x) }
  }

  private struct Thenable {
    let number: Int
    let raw: Any
  }

  private let limit: Int
  private let stage: Stage
  private let lock = NSLock()
  nonisolated(unsafe) private var model: Model
  nonisolated(unsafe) private var promises: [Int: Subject] = [:]
  nonisolated(unsafe) private var pendings: [Int: PendingSubject] = [:]
  nonisolated(unsafe) private var lanes: [Lane]
  nonisolated(unsafe) private var thenables: [Int: Any] = [:]
  /// The functions that thenables receive. They are retained, because some implementations settle a promise
  /// when its functions are released.
  nonisolated(unsafe) private var functions: [@Sendable (Any) -> Void] = []
  nonisolated(unsafe) private var current = Lane.main
  nonisolated(unsafe) private var steps = 0
  nonisolated(unsafe) private(set) var violation: Violation?

  init(_ stage: Stage, end: Int) {
    (self.stage, limit) = (stage, end)
    // The second half of the numbers is for the promises of the `then` calls that observe outcomes.
    model = Model(end: 2 * end)
    lanes = Array(repeating: .a, count: end)
  }

  /// Creates a program without operations, whose numbers are lower than `end`. Throws if the adapter has no
  /// ``PromiseAdapter/on(_:)``.
  public convenience init(_ adapter: some PromiseAdapter, end: Int) throws(Violation) {
    guard let stage = Stage(adapter) else {
      throw Violation("on(_:)", "the adapter runs no handlers on a context of the suite")
    }
    self.init(stage, end: end)
  }

  /// The promise with this number, which need not exist yet.
  public func promise(_ number: Int) -> Promise { Promise(program: self, number: number) }

  /// Runs the oldest job of a lane. Does nothing if there is no job.
  public func step(_ lane: Lane) {
    guard violation == nil else { return }
    current = lane
    if stage.lane(lane).step() { steps += 1 }
    current = .main
    if steps > Execution.mostSteps { note(Violation("on(_:)", "jobs without end are scheduled")) }
  }

  /// Calls a thenable's function in a later step of the lane `outside`.
  public func later(_ call: @escaping @Sendable () -> Void) { stage.lane(.outside).enqueue(call) }

  /// Calls a thenable's function on another thread, and waits for the call.
  public func elsewhere(_ call: @escaping @Sendable () -> Void) {
    if !stage.crew.run(until: Date(timeIntervalSinceNow: 10), call) {
      note(Violation("2.3.3.3", "a thenable's call on another thread does not return"))
    }
  }

  /// Runs the jobs that are left, and adds handlers to all promises, to observe the outcomes. Throws the
  /// first mistake of the implementation.
  public func end() throws(Violation) {
    defer { stage.crew.dismiss() }
    if let violation = finish() { throw violation }
  }

  /// Ends the program without ending the threads of the stage.
  func finish() -> Violation? {
    drain()
    let nothing: Handler = { _ in ProgramValue(0) }
    for number in promises.keys.sorted() {
      then(limit + number, of: number, nothing, nothing)
    }
    drain()
    if violation == nil { violation = model.omission() }
    for lane in stage.lanes { lane.removeAll() }
    // Breaks the cycles: handlers, thenables and functions retain this program.
    let released = locked { _ in
      defer { (promises, pendings, thenables, functions) = ([:], [:], [:], []) }
      return (promises, pendings, thenables, functions)
    }
    withExtendedLifetime(released) {}
    return violation
  }

  private func drain() {
    while violation == nil, let lane = Lane.allCases.first(where: hasJob) { step(lane) }
  }

  func hasJob(_ lane: Lane) -> Bool { stage.lane(lane).hasJob }

  // MARK: Operations

  private func create(_ number: Int, on lane: Lane) {
    guard violation == nil else { return }
    let pending = stage.bridge(lane).pending()
    locked { model in
      model.create(number)
      (promises[number], pendings[number], lanes[number]) = (pending.promise, pending, lane)
    }
  }

  private func then(_ child: Int, of parent: Int, _ onFulfilled: Handler?, _ onRejected: Handler?) {
    guard violation == nil else { return }
    let found = locked { model -> (Subject, Lane)? in
      guard let subject = promises[parent] else { return nil }
      model.then(
        child, of: parent, handlesValue: onFulfilled != nil, handlesReason: onRejected != nil)
      return (subject, lanes[parent])
    }
    guard let (subject, lane) = found else { return }
    let made = stage.bridge(lane).then(
      subject, onFulfilled.map { handler($0, child, isFulfilled: true) },
      onRejected.map { handler($0, child, isFulfilled: false) })
    guard child < limit else { return }
    locked { _ in (promises[child], lanes[child]) = (made, lane) }
  }

  private func settle(
    _ number: Int, _ outcome: Model.Outcome, clause: String, _ call: (PendingSubject) -> Void
  ) {
    guard violation == nil, let pending = locked({ _ in pendings[number] }) else { return }
    locked { $0.settle(number, outcome, clause: clause) }
    call(pending)
  }

  private func resolve(_ number: Int, _ x: Any) {
    guard violation == nil, let pending = locked({ _ in pendings[number] }) else { return }
    let (x, resolution) = resolution(x)
    locked { $0.resolve(number, with: resolution, clause: "2.3.4") }
    pending.resolve(x)
  }

  /// Returns the implementation's view and the model's name of a value that resolves a promise.
  private func resolution(_ x: Any) -> (Any, Model.Resolution) {
    switch x {
    case let promise as Promise:
      guard let subject = locked({ _ in promises[promise.number] }) else {
        return (ProgramValue(promise.number), .value(promise.number))
      }
      return (subject, .promise(promise.number))
    case let thenable as Thenable: return (thenable.raw, .thenable(thenable.number))
    case let value as ProgramValue: return (value, .value(value.number))
    default: preconditionFailure("a checked program resolves only with its own values, not with \(x)")
    }
  }

  // MARK: Thenables

  /// Makes a thenable that the implementation recognizes. The result resolves a promise of this program.
  ///
  /// The getter throws a ``ProgramError``, or returns a function or `nil`. The function may throw a
  /// ``ProgramError``.
  public func thenable(
    _ number: Int, _ shape: ThenableSource.Shape, getter: @escaping @Sendable () throws -> ThenFunction?
  ) -> Any {
    let source = ThenableSource(shape) { [self] in
      try checked { (model) throws(Violation) in try model.reads(number) }
      do {
        let function = try getter()
        locked { function == nil ? $0.isNoFunction(number) : $0.isFunction(number) }
        return function.map { method(number, $0) }
      } catch let error as ProgramError {
        locked { $0.readThrows(number, error.number) }
        throw error
      }
    }
    let raw = stage.bridges[0].makeThenable(source)
    locked { _ in thenables[number] = raw }
    return Thenable(number: number, raw: raw)
  }

  /// Wraps the function `then` of a thenable, to report calls to the model.
  private func method(_ number: Int, _ function: @escaping ThenFunction) -> ThenFunction {
    { [self] resolvePromise, rejectPromise in
      try checked { (model) throws(Violation) in
        try model.calls(number)
        functions += [resolvePromise, rejectPromise]
      }
      do {
        try function(
          { [self] x in
            guard violation == nil else { return }
            let (y, resolution) = resolution(x)
            locked { $0.resolves(number, with: resolution) }
            resolvePromise(y)
          },
          { [self] reason in
            guard violation == nil else { return }
            locked { $0.rejects(number, (reason as! ProgramError).number) }
            rejectPromise(reason)
          })
      } catch let error as ProgramError {
        locked { $0.throwsError(number, error.number) }
        throw error
      }
    }
  }

  // MARK: Calls by the implementation

  private func handler(_ body: @escaping Handler, _ child: Int, isFulfilled: Bool) -> Handler {
    { [self] argument in
      guard begins(child, isFulfilled, argument) else { return ProgramValue(0) }
      do {
        let (x, resolution) = resolution(try body(argument))
        locked { $0.resolve(child, with: resolution, clause: "2.2.7.1") }
        return x
      } catch let error as ProgramError {
        locked { $0.settle(child, .rejected(error.number), clause: "2.2.7.2") }
        throw error
      }
    }
  }

  /// Checks whether the handler may run.
  private func begins(_ child: Int, _ isFulfilled: Bool, _ argument: Any) -> Bool {
    let isOnForeignStack = ThreadLocal.isOnForeignStack
    return check { (model) throws(Violation) in
      let name = isFulfilled ? "onFulfilled" : "onRejected"
      if isOnForeignStack {
        throw Violation("2.2.4", "the \(name) of \(model.then(child)) runs on the stack of a call")
      }
      if current != lanes[model.parent(of: child)] {
        throw Violation("on(_:)", "the \(name) of \(model.then(child)) does not run on its context")
      }
      let due = try model.begins(child, isFulfilled)
      guard !matches(argument, due?.outcome ?? .cycle) else {
        if due == nil { model.breakRing(of: child) }
        return
      }
      throw Violation(
        due?.clause ?? "2.3.1",
        "the \(name) of \(model.then(child)) gets \(describe(argument)), but the promise is "
          + (due?.outcome ?? .cycle).text)
    }
  }

  private func matches(_ argument: Any, _ outcome: Model.Outcome) -> Bool {
    switch outcome {
    case .fulfilled(let number):
      if let value = argument as? ProgramValue { return value.number == number }
      return thenables[number].map { isSame(argument, $0) } ?? false
    case .rejected(let number): return (argument as? ProgramError)?.number == number
    case .cycle: return !(argument is ProgramError) && stage.bridges[0].isCycleError(argument)
    }
  }

  // MARK: The model

  @discardableResult
  private func locked<R>(_ body: (inout Model) -> R) -> R { lock.withLock { body(&model) } }

  private func note(_ violation: Violation) {
    lock.withLock { if self.violation == nil { self.violation = violation } }
  }

  /// Checks an event against the model. Returns whether it is allowed. Only the first violation is kept.
  private func check(_ body: (inout Model) throws(Violation) -> Void) -> Bool {
    lock.withLock {
      guard violation == nil else { return false }
      do throws(Violation) {
        try body(&model)
        return true
      } catch {
        violation = error
        return false
      }
    }
  }

  private func checked(_ body: (inout Model) throws(Violation) -> Void) throws {
    if !check(body) { throw ProgramError(0) }
  }
}
