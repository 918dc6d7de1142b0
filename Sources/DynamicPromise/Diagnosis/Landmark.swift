// The nearest ancestor with a name or a place, for reports of lost rejections.

extension Promise {
  /// An ancestor that has a name or a place, seen from one of its descendants.
  package struct Landmark: Sendable, CustomStringConvertible {
    /// The ancestor's name (`named` of `DynamicPromiseDiagnostics`).
    package let name: String?
    /// The place where the ancestor was made, if it was made together with a resolver.
    package let origin: Origin?
    /// The number of links from the descendant to the ancestor: 1 for the parent.
    package internal(set) var steps: Int

    /// `2 steps below "login" made at App/Login.swift:12`
    package var description: String {
      var text = "\(steps) \(steps == 1 ? "step" : "steps") below "
      text += name.map { "\"\(oneLine($0, limit: 200))\"" } ?? "the promise"
      if let origin { text += " made at \(origin)" }
      return text
    }
  }

  /// The name and place of this promise, as seen from a child. Called with the lock held.
  private var ownLandmark: Landmark? {
    let origin = side?.origin
    let name = side?.label?.text
    return origin != nil || name != nil ? Landmark(name: name, origin: origin, steps: 1) : nil
  }

  /// The landmark of this promise or, in debug builds, of the nearest one above. Called with the lock held.
  private var landmark: Landmark? {
    if let own = ownLandmark { return own }
    #if DEBUG
      guard var above = side?.above else { return nil }
      above.steps += 1
      return above
    #else
      return nil
    #endif
  }

  #if DEBUG
    /// Stores the landmark above this promise. Called with the lock held, when the promise is rejected and
    /// before it releases its parent, which may then be freed.
    func noteLandmark() {
      guard side?.origin == nil, let above = heldParent?.landmark else { return }
      sideFields.above = above
    }
  #endif

  /// The stored landmark, otherwise that of `ancestor` or above. Called without a lock.
  func landmark(from ancestor: Promise?) -> Landmark? {
    #if DEBUG
      if let above = lock.with({ side?.above }) { return above }
    #endif
    return ancestor?.nearestLandmark(.current)
  }

  /// The landmark of this promise or of the nearest one above, as seen from a child. Called without a lock.
  func nearestLandmark(_ turn: Turn) -> Landmark? {
    var next: Promise? = self
    var steps = 1
    // The climb is limited, or a million rejections would each climb a long chain.
    while let current = next, steps <= 64 {
      if var found = current.lock.with({ current.landmark }) {
        found.steps += steps - 1
        turn.release(current)
        return found
      }
      next = current.parent
      turn.release(current)
      steps += 1
    }
    return nil
  }
}
