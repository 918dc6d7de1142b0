import DynamicPromise

/// Lists the promises that are not settled, of those made since it began: for tests, and to find out what a
/// program waits for.
///
///     let census = Census()
///     runTheProgram()
///     XCTAssertEqual(census.unsettled.map(\.description), [])
///
/// Its memory grows with the promises that exist, and not with those that have been freed. While any census
/// or recorder is running, every promise of the process costs a lookup in a dictionary when it is made, when
/// it settles and when it is freed.
public final class Census: Sendable {
  private let register: Register

  /// Begins, with the promises that are made from now on.
  public init() {
    register = Register(keepsEverything: false, roots: nil)
    Hub.shared.add(register)
  }

  /// Begins with these promises, each counted once, and with those that are made below them from now on.
  public init(of roots: Promise...) {
    register = Register(keepsEverything: false, roots: roots)
    Hub.shared.add(register)
    register.update(roots)
  }

  deinit { end() }

  /// Ends: promises made from now on are not counted. A second call does nothing.
  public func end() { Hub.shared.remove(register) }

  /// How many promises it has records of: those that exist.
  package var known: Int { register.records.count }

  /// The promises that exist and are pending, in the order of making.
  public var unsettled: [PromiseRecord] { register.records.filter { $0.state == .pending } }
}
