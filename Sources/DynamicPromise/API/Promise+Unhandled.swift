// Rejections that nobody observed. A promise reports its own when it is freed (`retire`): from then on
// nobody can observe it.

extension Promise {
  /// A rejection that nobody observed before its promise was freed.
  public struct UnhandledRejection: Sendable, CustomStringConvertible {
    /// What the promise was rejected with.
    public let reason: any Error
    /// Whether the promise was cancelled, or the reason means a cancellation.
    public let isCancellation: Bool
    /// Where the promise was made, if it was made together with a resolver.
    public let origin: Origin?
    /// The promise's name, if it has one (`named` of `DynamicPromiseDiagnostics`).
    public let name: String?
    /// If the promise has neither a name nor an origin: the nearest ancestor that has one. A release build
    /// of the library finds only ancestors that still exist.
    public let nearest: Landmark?

    /// One line for a log, with the place if one is known.
    public var description: String {
      var place = origin.map { " (promise made at \($0))" } ?? ""
      if let name { place = " (\"\(name)\"" + (origin.map { ", made at \($0))" } ?? ")") }
      if let nearest { place = " (\(nearest))" }
      if case PromiseError.brokenAt(_?) = reason { place = "" }  // Says so itself.
      return "unhandled rejection: \(reason)\(place)"
    }
  }

  /// Called once for each rejection that is lost: a rejected promise is freed, and nobody has handled,
  /// forwarded, adopted, awaited or read its outcome, or had registered to do so. `nil` reports nothing.
  ///
  /// Unless set, a debug build of the library writes a line to standard error for each, and a release
  /// build reports nothing. One for the whole process; may be set at any time, from any thread.
  ///
  /// The hook runs on the stack that releases the promise, with nothing locked, and may use promises. For
  /// rejections that it loses itself it is called when it has returned. Cancellations are left out unless
  /// ``reportsUnhandledCancellations`` is set.
  public static var onUnhandledRejection: (@Sendable (UnhandledRejection) -> Void)? {
    get { LostRejections.settings.with { $0.hook } }
    set {
      let former = LostRejections.settings.with { settings in
        defer { settings.hook = newValue }
        return settings.hook
      }
      withExtendedLifetime(former) {}
    }
  }

  /// Whether cancelled promises, and those rejected with an error that means a cancellation, are reported
  /// as well. `false` unless set: whoever cancels knows about it.
  public static var reportsUnhandledCancellations: Bool {
    get { LostRejections.settings.with { $0.includesCancellations } }
    set { LostRejections.settings.with { $0.includesCancellations = newValue } }
  }
}

extension Future {
  /// Says that a rejection of this promise may be lost on purpose: it counts as observed, now or later.
  /// Children have rejections of their own, to which this does not apply.
  @discardableResult
  public final func ignoreErrors() -> Self {
    promise.markObserved()
    return self
  }
}

extension Promise {
  /// Reports the rejection of this promise, which is freed unobserved. Called in `deinit`.
  func reportLoss(_ reason: any Error, below ancestor: Promise?) {
    let isCancellation = flags.contains(.cancelled) || PromiseError.isCancellation(reason)
    LostRejections.report(isCancellation: isCancellation) {
      let origin = side?.origin
      let name = label
      return UnhandledRejection(
        reason: reason, isCancellation: isCancellation, origin: origin, name: name,
        nearest: origin == nil && name == nil ? landmark(from: ancestor) : nil)
    }
  }
}

private enum LostRejections {
  struct Settings {
    var hook: (@Sendable (Promise.UnhandledRejection) -> Void)? = standard
    var includesCancellations = false
  }

  static let settings = Guarded(Settings())

  static func report(isCancellation: Bool, _ rejection: () -> Promise.UnhandledRejection) {
    let settings = settings.with { $0 }
    guard let hook = settings.hook, !isCancellation || settings.includesCancellations else { return }
    let thread = CurrentThread.current
    // The hook loses one: it would call itself, and for each of those again.
    if thread.lostInHook != nil {
      thread.lostInHook!.append(rejection())
      return
    }
    thread.lostInHook = FIFO()
    hook(rejection())
    while let next = thread.lostInHook?.popFirst() { Self.settings.with { $0.hook }?(next) }
    thread.lostInHook = nil
  }

  #if DEBUG
    private static let standard: (@Sendable (Promise.UnhandledRejection) -> Void)? = { rejection in
      CurrentThread.writeToStandardError("\(rejection)\n")
    }
  #else
    private static let standard: (@Sendable (Promise.UnhandledRejection) -> Void)? = nil
  #endif
}
