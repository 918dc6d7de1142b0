// The actions of foreign code in the re-entrancy tests, and the places of these actions.

import DynamicPromise
import XCTest

/// A parent and a child that foreign code can use.
final class Family: @unchecked Sendable {
  private let queue = DispatchQueue(label: "family")
  private var members: (parent: Promise?, child: Promise?) = (nil, nil)
  /// The promises that foreign code has added.
  let added = Log<Promise>()

  var parent: Promise? {
    get { queue.sync { members.parent } }
    set { queue.sync { members.parent = newValue } }
  }

  var child: Promise? {
    get { queue.sync { members.child } }
    set { queue.sync { members.child = newValue } }
  }
}

/// An action of foreign code.
enum Poke: CaseIterable {
  case look, thenOnParent, thenOnChild, cancelParent, cancelChild, resolveParent, bindNewToChild
  case dropNewChild, waitBriefly

  func apply(to family: Family) {
    let parent = family.parent
    let child = family.child
    switch self {
    case .look:
      for promise in [parent, child].compactMap({ $0 }) {
        _ = promise.result
        _ = promise.isCancelled
        _ = promise.parent?.root
        _ = promise.root
        _ = promise.description
      }
    case .thenOnParent:
      if let parent { family.added.append(parent.thenOn(.immediate, { $0 }, { _ in 0 })) }
    case .thenOnChild:
      if let child { family.added.append(child.thenOn(.immediate, { $0 }, { _ in 0 })) }
    case .cancelParent: parent?.cancel()
    case .cancelChild: child?.cancel()
    case .resolveParent: parent?.resolve("by foreign code")
    case .bindNewToChild:
      if let child { family.added.append(child.follower()) }
    case .dropNewChild:
      parent?.then { _ in 1 }.cancel()
      child?.catch { _ in 1 }.cancel()
    case .waitBriefly:
      // The wait adds and removes a waiter, and ends at once.
      _ = try? parent?.get(timeout: 0)
      _ = try? child?.get(timeout: 0)
    }
  }
}

/// A context that performs `action` before it enqueues a job.
final class PokingContext: ExecutionContext {
  let inner = SteppedContext()
  let pokes = Counter()
  private let family: Family
  private let action: Poke

  init(family: Family, action: Poke) {
    self.family = family
    self.action = action
  }

  func execute(_ job: @escaping @Sendable () -> Void) {
    // The number is limited, because the action may enqueue jobs on this context.
    if pokes.value < 3 {
      pokes.increment()
      action.apply(to: family)
    }
    inner.execute(job)
  }
}

/// A thenable that performs `action` in its getter, or before or after it resolves the promise.
struct PokingThenable: Thenable {
  enum Place: CaseIterable { case getter, before, after }
  let family: Family
  let action: Poke
  let place: Place

  var then: ThenMethod? {
    if place == .getter { action.apply(to: family) }
    return { resolve, reject in
      if place == .before { action.apply(to: family) }
      resolve("thenable")
      if place == .after { action.apply(to: family) }
      reject("ignored")
    }
  }
}

extension XCTestCase {
  /// Runs `body` on a separate thread, so that a deadlock fails the test.
  func inTime(
    file: StaticString = #filePath, line: UInt = #line, _ body: @escaping @Sendable () -> Void
  ) {
    let done = Event()
    let thread = Thread {
      body()
      done.signal()
    }
    thread.start()
    done.wait("the end of \(name)", file: file, line: line)
  }
}
