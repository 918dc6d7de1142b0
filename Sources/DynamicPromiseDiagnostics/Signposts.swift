#if canImport(os)
  import DynamicPromise
  import os

  /// Marks every handler as an interval in Instruments, where the system has signposts: add the *os_signpost*
  /// instrument, and look for the subsystem `DynamicPromise`.
  ///
  ///     let signposts = Signposts()
  ///     runTheProgram()
  ///     signposts.end()
  public final class Signposts: Sendable {
    private let listener = Listener()

    /// Starts to mark all handlers that are called from now on.
    public init() { Hub.shared.add(listener) }

    deinit { end() }

    /// Stops marking handlers. A second call has no effect.
    public func end() { Hub.shared.remove(listener) }
  }

  private final class Listener: PromiseListener {
    private let signposter = OSSignposter(subsystem: "DynamicPromise", category: "handlers")
    private let running = OSAllocatedUnfairLock<[ObjectIdentifier: OSSignpostIntervalState]>(initialState: [:]
    )

    func began(_ promise: ObjectIdentifier, thread: UInt) {
      let state = signposter.beginInterval("handler", id: signposter.makeSignpostID())
      running.withLockUnchecked { $0[promise] = state }
    }

    func ended(_ promise: ObjectIdentifier, thread: UInt) {
      if let state = running.withLockUnchecked({ $0.removeValue(forKey: promise) }) {
        signposter.endInterval("handler", state)
      }
    }

    func settled(_ promise: ObjectIdentifier, _ how: PromiseEnd, thread: UInt) {
      if case .cancelled = how { signposter.emitEvent("cancelled") }
    }

    func made(_ promise: ObjectIdentifier, parent: ObjectIdentifier?, context: String) {}
    func placed(_ promise: ObjectIdentifier, _ origin: Promise.Origin) {}
    func follows(_ promise: ObjectIdentifier, _ other: ObjectIdentifier) {}
    func gone(_ promise: ObjectIdentifier, isUnhandled: Bool) {}
    func combines(_ promise: ObjectIdentifier, _ inputs: [ObjectIdentifier], _ kind: String) {}
  }
#endif
