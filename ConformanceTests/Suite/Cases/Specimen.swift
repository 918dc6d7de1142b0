import Foundation

/// A value or reason of a case, its name, and the capabilities that it needs.
struct Specimen: Sendable {
  let name: String
  let needs: Capabilities
  let make: @Sendable (Probe) -> Any

  /// An error without contents. It replaces JavaScript's error without a stack trace.
  private enum Bare: Error { case instance }

  /// The reasons of rejections throughout the suite.
  static let reasons: [Specimen] = [
    Specimen(name: "()", needs: .untypedReasons) { _ in () },
    Specimen(name: "nil", needs: .untypedReasons) { _ in Any?.none as Any },
    Specimen(name: "false", needs: .untypedReasons) { _ in false },
    Specimen(name: "0", needs: .untypedReasons) { _ in 0 },
    Specimen(name: "an error", needs: []) { _ in SentinelError("reason") },
    Specimen(name: "an error without anything in it", needs: []) { _ in Bare.instance },
    Specimen(name: "a date", needs: .untypedReasons) { _ in Date() },
    Specimen(name: "an object", needs: .untypedReasons) { _ in Sentinel("reason") },
    Specimen(name: "a thenable that stays pending", needs: [.untypedReasons, .thenables]) { p in
      p.thenable { _, _ in }
    },
    Specimen(name: "a fulfilled promise", needs: .untypedReasons) { p in p.fulfilled(Sentinel("dummy")) },
    Specimen(name: "a rejected promise", needs: .untypedReasons) { p in p.rejected(SentinelError("dummy")) },
  ]
}
