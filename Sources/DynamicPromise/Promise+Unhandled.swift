// Rejections that nobody saw. A promise reports its own when it goes away (`retire`): from then on nobody can observe
// it, so there is nothing to guess.

extension Promise {
  /// A rejection that nobody observed before its promise went away (L5).
  public struct UnhandledRejection: Sendable, CustomStringConvertible {
    /// What the promise was rejected with.
    public let reason: any Error
    /// Whether the promise was cancelled, or the reason says that it is a cancellation.
    public let isCancellation: Bool
    /// Where the promise was made, if it was made together with a resolver.
    public let origin: Origin?

    /// One line for a log.
    public var description: String {
      var place = origin.map { " (promise made at \($0))" } ?? ""
      if case PromiseError.brokenAt(_?) = reason { place = "" }  // Says so itself.
      return "unhandled rejection: \(reason)\(place)"
    }
  }

  /// Called once for each rejection that is lost: a rejected promise goes away, and nobody has handled, forwarded, adopted,
  /// awaited or read its outcome, or had registered to do so. `nil` keeps silent.
  ///
  /// Unless it is replaced, each is a line on standard error where this library was built for debugging, and nothing
  /// otherwise. Process-wide; may be replaced at any time, from any thread.
  ///
  /// The hook runs on the stack that lets go of the promise, with nothing locked, and may use promises; it is called for
  /// rejections that it loses itself, too. Cancellations are left out unless ``reportsUnhandledCancellations`` is set.
  public static var onUnhandledRejection: (@Sendable (UnhandledRejection) -> Void)? {
    get { LostRejections.desk.read { $0.hook } }
    set { LostRejections.desk.replace(newValue) }
  }

  /// Whether cancelled promises are reported as well, and those rejected with an error that says that it is a
  /// cancellation. `false` unless set: whoever cancels knows about it.
  public static var reportsUnhandledCancellations: Bool {
    get { LostRejections.desk.read { $0.includesCancellations } }
    set { LostRejections.desk.setIncludesCancellations(newValue) }
  }

  /// Says that a rejection of this promise may be lost on purpose: it counts as observed, now or later. Says nothing
  /// about children, whose rejections are their own.
  @discardableResult
  public func ignoreErrors() -> Promise {
    markObserved()
    return self
  }

  /// This rejected promise goes away unobserved. Runs in `deinit`.
  func reportLoss(_ bits: UInt) {
    guard let reason else { return }
    let isCancellation = bits & State.told != 0 || PromiseError.isCancellation(reason)
    LostRejections.desk.report(
      UnhandledRejection(reason: reason, isCancellation: isCancellation, origin: fate?.origin))
  }
}

extension Future {
  /// See ``Promise/origin-swift.property``.
  public var origin: Promise.Origin? { promise.origin }
}

private enum LostRejections {
  static let desk = Desk()

  /// The hook, and how it is exchanged: copied out under the lock, called and released outside.
  final class Desk: @unchecked Sendable {
    private let word = LockedWord(0)
    private(set) var hook: (@Sendable (Promise.UnhandledRejection) -> Void)? = standard
    private(set) var includesCancellations = false

    func read<Value>(_ field: (Desk) -> Value) -> Value {
      let bits = word.lock()
      let value = field(self)
      word.unlock(bits)
      return value
    }

    func replace(_ hook: (@Sendable (Promise.UnhandledRejection) -> Void)?) {
      var former = hook
      let bits = word.lock()
      swap(&former, &self.hook)
      word.unlock(bits)
      withExtendedLifetime(former) {}
    }

    func setIncludesCancellations(_ includes: Bool) {
      let bits = word.lock()
      includesCancellations = includes
      word.unlock(bits)
    }

    func report(_ rejection: Promise.UnhandledRejection) {
      let bits = word.lock()
      let hook = rejection.isCancellation && !includesCancellations ? nil : hook
      word.unlock(bits)
      hook?(rejection)
    }
  }

  #if DEBUG
    private static let standard: (@Sendable (Promise.UnhandledRejection) -> Void)? = { rejection in
      var line = "\(rejection)\n"
      line.withUTF8 { _ = systemWrite(2, $0.baseAddress, $0.count) }
    }
  #else
    private static let standard: (@Sendable (Promise.UnhandledRejection) -> Void)? = nil
  #endif
}

#if DEBUG
  /// `write(2)`. The core imports no C library, whose name differs between systems; this function's does not.
  @_silgen_name("write")
  private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int
#endif
