import DynamicPromise

/// Lists the pending promises that were made since the census started. Use it in tests, or to find out what a
/// program waits for.
///
///     let census = Census()
///     runTheProgram()
///     XCTAssertEqual(census.unsettled.map(\.description), [])
///
/// A census's memory grows with the existing promises. While any census or recorder is running, the creation,
/// settlement and release of each promise in the process cost a dictionary lookup.
public final class Census: Sendable {
  private let register: Register

  /// Starts to count all promises that are made from now on.
  public init() {
    register = Register(keepsEverything: false, roots: nil)
    Diagnosis.add(register)
  }

  /// Starts to count these promises, each once, and the promises that are made below them from now on.
  public init(of roots: Promise...) {
    register = Register(keepsEverything: false, roots: roots)
    Diagnosis.add(register)
    register.update(roots)
  }

  deinit { end() }

  /// Ends the census. Promises that are made or settled from now on do not change it. A second call has no
  /// effect.
  public func end() { Diagnosis.remove(register) }

  /// The number of recorded promises that still exist.
  package var known: Int { register.records.count }

  /// The existing pending promises, in the order of their creation.
  public var unsettled: [PromiseRecord] { register.records.filter { $0.state == .pending } }

  /// The wait paths of the pending promises, one line each, in the order of creation. A path starts at each
  /// pending promise that no other recorded promise waits for.
  ///
  ///     page waits for #3 → #2 → #1, made at MyApp/Session.swift:2, which has not been settled
  ///
  /// The last promise of a path has to settle first. A combinator's path continues with its first pending
  /// input, and states the number of the other pending inputs.
  public var waitPaths: [String] {
    var paths = WaitPaths(register.records)
    return paths.texts()
  }
}
