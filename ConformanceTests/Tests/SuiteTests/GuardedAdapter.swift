import PromisesAPlusSuite

/// The healthy stand-in with some capabilities denied. The adapter supports everything, and records each
/// denied capability that the suite uses.
struct GuardedAdapter: PromiseAdapter {
  let capabilities: Capabilities
  private let breaches = Locked<[String]>([])
  private var healthy = StandInAdapter()

  init(without missing: Capabilities) { capabilities = .all.subtracting(missing) }

  func on(_ context: SteppedContext) -> GuardedAdapter? {
    var copy = self
    copy.healthy = healthy.on(context) ?? healthy
    return copy
  }

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

  func isCycleError(_ reason: Any) -> Bool { healthy.isCycleError(reason) }

  var quiesce: (@Sendable () -> Void)? { healthy.quiesce }

  /// Returns the uses of denied capabilities since the last call.
  func takeBreaches() -> [String] {
    breaches.withLock { notes in
      defer { notes = [] }
      return notes
    }
  }

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
    if !capabilities.isSuperset(of: needed) { breaches.withLock { $0.append(what) } }
  }

  private func checkValue(_ x: Any) {
    // Thenables are not checked here, because they are resolved. They were checked when they were made.
    if !(type(of: x) is AnyClass), !(x is StandInThenable) { check(.untypedValues, "uses \(x) as a value") }
  }

  private func checkReason(_ x: Any) {
    if !(x is any Error) { check(.untypedReasons, "uses \(x) as a reason") }
  }
}

/// Each capability, with its name in Swift and its words in reports.
let eachCapability: [(capability: Capabilities, name: String, words: String)] = [
  (.thenables, "thenables", "foreign thenables"),
  (.untypedReasons, "untypedReasons", "reasons that are not errors"),
  (.untypedValues, "untypedValues", "values of any type"),
  (.absentHandlers, "absentHandlers", "absent handlers"),
  (.adoption, "adoption", "handlers that return promises"),
  (.throwingHandlers, "throwingHandlers", "handlers that throw"),
  (.resolve, "resolve", "resolving with something that is not a value"),
]
