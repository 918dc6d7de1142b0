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
}

// Called with the lock held.
extension Core {
  /// The name and place of this promise, as seen from a child.
  private var ownLandmark: Promise.Landmark? {
    let origin = origin
    let name = side?.label?.text
    return origin != nil || name != nil ? Promise.Landmark(name: name, origin: origin, steps: 1) : nil
  }

  /// The landmark of this promise or, in debug builds, of the nearest promise above it, which may have been
  /// freed.
  private var landmark: Promise.Landmark? {
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
    /// Stores the landmark above this promise, which is rejected, before it drops its hold on its parent.
    func noteLandmark() {
      guard origin == nil, let above = up?.landmark else { return }
      sideFields.above = above
    }
  #endif

  /// The landmark that was stored for this promise, otherwise that of the nearest promise above it.
  var landmarkAbove: Promise.Landmark? {
    #if DEBUG
      if let above = side?.above { return above }
    #endif
    return nearestAncestor?.nearestLandmark
  }

  /// The landmark of this promise or of the nearest promise above it, as seen from a child.
  var nearestLandmark: Promise.Landmark? {
    var next: Core? = self
    // The climb is limited, because a million rejections below a long chain without a landmark would each
    // climb the whole chain.
    for steps in 0..<Limits.slice {
      guard let current = next else { return nil }
      if var found = current.landmark {
        found.steps += steps
        return found
      }
      next = current.nearestAncestor
    }
    return nil
  }
}
