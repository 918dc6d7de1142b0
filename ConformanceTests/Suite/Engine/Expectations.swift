extension Probe {
  /// Adds handlers to `promise` that record each outcome as a ``Settlement``.
  func observe(_ promise: Subject, as name: String = "a handler") -> Calls {
    let endings = calls(name)
    promise.then(
      {
        endings.record(Settlement.fulfilled($0))
        return ()
      },
      {
        endings.record(Settlement.rejected($0))
        return ()
      })
    return endings
  }

  /// Waits until `promise` is settled, and fails unless it is fulfilled with this very `value`.
  func expectFulfilled(_ promise: Subject, with value: Any) throws {
    try expectFulfilled(observe(promise), with: value)
  }

  /// Waits until `promise` is settled, and fails unless it is rejected with this very `reason`.
  func expectRejected(_ promise: Subject, with reason: Any) throws {
    try expectRejected(observe(promise), with: reason)
  }

  func expectFulfilled(_ endings: Calls, with value: Any) throws {
    switch try endings.first() as! Settlement {
    case .fulfilled(let received): try expectSame(received, value, "the promise's value")
    case .rejected(let reason): throw CaseFailure("rejected with \(describe(reason)), not fulfilled")
    }
  }

  func expectRejected(_ endings: Calls, with reason: Any) throws {
    try expectSame(rejection(endings), reason, "the promise's reason")
  }

  /// Waits for the outcome, and returns the reason. Fails if the promise is fulfilled, and so is not `what`.
  func rejection(_ endings: Calls, _ what: String = "rejected") throws -> Any {
    switch try endings.first() as! Settlement {
    case .fulfilled(let value): throw CaseFailure("fulfilled with \(describe(value)), not \(what)")
    case .rejected(let reason): return reason
    }
  }

  /// Waits until `promise` is rejected with the implementation's cycle error.
  func expectCycle(_ promise: Subject) throws {
    let reason = try rejection(observe(promise))
    if !bridge.isCycleError(reason) { throw CaseFailure("\(describe(reason)) is not the cycle error") }
  }

  /// Fails if `promise` is settled when all due handlers have run.
  func expectPending(_ promise: Subject) throws {
    let endings = observe(promise)
    try quiesce()
    try endings.expectNone("although the promise has to be pending")
  }

  /// Fails unless `received` and `expected` are the same, as `isSame` compares them.
  func expectSame(_ received: Any, _ expected: Any, _ what: String) throws {
    if !isSame(received, expected) {
      throw CaseFailure("\(what) is \(describe(received)), not \(describe(expected))")
    }
  }

  /// Waits for the first call, and fails unless its argument is `expected`.
  func expectCalled(_ calls: Calls, with expected: Any) throws {
    try expectSame(try calls.first(), expected, "\(calls.name)'s argument")
  }
}
