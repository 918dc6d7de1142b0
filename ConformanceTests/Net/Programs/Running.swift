// Runs a program from its first operation to the release of everything.

import DynamicPromise
import DynamicPromiseTesting

extension Program {
  /// Runs the program, and returns the violated rule.
  ///
  /// - Parameters:
  ///   - rounds: How often a program on threads runs, because its timing varies.
  ///   - patience: How many seconds the other threads may do nothing. It is generous, because the machine may
  ///     be busy.
  public func violation(rounds: Int = 1, patience: Double = 20) -> Violation? {
    for _ in 0..<(threads == 1 ? 1 : rounds) {
      weak var context: TestContext?
      if let violation = run(patience, { context = $0.contexts[.a] }).violation { return violation }
      if threads == 1, hasEnd, context != nil { return Violation(clause: "L3.9", text: "a context is left") }
    }
    return nil
  }

  /// The same program, followed by the operations that the end of its run performed until the failure.
  /// Returns the program unchanged if the longer program does not fail in the same way.
  public func withItsEnd() -> Program {
    guard threads == 1 else { return self }
    let (violation, ending) = run(0)
    let longer = Program(seed: seed, operations: operations + ending, hasEnd: false)
    return longer.violation()?.clause == violation?.clause ? longer : self
  }

  private func run(
    _ patience: Double, _ look: (World) -> Void = { _ in }
  ) -> (violation: Violation?, ending: [Operation]) {
    let world = World(patience: threads > 1 ? patience : nil)
    let former = Promise.onUnhandledRejection
    Promise.onUnhandledRejection = { [weak world] in world?.noteLoss($0) }
    defer { Promise.onUnhandledRejection = former }
    let (first, lanes) = parts
    for operation in first {
      world.performFromOutside { world.perform(operation) }
      if !world.isUnbroken { break }
    }
    world.perform(lanes)
    if world.isUnbroken, hasEnd { world.end(settlingRoots: seed % 2 == 0) }
    world.release(counts: hasEnd)
    if !world.hasRing { look(world) }
    // Frees records that refer to each other.
    return world.inside {
      for record in world.all { record.forgetOthers() }
      return (world.violation, world.ending)
    }
  }
}

extension World {
  /// The limit of cancels at the end. The operations of deinits and hooks may make more promises for some
  /// rounds.
  private static let rounds = 100

  func performFromOutside(_ body: () -> Void) {
    inside {
      let age = all.count
      body()
      if violation == nil, !isThreaded { check(since: age) }
    }
  }

  var isUnbroken: Bool { inside { violation == nil } }

  private func drain() {
    var hasRun = true
    while hasRun, isUnbroken {
      hasRun = false
      for place in [Place.a, .b] {
        while contexts[place]!.pendingJobs > 0, isUnbroken {
          hasRun = true
          ending.append(.step(place))
          performFromOutside { step(place) }
        }
        if contexts[place]!.advanceToNextTimer() {
          ending.append(.tick(place))
          hasRun = true
        }
      }
    }
  }

  /// Settles everything: first the roots by hand, if `settlingRoots` is true, then all other pending promises
  /// by a cancel. A cancel also ends rings of promises that wait for their own descendants (L1).
  func end(settlingRoots: Bool) {
    eventually(drain) { checkOnThreads() }
    if settlingRoots {
      for record in inside({ all }) where record.parent == nil {
        let settling = Operation.settle(record.number, .nothing)
        ending.append(settling)
        performFromOutside {
          let (promise, held) = (record.promise, promises[record.number])
          promises[record.number] = promise
          perform(settling)
          promises[record.number] = held
        }
        drain()
      }
      eventually(drain) { checkOnThreads() }
    }
    eventually(cancelAll) {
      if violation == nil { check(since: isThreaded ? 0 : all.count, isLast: true) }
      if violation == nil, let record = all.first(where: \.isPending) {
        fail("C1.1", "\(record.number) stays pending at the end")
      }
    }
  }

  /// Programs on one thread are checked after each operation.
  private func checkOnThreads() {
    if isThreaded { check(since: 0) }
  }

  private func cancelAll() {
    if isThreaded { drain() }
    for _ in 0..<Self.rounds {
      let record = inside { all.first(where: \.isPending) }
      guard let record, isUnbroken else { break }
      performFromOutside {
        mayWithdraw = true
        record.wasCancelled = true
        ending.append(.cancel(record.number, reason: 0))
        let promise = record.promise
        calling { _ = promise?.cancel(EndOfProgram()) }
      }
      drain()
    }
  }

  /// K17: everything is finished when everything has settled and no resolver is left. Promises that wait for
  /// each other in a ring are never finished, and retain each other (K17.11).
  private func checkFinished() {
    guard all.allSatisfy({ !$0.isPending }) else { return }
    let unfinished = all.first { $0.promise?.finished(on: .immediate).isFulfilled == false }
    guard let unfinished else { return }
    hasRing = mayHaveRing
    if !hasRing { fail("K17.14", "\(unfinished.number) never finishes") }
  }

  /// Whether a tree waits for itself: a promise in it uses a promise of the same tree, or of a tree that
  /// waits for this one.
  private var mayHaveRing: Bool {
    // A thenable may resolve with any promise.
    if all.contains(where: \.hasThenable) { return true }
    for case .thenable in all.flatMap(\.answers) { return true }
    func top(_ record: Record) -> Int { record.path.reduce(record) { $1 }.number }
    var used: [Int: Set<Int>] = [:]
    for record in all {
      var others =
        [record.target].compactMap { $0 } + record.lateTargets + record.inputs + record.taskPromises
      for case .promise(let number) in record.answers + [record.handler?.answer].compactMap({ $0 }) {
        others += [records[number]].compactMap { $0 }
      }
      used[top(record), default: []].formUnion(others.map(top))
    }
    return used.keys.contains { start in
      var (reached, open) = (Set<Int>(), Array(used[start] ?? []))
      while let next = open.popLast() { if reached.insert(next).inserted { open += used[next] ?? [] } }
      return reached.contains(start)
    }
  }

  /// Moves a dictionary out of the world, and releases its content.
  private func empty<Value>(_ all: ReferenceWritableKeyPath<World, [Int: Value]>) {
    inside {
      let removed = self[keyPath: all]
      self[keyPath: all] = [:]
      discard(removed)
    }
  }

  private func runAllJobs() {
    for (place, context) in contexts { while context.pendingJobs > 0 { inside { step(place) } } }
  }

  /// Releases everything, and checks that nothing is left (L3.9).
  func release(counts: Bool) {
    inside { isOver = true }
    empty(\.resolvers)
    eventually(runAllJobs) { if violation == nil { checkFinished() } }
    empty(\.bags)
    // Another thread may add a promise or sequence that it has just made.
    let work = {
      self.empty(\.sequences)
      self.empty(\.promises)
      self.empty(\.resolvers)
      self.runAllJobs()
    }
    eventually(work) {
      guard violation == nil, counts, !hasRing else { return }
      if let record = all.first(where: { $0.promise != nil }) {
        // A handler on another thread may have closed a ring after `checkFinished`.
        if isThreaded, mayHaveRing { return hasRing = true }
        fail("L3.9", "promise \(record.number) is left at the end")
      } else if tokens > 0 {
        fail("L3.9", "\(tokens) values or captures are left at the end")
      } else if readers > 0 {
        fail("T1.1", "\(readers) tasks wait at the end")
      }
      if violation == nil { checkLosses() }
    }
  }
}

/// The reason of the cancels at the end.
private struct EndOfProgram: Error {}
