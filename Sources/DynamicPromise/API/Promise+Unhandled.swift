// A promise reports its unobserved rejection when it is freed (`retire`): no code can observe it later.

extension Promise {
  /// A rejection that was not observed before its promise was freed.
  public struct UnhandledRejection: Sendable, CustomStringConvertible {
    /// The reason of the rejection.
    public let reason: any Error
    /// The place where the promise was made, if it was made together with a resolver.
    public let origin: Origin?
    /// The promise's name, if it has one (`named` of `DynamicPromiseDiagnostics`).
    public let name: String?
    /// The nearest ancestor with a name or an origin, if the promise has neither.
    package let nearest: Landmark?

    /// One line for a log, with the place if the place is known.
    public var description: String {
      var place = origin.map { " (promise made at \($0))" } ?? ""
      if let name {
        place = " (\"\(oneLine(name, limit: 200))\"" + (origin.map { ", made at \($0))" } ?? ")")
      }
      if let nearest { place = " (\(nearest))" }
      if case PromiseError.brokenAt(_?) = reason { place = "" }  // Its text has the place.
      return "unhandled rejection: \(oneLine("\(reason)"))\(place)"
    }
  }

  /// Called once for each lost rejection: its promise was freed, and the rejection was not handled, passed
  /// on, awaited or read. A wait that has timed out, an `await` that was cancelled and a cancelled child have
  /// not observed a later rejection. Cancellations are not reported, `nil` turns it off.
  ///
  /// By default a debug build of the library writes a line to standard error, and a release build reports
  /// nothing. The process has one hook, which may be set at any time, from any thread. It runs on the stack
  /// that releases the promise, without a lock, and may use promises. It is called again for rejections that
  /// it loses itself.
  public static var onUnhandledRejection: (@Sendable (UnhandledRejection) -> Void)? {
    get { LostRejections.settings.with { $0 }.hook }
    set {
      let former = LostRejections.settings.with { settings in
        defer { settings.hook = newValue }
        return settings
      }
      withExtendedLifetime(former) {}
    }
  }
}

extension Promise {
  /// Marks a present or later rejection of this promise, not of its children, as observed.
  @discardableResult
  public func ignoreErrors() -> Self {
    markObserved()
    return self
  }
}

extension Core {
  /// Reports the unobserved rejection of this promise, which is being freed, when the lock is free.
  func reportLoss(_ turn: Turn) {
    if flags.contains(.cancelled) || LostRejections.settings.with({ $0.hook == nil }) { return }
    let (reason, origin, name) = (reason, origin, side?.label?.text)
    let nearest = origin == nil && name == nil ? landmarkAbove : nil
    turn.call {
      if PromiseError.isCancellation(reason) { return }
      LostRejections.report(
        Promise.UnhandledRejection(reason: reason, origin: origin, name: name, nearest: nearest))
    }
  }
}

private enum LostRejections {
  /// `Guarded` returns the settings, not the hook alone, because a generic function returns a closure in a
  /// new wrapper. Each save and restore would wrap the hook once more, until a call overflowed the stack.
  struct Settings {
    var hook: (@Sendable (Promise.UnhandledRejection) -> Void)? = standard
  }

  static let settings = Guarded(Settings())

  static func report(_ rejection: Promise.UnhandledRejection) {
    guard let hook = settings.with({ $0 }).hook else { return }
    let thread = CurrentThread.current
    // A rejection that the hook itself loses is reported when the hook has returned.
    if thread.lostInHook != nil {
      thread.lostInHook!.append(rejection)
      return
    }
    thread.lostInHook = FIFO()
    hook(rejection)
    while let next = thread.lostInHook?.popFirst() { Self.settings.with { $0 }.hook?(next) }
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
