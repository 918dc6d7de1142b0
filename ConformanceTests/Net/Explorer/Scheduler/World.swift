// The parts of a program.

internal import Hooks

/// A few threads, and checks that run when the threads have ended.
package struct Program: Sendable {
  package let name: String
  /// The maximum number of preemptions. `nil` means no limit.
  package let bound: Int?
  let sharesLocks: Bool
  let setUp: @Sendable (World) -> Void

  /// - Parameter sharesLocks: Whether all trees have the same lock. Otherwise each tree has its own lock.
  package init(
    _ name: String, bound: Int? = nil, sharesLocks: Bool = false, _ setUp: @escaping @Sendable (World) -> Void
  ) {
    (self.name, self.bound, self.sharesLocks, self.setUp) = (name, bound, sharesLocks, setUp)
  }
}

/// One run of a program. The captures of a thread's closures are released when the thread ends.
package final class World: @unchecked Sendable {
  private var threads: [(String, () -> Void)] = []
  private var check: (() -> Void)?
  fileprivate(set) var findings: [String] = []
  /// The events so far, in order. A program records the events that its checks compare.
  package private(set) var events: [String] = []
  private let noted = Cell(0)
  private var rest = 0

  package func thread(_ name: String, _ body: @escaping () -> Void) { threads.append((name, body)) }

  /// Adds the check that runs when all threads have ended, including the threads of contexts.
  package func afterwards(_ check: @escaping () -> Void) { self.check = check }

  package func note(_ event: String) {
    noted.touch()
    events.append(event)
  }

  package func count(_ event: String) -> Int { events.count { $0 == event } }

  package func expect(_ condition: Bool, _ rule: @autoclosure () -> String) {
    if !condition { findings.append("\(rule()); events: \(events.joined(separator: " "))") }
  }

  /// Expects that promises are left at the end, because they retain each other forever.
  package func expectLeft(_ count: Int) { rest = count }

  private func spawnFirst() {
    let (name, body) = threads.removeFirst()
    Scheduler.spawn(name, body)
  }

  func run(_ program: Program) {
    program.setUp(self)
    while !threads.isEmpty { spawnFirst() }
    if let failure = Scheduler.runAll() {
      findings.append(failure)
      // This run leaks its objects, because threads that never continue may hold locks.
      _ = Unmanaged.passRetained(self)
      return
    }
    check?()
    check = nil
    Scheduler.drain()
    if findings.isEmpty { expect(Scheduler.promises == rest, "\(Scheduler.promises) promises are left") }
  }
}

/// Retains a value until `drop()` is called.
package final class Keep<T>: @unchecked Sendable {
  private var kept: T?

  package init(_ kept: T) { self.kept = kept }

  package var value: T {
    get { kept! }
    set { kept = newValue }
  }

  /// Releases the value. Another thread may run before the release.
  package func drop() {
    Scheduler.point()
    kept = nil
  }
}
