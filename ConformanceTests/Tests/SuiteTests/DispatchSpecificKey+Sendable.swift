import Dispatch

// The key is Sendable on Apple systems, and on Linux in versions of Swift after 6.0.
#if compiler(<6.1) && !canImport(Darwin)
  extension DispatchSpecificKey: @retroactive @unchecked Sendable where T: Sendable {}
#endif
