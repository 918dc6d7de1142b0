import Dispatch

// The key is Sendable on Apple's platforms, and on Linux since Swift 6.1.
#if compiler(<6.1) && !canImport(Darwin)
  extension DispatchSpecificKey: @retroactive @unchecked Sendable where T: Sendable {}
#endif
