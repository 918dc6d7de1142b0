// A library needs only these functions to run W1 to W7, W10, W12 and W13.

import BenchmarkKit
import Dispatch

/// What a library of promises can do.
///
/// The functions have the handlers, so that each library gets closures of its own types. A handler adds 1 (or
/// `number`) to its value, which is 0 at first.
protocol Library: Sendable {
  /// A pending promise that can be fulfilled.
  associatedtype Root
  /// A promise to which steps can be added.
  associatedtype Step

  func pending() -> Root
  func fulfill(_ root: Root)
  func step(of root: Root) -> Step
  /// A promise that is already fulfilled.
  func settled() -> Step
  /// Hits the latch when all steps are fulfilled.
  func all(_ steps: [Step], _ latch: Latch)

  func then(_ step: Step) -> Step
  /// The handler also hits the latch.
  @discardableResult func then(_ step: Step, _ latch: Latch) -> Step
  /// The handler captures two values.
  @discardableResult func then(_ step: Step, _ latch: Latch, adding number: Int) -> Step
  /// The handler returns a promise that is already fulfilled.
  func thenReturning(_ step: Step) -> Step

  /// Runs waiting handlers, if no thread does.
  func drain()
  /// Runs `body` on the thread to which the library's promises belong.
  func here<T: Sendable>(_ body: @escaping @Sendable () throws -> T) throws -> T
  /// Whether handlers of several promises may overlap, so that any may end last.
  var overlaps: Bool { get }
  /// The length of the longest chain, for libraries that settle chains by recursion.
  var depth: Int { get }
}

extension Library {
  func drain() {}
  func here<T: Sendable>(_ body: @escaping @Sendable () throws -> T) throws -> T { try body() }
  var overlaps: Bool { false }
  var depth: Int { .max }
}

/// A contender that runs these workloads with the functions of a library, and `more` with its own.
func contender<L: Library>(
  _ name: String, _ workloads: [Workload], more: [Workload: Run] = [:], _ make: @escaping @Sendable () -> L
) -> Contender {
  let all: [Workload: Run] = [
    .w1: { try w1($0, make()) }, .w2: { try w2($0, make()) }, .w3: { try w3($0, make()) },
    .w4: { try w4($0, make()) }, .w5: { try w5($0, make()) }, .w5c: { try w5c($0, make()) },
    .w6: { try w6($0, make()) }, .w7: { try w7($0, make()) }, .w8a: { try w2($0, make()) },
    .w10: { try w5($0, make()) },
    .w12: { w12($0, make()) }, .w13: { w13($0, make()) },
  ]
  return Contender(name, all.filter { workloads.contains($0.key) }.merging(more) { $1 })
}

/// Measures chains that have `count` steps together. `chain` ends a chain with a handler that hits the latch.
private func chains<L: Library>(
  _ count: Int, _ library: L, _ chain: @escaping @Sendable (_ steps: Int, _ latch: Latch) -> Void
) throws -> Figures {
  let lengths = stride(from: 0, to: count, by: min(count, library.depth)).map {
    min(library.depth, count - $0)
  }
  let latch = Latch(lengths.count)
  return try library.here {
    time {
      for length in lengths { chain(length, latch) }
      latch.wait()
    }
  }
}

private func w1<L: Library>(_ count: Int, _ library: L) throws -> Figures {
  try chains(count, library) { steps, latch in
    var step = library.settled()
    for _ in 0..<steps {
      step = library.then(step)
      library.drain()
    }
    library.then(step, latch)
    library.drain()
  }
}

private func w2<L: Library>(_ count: Int, _ library: L) throws -> Figures {
  try chains(count, library) { steps, latch in
    let root = library.pending()
    var step = library.step(of: root)
    for _ in 0..<steps { step = library.then(step) }
    library.then(step, latch)
    library.fulfill(root)
    library.drain()
  }
}

private func w3<L: Library>(_ count: Int, _ library: L) throws -> Figures {
  let latch = Latch(library.overlaps ? count : 1)
  return try library.here {
    time {
      let root = library.pending()
      let step = library.step(of: root)
      for _ in 1..<count { _ = library.overlaps ? library.then(step, latch) : library.then(step) }
      library.then(step, latch)
      library.fulfill(root)
      library.drain()
      latch.wait()
    }
  }
}

private func w4<L: Library>(_ count: Int, _ library: L) throws -> Figures {
  let latch = Latch()
  return try time {
    let roots = try library.here {
      let roots = (0..<count).map { _ in library.pending() }
      library.all(roots.map(library.step), latch)
      return Unchecked(roots)
    }
    Helper.first.start { for root in roots.value { library.fulfill(root) } }
    Helper.first.join()
    library.drain()
    latch.wait()
  }
}

private struct Unchecked<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}

private func w5<L: Library>(_ count: Int, _ library: L) throws -> Figures {
  let latch = Latch(library.overlaps ? count : 1)
  return try library.here {
    time {
      for index in 1...count {
        let root = library.pending()
        let step = library.step(of: root)
        _ = library.overlaps || index == count ? library.then(step, latch) : library.then(step)
        library.fulfill(root)
        library.drain()
      }
      latch.wait()
    }
  }
}

private func w5c<L: Library>(_ count: Int, _ library: L) throws -> Figures {
  let latch = Latch(count)
  return try library.here {
    time {
      for index in 1...count {
        let root = library.pending()
        library.then(library.step(of: root), latch, adding: index)
        library.fulfill(root)
        library.drain()
      }
      latch.wait()
    }
  }
}

private func w6<L: Library>(_ count: Int, _ library: L) throws -> Figures {
  try chains(count, library) { steps, latch in
    let root = library.pending()
    var step = library.step(of: root)
    for _ in 0..<steps { step = library.thenReturning(step) }
    library.then(step, latch)
    library.fulfill(root)
    library.drain()
  }
}

private func w7<L: Library>(_ count: Int, _ library: L) throws -> Figures {
  try library.here {
    heapGrowth(count) { _ in
      let step = library.step(of: library.pending())
      _ = library.then(step)
      return step as AnyObject
    }
  }
}

private func w12<L: Library>(_ count: Int, _ library: L) -> Figures {
  let latch = Latch(count)
  return Meeting.time(count) {
    library.pending()
  } left: {
    library.then(library.step(of: $0), latch)
  } right: {
    library.fulfill($0)
  } afterwards: {
    latch.wait()
  }
}

private func w13<L: Library>(_ count: Int, _ library: L) -> Figures {
  Crowd.measure(count) {
    let root = Unchecked(library.settled())
    return { steps, watch, latch in
      var step = root.value
      for _ in 0..<steps {
        step = library.then(step)
        watch.look()
      }
      library.then(step, latch)
      watch.look()
    }
  }
}
