// Rejections that nobody saw. A promise reports its own when it goes away (`retire`): from then on nobody can
// observe it, so there is nothing to guess.

extension Promise {
  /// A rejection that nobody observed before its promise went away.
  public struct UnhandledRejection: Sendable, CustomStringConvertible {
    /// What the promise was rejected with.
    public let reason: any Error
    /// Whether the promise was cancelled, or the reason says that it is a cancellation.
    public let isCancellation: Bool
    /// Where the promise was made, if it was made together with a resolver.
    public let origin: Origin?
    /// What the promise was named (`named` of `DynamicPromiseDiagnostics`).
    public let name: String?
    /// Where neither is known: the nearest promise above of which one is. In release builds of the library
    /// only ancestors that still exist are seen.
    public let nearest: Landmark?

    /// One line for a log, with the place that is known.
    public var description: String {
      var place = origin.map { " (promise made at \($0))" } ?? ""
      if let name { place = " (\"\(name)\"" + (origin.map { ", made at \($0))" } ?? ")") }
      if let nearest { place = " (\(nearest))" }
      if case PromiseError.brokenAt(_?) = reason { place = "" }  // Says so itself.
      return "unhandled rejection: \(reason)\(place)"
    }
  }

  /// Called once for each rejection that is lost: a rejected promise goes away, and nobody has handled,
  /// forwarded, adopted, awaited or read its outcome, or had registered to do so. `nil` keeps silent.
  ///
  /// Unless it is replaced, each is a line on standard error where this library was built for debugging, and
  /// nothing otherwise. Process-wide; may be replaced at any time, from any thread.
  ///
  /// The hook runs on the stack that lets go of the promise, with nothing locked, and may use promises; it is
  /// called for rejections that it loses itself, too. Cancellations are left out unless
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

  /// Whether cancelled promises are reported as well, and those rejected with an error that says that it is a
  /// cancellation. `false` unless set: whoever cancels knows about it.
  public static var reportsUnhandledCancellations: Bool {
    get { LostRejections.settings.with { $0.includesCancellations } }
    set { LostRejections.settings.with { $0.includesCancellations = newValue } }
  }
}

extension Future {
  /// Says that a rejection of this promise may be lost on purpose: it counts as observed, now or later. Says
  /// nothing about children, whose rejections are their own.
  @discardableResult
  public final func ignoreErrors() -> Self {
    promise.markObserved()
    return self
  }
}

extension Promise {
  /// This rejected promise goes away unobserved. Runs in `deinit`.
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
    hook(rejection())
  }

  #if DEBUG
    private static let standard: (@Sendable (Promise.UnhandledRejection) -> Void)? = { rejection in
      CurrentThread.writeToStandardError("\(rejection)\n")
    }
  #else
    private static let standard: (@Sendable (Promise.UnhandledRejection) -> Void)? = nil
  #endif
}
