import DynamicPromise

/// Lists the pending promises among those made since its start: for tests, and to find out what a program
/// waits for.
///
///     let census = Census()
///     runTheProgram()
///     XCTAssertEqual(census.unsettled.map(\.description), [])
///
/// Its memory grows with the existing promises. While any census or recorder is running, every promise of
/// the process costs a dictionary lookup when it is made, when it settles and when it is freed.
public final class Census: Sendable {
  private let register: Register

  /// Starts, with promises that are made from now on.
  public init() {
    register = Register(keepsEverything: false, roots: nil)
    Hub.shared.add(register)
  }

  /// Starts with these promises, each counted once, and with promises that are made below them from now on.
  public init(of roots: Promise...) {
    register = Register(keepsEverything: false, roots: roots)
    Hub.shared.add(register)
    register.update(roots)
  }

  deinit { end() }

  /// Ends: promises made from now on are not counted. A second call has no effect.
  public func end() { Hub.shared.remove(register) }

  /// The number of existing promises that it has recorded.
  package var known: Int { register.records.count }

  /// The existing pending promises, in the order of their creation.
  public var unsettled: [PromiseRecord] { register.records.filter { $0.state == .pending } }

  /// What the pending promises wait for: a line for each one that no other recorded promise waits for, in the
  /// order of their creation.
  ///
  ///     page waits for #3 <- #2 <- #1, made at MyApp/Session.swift:2, which has not been settled
  ///
  /// The end of a path settles first. A combinator's path goes through its first pending input, and states
  /// the number of the others.
  public var waitPaths: [String] {
    var paths = WaitPaths(register.records)
    return paths.texts()
  }
}
