import Dispatch

// Apple's key is Sendable, and so is Linux's in later versions than Swift 6.0.
#if compiler(<6.1) && !canImport(Darwin)
  extension DispatchSpecificKey: @retroactive @unchecked Sendable where T: Sendable {}
#endif
