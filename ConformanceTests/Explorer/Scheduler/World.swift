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
  private var watched: [(name: String, exists: () -> Bool)] = []
  fileprivate(set) var findings: [String] = []
  /// The events so far, in order. A program records the events that its checks compare.
  package private(set) var events: [String] = []
  private let noted = Cell(0)

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

  /// Reports the name of `object` if it is left at the end. Promises need no such call: none of them may be
  /// left.
  package func mustGo(_ name: String, _ object: AnyObject) {
    let reference = WeakReference(object)
    watched.append((name, { reference.object != nil }))
  }

  /// Checks that several objects are freed at the end.
  package func mustGo(_ objects: KeyValuePairs<String, AnyObject>) {
    for (name, object) in objects { mustGo(name, object) }
  }

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
    for (name, exists) in watched where exists() {
      findings.append("leak: \(name); events: \(events.joined(separator: " "))")
    }
    watched = []
    if findings.isEmpty, hooks_count() != 0 { findings.append("\(hooks_count()) promises are left") }
  }
}

private struct WeakReference {
  weak var object: AnyObject?
  init(_ object: AnyObject) { self.object = object }
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
