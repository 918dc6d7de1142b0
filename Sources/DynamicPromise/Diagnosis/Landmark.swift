// The nearest promise above about which something is known: for reports of lost rejections, whose own promise
// was made by a `then` as a rule, and has neither a name nor a place.

extension Promise {
  /// An ancestor that has a name or a place, seen from one of its descendants.
  public struct Landmark: Sendable, CustomStringConvertible {
    /// What the ancestor was named (`named` of `DynamicPromiseDiagnostics`).
    public let name: String?
    /// Where it was made, if it was made together with a resolver.
    public let origin: Origin?
    /// How many links of the chain lie between: 1 for the parent. Promises that were freed before are not
    /// counted, except in debug builds.
    public internal(set) var steps: Int

    /// `2 steps below "login" made at App/Login.swift:12`
    public var description: String {
      var text = "\(steps) \(steps == 1 ? "step" : "steps") below "
      text += name.map { "\"\($0)\"" } ?? "the promise"
      if let origin { text += " made at \(origin)" }
      return text
    }
  }

  /// What is known of this promise itself, as from a child. Called with the lock held.
  private var ownLandmark: Landmark? {
    let origin = side?.origin
    let name = side?.label?.text
    return origin != nil || name != nil ? Landmark(name: name, origin: origin, steps: 1) : nil
  }

  /// The same for this promise or the nearest one above it, which may have been freed. Called with the lock
  /// held.
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
    /// The promise is being rejected and releases its parent, perhaps as the last one: what is known up
    /// there is noted while it is there. Called with the lock held.
    func noteLandmark() {
      guard side?.origin == nil, let above = heldParent?.landmark else { return }
      sideFields.above = above
    }
  #endif

  /// The landmark above a promise in `deinit`, whose nearest ancestor is `ancestor`. With nothing locked.
  func landmark(from ancestor: Promise?) -> Landmark? {
    #if DEBUG
      if let above = side?.above { return above }
    #endif
    var next = ancestor
    var steps = 1
    // A chain without any is not climbed to its end by each of a million rejections.
    while let current = next, steps <= 64 {
      if var found = current.lock.with({ current.landmark }) {
        found.steps += steps - 1
        return found
      }
      next = current.parent
      steps += 1
    }
    return nil
  }
}
