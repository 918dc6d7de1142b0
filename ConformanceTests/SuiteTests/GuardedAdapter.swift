import PromisesAPlusSuite

/// The healthy stand-in with some capabilities denied: it could do everything, and notes what the suite asks
/// of it although it was told not to.
struct GuardedAdapter: PromiseAdapter {
  let capabilities: Capabilities
  let breaches: Breaches
  private let healthy: StandInAdapter

  init(without missing: Capabilities) {
    capabilities = Capabilities.all.subtracting(missing)
    breaches = Breaches()
    healthy = StandInAdapter()
  }

  private init(_ base: GuardedAdapter, on context: SteppedContext) {
    (capabilities, breaches) = (base.capabilities, base.breaches)
    healthy = base.healthy.on(context) ?? base.healthy
  }

  func on(_ context: SteppedContext) -> GuardedAdapter? { GuardedAdapter(self, on: context) }

  func pending() -> Deferred<StandIn> {
    let made = healthy.pending()
    return Deferred(
      promise: made.promise,
      resolve: { x in
        check(.resolve, "resolves with \(x)")
        made.resolve(x)
      },
      fulfill: { value in
        checkValue(value)
        made.fulfill(value)
      },
      reject: { reason in
        checkReason(reason)
        made.reject(reason)
      })
  }

  func then(_ promise: StandIn, _ onFulfilled: Handler?, _ onRejected: Handler?) -> StandIn {
    if onFulfilled == nil || onRejected == nil { check(.absentHandlers, "leaves a handler out") }
    return healthy.then(promise, onFulfilled.map(watched), onRejected.map(watched))
  }

  func thenable(_ source: ThenableSource) -> Any {
    check(.thenables, "makes a thenable")
    return healthy.thenable(source)
  }

  func isCycleError(_ reason: Any) -> Bool {
    healthy.isCycleError(reason)
  }

  var quiesce: (@Sendable () -> Void)? { healthy.quiesce }

  private func watched(_ handler: @escaping Handler) -> Handler {
    { argument in
      do {
        let x = try handler(argument)
        if x is StandIn { check(.adoption, "returns a promise") } else { checkValue(x) }
        return x
      } catch {
        check(.throwingHandlers, "throws \(error)")
        checkReason((error as? ThrownReason)?.reason ?? error)
        throw error
      }
    }
  }

  private func check(_ needed: Capabilities, _ what: String) {
    if !capabilities.isSuperset(of: needed) { breaches.note(what) }
  }

  private func checkValue(_ x: Any) {
    // A thenable is resolved, not carried; whether it may be used at all was checked when it was made.
    if !(type(of: x) is AnyClass), !(x is StandInThenable) { check(.untypedValues, "uses \(x) as a value") }
  }

  private func checkReason(_ x: Any) {
    if !(x is any Error) { check(.untypedReasons, "uses \(x) as a reason") }
  }
}
