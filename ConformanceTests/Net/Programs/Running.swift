// Runs a program from its first operation to the release of everything.

import DynamicPromise

extension Program {
  /// Runs the program, and returns the violated rule.
  ///
  /// - Parameter exceptions: Clauses that are not checked.
  public func violation(except exceptions: Set<String> = []) -> Violation? {
    run(except: exceptions).violation
  }

  /// The same program, followed by the operations that the end of its run performed until the failure.
  /// Returns the program unchanged if the longer program does not fail in the same way.
  public func withItsEnd(except exceptions: Set<String> = []) -> Program {
    let (violation, ending) = run(except: exceptions)
    let longer = Program(seed: seed, operations: operations + ending, hasEnd: false)
    return longer.violation(except: exceptions)?.clause == violation?.clause ? longer : self
  }

  private func run(except exceptions: Set<String>) -> (violation: Violation?, ending: [Operation]) {
    let world = World(except: exceptions)
    let former = Promise.onUnhandledRejection
    Promise.onUnhandledRejection = { [weak world] in world?.noteLoss($0) }
    defer { Promise.onUnhandledRejection = former }
    for operation in operations {
      world.performFromOutside { world.perform(operation) }
      if world.violation != nil { break }
    }
    if world.violation == nil, hasEnd { world.end(settlingRoots: seed % 2 == 0) }
    world.release(counts: hasEnd)
    // Frees records that refer to each other.
    for record in world.all { record.forgetOthers() }
    return (world.violation, world.ending)
  }
}

extension World {
  /// The limit of cancels at the end. The operations of deinits and hooks may make more promises for some
  /// rounds.
  private static let rounds = 100

  func performFromOutside(_ body: () -> Void) {
    let age = all.count
    body()
    if violation == nil { check(since: age) }
  }

  private func drain() {
    var hasRun = true
    while hasRun, violation == nil {
      hasRun = false
      for place in [Place.a, .b] {
        while contexts[place]!.pendingJobs > 0, violation == nil {
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
    drain()
    if settlingRoots {
      for record in all where record.parent == nil {
        let settling = Operation.settle(record.number, .nothing)
        ending.append(settling)
        performFromOutside {
          let held = promises[record.number]
          promises[record.number] = record.promise
          perform(settling)
          promises[record.number] = held
        }
        drain()
      }
    }
    for _ in 0..<Self.rounds {
      guard let record = all.first(where: \.isPending), violation == nil else { break }
      mayWithdraw = true
      record.wasCancelled = true
      ending.append(.cancel(record.number, reason: 0))
      performFromOutside { _ = record.promise?.cancel(EndOfProgram()) }
      drain()
    }
    if violation == nil { check(since: all.count, isLast: true) }
    if violation == nil, let record = all.first(where: \.isPending) {
      fail("C1.1", "\(record.number) stays pending at the end")
    }
  }

  /// K17: everything is finished when everything has settled and no resolver is left.
  private func checkFinished() {
    guard all.allSatisfy({ !$0.isPending }) else { return }
    for record in all where record.promise?.finished(on: .immediate).isFulfilled == false {
      fail("K17.14", "\(record.number) never finishes")
    }
  }

  private func dropResolvers() {
    let dropped = resolvers
    resolvers = [:]
    withExtendedLifetime(dropped) {}
  }

  private func runAllJobs() {
    for (place, context) in contexts { while context.pendingJobs > 0 { step(place) } }
  }

  /// Releases everything, and checks that nothing is left (L3.9).
  func release(counts: Bool) {
    isOver = true
    dropResolvers()
    runAllJobs()
    if violation == nil { checkFinished() }
    var promises = promises
    self.promises = [:]
    bags = [:]
    sequences = [:]
    promises = [:]
    withExtendedLifetime(promises) {}
    runAllJobs()
    guard violation == nil, counts else { return }
    if let record = all.first(where: { $0.promise != nil }) {
      fail("L3.9", "promise \(record.number) is left at the end")
    } else if tokens > 0 {
      fail("L3.9", "\(tokens) values or captures are left at the end")
    }
    if violation == nil { checkLosses() }
  }
}

/// The reason of the cancels at the end.
private struct EndOfProgram: Error {}
