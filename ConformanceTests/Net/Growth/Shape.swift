// Trees of n promises below one root, all on `.immediate`.

import DynamicPromise

enum Shape: String, CaseIterable, Sendable {
  /// Each promise is a child of the previous promise.
  case chain
  /// All promises are children of the root.
  case fan
  /// A chain with a branch at each of its promises.
  case comb

  /// A line for each shape, with held and with unheld promises.
  static func lines(
    _ operation: String, held: [Bool] = [true, false], _ shapes: [Shape] = Shape.allCases,
    _ prepare: @escaping @Sendable (_ grove: Grove, _ n: Int) -> () -> Void
  ) -> [Line] {
    shapes.flatMap { shape in
      held.map { isHeld in
        Line(operation, "\(shape.rawValue), \(isHeld ? "held" : "unheld")") { n in
          prepare(Grove(shape, isHeld: isHeld), n)
        }
      }
    }
  }
}

extension Line {
  /// Pending promises that are independent of each other.
  static func promises(_ n: Int) -> [Promise] { (0..<n).map { _ in Promise(on: .immediate) } }
}

/// A tree that grows.
final class Grove: @unchecked Sendable {
  let root: Promise
  private let shape: Shape
  private let isHeld: Bool
  /// All promises if they are held, with the root first.
  var all: [Promise]
  /// The last promise of the chain, of the comb's spine, or of the fan.
  var end: Promise

  init(_ shape: Shape, isHeld: Bool) {
    root = Promise(on: .immediate)
    (self.shape, self.isHeld) = (shape, isHeld)
    (all, end) = ([root], root)
  }

  @discardableResult
  func grow(_ n: Int, _ step: (Promise) -> Promise = { $0.then { $0 } }) -> Grove {
    all.reserveCapacity(n + 1)
    for index in 0..<n {
      let parent = shape == .fan ? root : end
      let child = step(parent)
      if isHeld { all.append(child) }
      if shape != .comb || index % 2 == 1 { end = child }
    }
    return self
  }

  /// Fulfills the root, so that the promises settle in place.
  func fulfilled() -> Grove {
    root.fulfill(0)
    return self
  }

  /// Releases the promises one by one, from the end or from the root.
  func release(fromTheEnd: Bool) {
    if !fromTheEnd { all.reverse() }
    while !all.isEmpty { all.removeLast() }
  }

  /// Releases the end, which retains all promises that are not held.
  func releaseEnd() { end = root }
}
