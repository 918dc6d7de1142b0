import Foundation
import PromisesAPlusSuite

/// ECMAScript's combinators for the stand-in, each with the mistakes that a library could ship.
struct StandInCombinators {
  let world: StandInWorld

  var all: Combinators<StandIn> {
    var mine = Combinators<StandIn>()
    mine.all = { waitForAll($0) }
    mine.allSettled = { settled($0) }
    mine.any = { firstValue($0) }
    mine.race = { race($0) }
    mine.finally = { finally($0, $1) }
    mine.resolve = { resolved($0) }
    mine.reject = { reason in new { world.has(.rejectFollows) ? $0.resolve(reason) : $0.reject(reason) } }
    mine.try = { attempt($0) }
    mine.withResolvers = { resolvers() }
    mine.throwingIterator = { iterated($0, $1, $2) }
    mine.settlements = { $0 as? [Settlement] }
    mine.errors = { ($0 as? Reasons)?.list }
    return mine
  }

  /// The reason with which `any` is rejected.
  private struct Reasons: Error, @unchecked Sendable {
    let list: [Any]
  }

  /// The results so far.
  private final class Slots: @unchecked Sendable {
    var list: [Any?]
    var arrived: [Any] = []
    var rejection: Any?
    private let world: StandInWorld
    /// The number of racing calls.
    private var visitors = 0

    init(_ count: Int, _ world: StandInWorld) {
      list = Array(repeating: nil, count: count)
      self.world = world
    }

    /// Stores an element. Returns whether all elements have arrived. Two racing calls lose an element,
    /// because both copy the list before either of them writes it back.
    func put(_ x: Any, at place: Int, racing: Bool = false) -> Bool {
      world.locked {
        let copy = list
        if racing {
          visitors += 1
          world.changed()
          world.window { visitors > 1 }
          if visitors > 1 { list = copy }
        }
        list[place] = x
        arrived.append(x)
        return arrived.count == list.count
      }
    }

    func elements(inOrderOfArrival: Bool) -> [Any] { inOrderOfArrival ? arrived : list.compactMap { $0 } }
  }

  private func new(_ body: (StandIn) -> Void) -> StandIn {
    let promise = StandIn(world)
    promise.isEager = world.has(.combinatorsRunInside)
    body(promise)
    return promise
  }

  /// Returns the promise for an input. A job calls the `then` of a thenable.
  private func promise(_ x: Any) -> StandIn {
    if let promise = x as? StandIn { return promise }
    return new { promise in
      if x is StandInThenable {
        let x = Passed(x)
        world.locked {
          world.hand { world.has(.answersKept) ? keep(x.value, in: promise) : promise.resolve(x.value) }
        }
      } else {
        promise.resolve(x)
      }
    }
  }

  /// Settles `promise` with the first answer of a thenable, without resolving the answer.
  private func keep(_ thenable: Any, in promise: StandIn) {
    do {
      try (thenable as? StandInThenable)?.then?({ promise.fulfill($0) }, { promise.reject($0) })
    } catch {
      promise.reject(error)
    }
  }

  private struct Passed: @unchecked Sendable {
    let value: Any

    init(_ value: Any) { self.value = value }
  }

  private func observe(
    _ x: Any, _ value: @escaping @Sendable (Any) -> Void,
    _ reason: @escaping @Sendable (Any) -> Void
  ) {
    _ = promise(x).then({ value($0) }, { reason($0) }, inside: races(x))
  }

  /// Whether a mutant that loses a race uses the input on the thread that settles it.
  private func races(_ x: Any) -> Bool {
    guard world.has(.elementLosesRace) || world.has(.raceBothWin), let promise = x as? StandIn else {
      return false
    }
    return world.locked { promise.outcome == nil }
  }

  // MARK: Several inputs

  private func waitForAll(_ inputs: [Any]) -> StandIn {
    new { result in
      let isPromise = { (x: Any) in x is StandIn || x is StandInThenable }
      let inputs = world.has(.allLosesValues) ? inputs.filter(isPromise) : inputs
      let slots = Slots(inputs.count, world)
      if inputs.isEmpty, !world.has(.allNoneStaysPending) { result.fulfill([Any]()) }
      for (place, x) in inputs.enumerated() {
        let races = races(x)
        let put: @Sendable (Any) -> Void = { value in
          if world.has(.allWaitsForNil), result.isNil(value) { return }
          guard slots.put(value, at: place, racing: races) else { return }
          if let rejection = slots.rejection { return result.reject(rejection) }
          result.fulfill(slots.elements(inOrderOfArrival: world.has(.allInOrderOfArrival)))
        }
        let fail: @Sendable (Any) -> Void = { reason in
          guard world.has(.allWaitsAfterRejection) else { return result.reject(reason) }
          slots.rejection = slots.rejection ?? reason
          put(reason)
        }
        if let thenable = x as? StandInThenable, world.has(.allAsksItself) {
          do { try thenable.then?(put, fail) } catch { fail(error) }
        } else if x is StandInThenable, world.has(.allKeepsThenables) {
          put(x)
        } else {
          observe(x, put, fail)
        }
      }
    }
  }

  private func settled(_ inputs: [Any]) -> StandIn {
    new { result in
      let slots = Slots(inputs.count, world)
      if inputs.isEmpty { result.fulfill([Settlement]()) }
      for (place, x) in inputs.enumerated() {
        let put: @Sendable (Settlement) -> Void = { settlement in
          if slots.put(settlement, at: place) { result.fulfill(slots.list.compactMap { $0 as? Settlement }) }
        }
        observe(x) {
          put(.fulfilled($0))
        } _: { reason in
          if world.has(.settledRejects) { result.reject(reason) }
          put(world.has(.settledConfused) ? .fulfilled(reason) : .rejected(reason))
        }
      }
    }
  }

  private func firstValue(_ inputs: [Any]) -> StandIn {
    new { result in
      let slots = Slots(inputs.count, world)
      if inputs.isEmpty, !world.has(.anyNoneStaysPending) { result.reject(Reasons(list: [])) }
      for (place, x) in inputs.enumerated() {
        let races = races(x)
        observe(x) {
          result.fulfill($0)
        } _: { reason in
          if world.has(.anyRejectedByFirst) { return result.reject(reason) }
          guard slots.put(reason, at: place, racing: races) else { return }
          let reasons = slots.elements(inOrderOfArrival: world.has(.anyInOrderOfArrival))
          result.reject(Reasons(list: reasons))
        }
      }
    }
  }

  private func race(_ inputs: [Any]) -> StandIn {
    new { result in
      if inputs.isEmpty, world.has(.raceNoneRejects) { result.reject(Reasons(list: [])) }
      for x in inputs {
        observe(x) {
          result.fulfill($0)
        } _: { reason in
          if !world.has(.raceIgnoresRejections) { result.reject(reason) }
        }
      }
    }
  }

  /// Rejects with the iterator's error. The mutant ignores the error, and uses the inputs before it.
  private func iterated(_ combinator: String, _ inputs: [Any], _ error: any Error) -> StandIn {
    guard world.has(.iteratorErrorEnds) else { return new { $0.reject(error) } }
    return switch combinator {
    case "all": waitForAll(inputs)
    case "allSettled": settled(inputs)
    case "any": firstValue(inputs)
    default: race(inputs)
    }
  }

  // MARK: One input

  private func resolved(_ x: Any) -> StandIn {
    if world.has(.resolveRejectsErrors), x is any Error { return new { $0.reject(x) } }
    return world.has(.resolveWraps) ? new { $0.resolve(x) } : promise(x)
  }

  private func attempt(_ callback: @escaping @Sendable () throws -> Any) -> StandIn {
    new { result in
      let run: @Sendable () -> Void = {
        do { result.resolve(try callback()) } catch {
          if !world.has(.tryErrorLost) { result.reject(error) }
        }
      }
      if world.has(.tryRunsLater) { world.locked { world.hand(run) } } else { run() }
    }
  }

  private func resolvers() -> Deferred<StandIn> {
    let promise = new { _ in }
    return Deferred(
      promise: promise,
      resolve: { x in
        let isKept = world.has(x is StandInThenable ? .resolversKeepThenables : .resolversFulfilVerbatim)
        isKept ? promise.fulfill(x) : promise.resolve(x)
      },
      fulfill: { promise.fulfill($0) }, reject: { promise.reject($0) })
  }

  private func finally(_ input: StandIn, _ callback: @escaping @Sendable () throws -> Any) -> StandIn {
    let isSettled = world.locked { input.outcome != nil }
    return input.then(
      { value in
        let value = Passed(value)
        return try after(callback) { value.value }
      },
      { reason in
        let reason = Passed(reason)
        if world.has(.finallySkipsRejection) { throw ThrownReason(reason.value) }
        if world.has(.finallySwallowsReason) { return try callback() }
        return try after(callback, ignoresRejection: world.has(.finallyRejectionIgnored)) {
          throw error(reason.value)
        }
      }, inside: world.has(isSettled ? .finallyRunsInsideCall : .finallyRunsInsideSettle))
  }

  private func error(_ reason: Any) -> any Error { reason as? any Error ?? ThrownReason(reason) }

  /// Runs the callback and waits for its result. If that result is fulfilled, the outcome is the result of
  /// `passing`.
  private func after(
    _ callback: @Sendable () throws -> Any, ignoresRejection: Bool = false,
    _ passing: @escaping @Sendable () throws -> Any
  ) throws -> Any {
    let returned: Any
    do { returned = try callback() } catch {
      if world.has(.finallyErrorIgnored) { return try passing() }
      throw error
    }
    if world.has(.finallyDoesNotWait) { return try passing() }
    if world.has(.finallyReplacesValue) { return returned }
    let handler: StandIn.Handler = { _ in try passing() }
    return promise(returned).then(handler, ignoresRejection ? handler : nil)
  }
}
