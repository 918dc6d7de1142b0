// Keeping the lists of links true: who is active, who stands where. `Lineage.swift` says what for.

extension Link {
  /// Makes a rooted link's enrolment agree with its activity, and that of the links above it.
  /// Called with the link locked; returns with it unlocked.
  static func balance(_ start: Link, _ startBits: UInt, _ debris: inout Debris) {
    var link = start
    var bits = startBits
    while true {
      // Once enrolled, a link stays so until its promise is gone: in a chain of held promises every step would otherwise
      // enrol and remove the whole path above it.
      let isEnrolled = bits & Link.enrolled != 0
      let isActive = link.isActive(bits) || isEnrolled && bits & Link.dead == 0
      guard bits & Link.rooted != 0, isActive != isEnrolled else { break }
      if isActive { link.skipDeadAbove(&debris) }
      guard let above = link.up else { break }
      let aboveBits = above.word.lock()
      let entry = Entry.link(Unmanaged.passUnretained(link))
      if isActive {
        entry.push(to: &above.active)
        _ = Unmanaged.passRetained(link)
        bits |= Link.enrolled
      } else {
        entry.remove(from: &above.active)
        debris.add(Unmanaged.passUnretained(link).takeRetainedValue())
        bits &= ~Link.enrolled
      }
      debris.add(above)
      link.word.unlock(bits)
      link = above
      bits = aboveBits
    }
    link.word.unlock(bits)
  }

  /// Lets `up` point past links whose promises are gone. Only while not enrolled; the link is locked.
  private func skipDeadAbove(_ debris: inout Debris) {
    let live = Link.nearest(up)
    if live !== up {
      if let old = up { debris.add(old) }
      up = live
    }
  }
}

extension Promise {
  var hasChildren: Bool { waitingHead != nil || active != nil }

  /// The link that stands for this promise, made now if there is none; the promise is locked.
  func standIn(_ bits: inout UInt, _ debris: inout Debris) -> Link {
    if let link = cold?.link { return link }
    let link = Link(self)
    coldFields.link = link
    guard State.isSettled(bits) else { return link }
    var linkBits = Link.rooted
    if hasChildren { linkBits |= Link.ownerActive }
    if case .link(let above) = up {
      let above = above.takeUnretainedValue()
      if bits & State.enrolled != 0 {
        let aboveBits = above.word.lock()
        Entry.promise(.passUnretained(self)).remove(from: &above.active)
        Entry.link(.passRetained(link)).push(to: &above.active)
        above.word.unlock(aboveBits)
        bits &= ~State.enrolled
        linkBits |= Link.enrolled
        link.up = above
      } else {
        link.up = Link.nearest(above)
      }
    }
    link.word.unlock(linkBits)
    return link
  }

  /// A settled promise gained its first pending child or lost its last one: says so upwards. The promise is locked.
  func balanceActivity(_ bits: inout UInt, _ debris: inout Debris) {
    if let link = cold?.link {
      var linkBits = link.word.lock()
      if hasChildren { linkBits |= Link.ownerActive } else { linkBits &= ~Link.ownerActive }
      Link.balance(link, linkBits, &debris)
    } else if case .link(let above) = up {
      let isEnrolled = bits & State.enrolled != 0
      guard hasChildren != isEnrolled else { return }
      if isEnrolled {
        leave(above.takeUnretainedValue(), &debris)
        bits &= ~State.enrolled
      } else if let live = Link.nearest(above.takeUnretainedValue()) {
        join(live)
        enrol(live, &debris)
        bits |= State.enrolled
      } else {
        release(above, &debris)
        up = .none
      }
    }
  }

  /// Points the way up at `live`, which is the link that it points to already or one further up.
  private func join(_ live: Link) {
    guard case .link(let old) = up, old.toOpaque() != Unmanaged.passUnretained(live).toOpaque() else {
      return
    }
    up = .link(.passRetained(live))
    old.release()
  }

  private func release(_ link: Unmanaged<Link>, _ debris: inout Debris) {
    debris.add(link.takeRetainedValue())
  }

  /// Enters this promise itself in the list of `link`.
  func enrol(_ link: Link, _ debris: inout Debris) {
    let bits = link.word.lock()
    Entry.promise(.passUnretained(self)).push(to: &link.active)
    Link.balance(link, bits, &debris)
  }

  /// Takes this promise itself out of the list of `link`.
  private func leave(_ link: Link, _ debris: inout Debris) {
    let bits = link.word.lock()
    Entry.promise(.passUnretained(self)).remove(from: &link.active)
    Link.balance(link, bits, &debris)
  }

  /// Leaves the parent on settling or dying: out of its lists, and up by another way. The promise is locked, and its
  /// word already says what it will be; `isActive` tells whether somebody waits for it.
  func leaveParent(_ bits: inout UInt, isActive: Bool, _ debris: inout Debris) {
    guard case .parent(let held) = up else {
      if let link = cold?.link { root(link, at: nil, ownerActive: isActive, &debris) }
      return
    }
    up = .none
    var parent = held.takeRetainedValue()
    let own = cold?.link
    var ownBits: UInt = 0
    if let own {
      ownBits = own.word.lock() | Link.rooted
      if isActive { ownBits |= Link.ownerActive }
    }
    let isActive = isActive || own?.active != nil
    var parentBits = parent.word.lock()
    parent.removeChild(self, own, &debris)

    // One step for whoever walks down: entered above before it is taken out below, all under the locks of both.
    if takeOver(&parent, own, &ownBits, isActive: isActive, &bits, &debris) {
      // The parent goes; its way up is ours.
    } else {
      let link = parent.standIn(&parentBits, &debris)
      up = .link(.passRetained(link))
      var linkBits = link.word.lock()
      if parent.hasChildren { linkBits |= Link.ownerActive } else { linkBits &= ~Link.ownerActive }
      if isActive { enter(link, own, &ownBits, &bits) }
      Link.balance(link, linkBits, &debris)
    }
    if let own, case .link(let above) = up { own.up = above.takeUnretainedValue() }
    parent.word.unlock(parentBits)
    debris.promise = .passRetained(parent)
    if let own { Link.balance(own, ownBits, &debris) }
  }

  /// Enters this promise, or its link if it has one, in the list of `above`. All are locked.
  private func enter(_ above: Link, _ own: Link?, _ ownBits: inout UInt, _ bits: inout UInt) {
    if let own {
      Entry.link(.passRetained(own)).push(to: &above.active)
      ownBits |= Link.enrolled
    } else {
      Entry.promise(.passUnretained(self)).push(to: &above.active)
      bits |= State.enrolled
    }
  }

  /// If nobody else holds the settled `parent`, and nothing stands in for it, moves its way up, and its place in
  /// the list above, to this promise.
  private func takeOver(
    _ parent: inout Promise, _ own: Link?, _ ownBits: inout UInt, isActive: Bool, _ bits: inout UInt,
    _ debris: inout Debris
  ) -> Bool {
    guard parent.cold?.link == nil, State.isSettled(parent.word.peek()) else { return false }
    guard case .link(let held) = parent.up else {
      return isKnownUniquelyReferenced(&parent)
    }
    let above = held.takeUnretainedValue()
    let aboveBits = above.word.lock()
    guard isKnownUniquelyReferenced(&parent) else {
      above.word.unlock(aboveBits)
      return false
    }
    parent.up = .none
    up = .link(held)
    if aboveBits & Link.dead == 0 {
      if isActive { enter(above, own, &ownBits, &bits) }
    } else if let live = Link.nearest(above.up) {
      let liveBits = live.word.lock()
      if !isActive || Walkers.isNobody {
        debris.add(above)
        join(live)
        if isActive { enter(live, own, &ownBits, &bits) }
      } else {
        enter(above, own, &ownBits, &bits)
      }
      Link.balance(live, liveBits, &debris)
    } else if !isActive || Walkers.isNobody {
      release(held, &debris)
      up = .none
    } else {
      enter(above, own, &ownBits, &bits)
    }
    if parent.word.peek() & State.enrolled != 0 {
      Entry.promise(.passUnretained(parent)).remove(from: &above.active)
    }
    Link.balance(above, aboveBits, &debris)
    return true
  }

  /// Tells this promise's link where it leads from now on.
  private func root(_ link: Link, at above: Link?, ownerActive: Bool, _ debris: inout Debris) {
    var bits = link.word.lock()
    if bits & Link.rooted == 0 { link.up = above }
    bits |= Link.rooted
    if ownerActive { bits |= Link.ownerActive }
    Link.balance(link, bits, &debris)
  }

  /// Takes a child out of whichever list it stands in. Both are locked.
  private func removeChild(_ child: Promise, _ childLink: Link?, _ debris: inout Debris) {
    switch child.place {
    case .none: break
    case .waiting:
      debris.child = removeWaiting(child)
    case .active:
      Entry.promise(.passUnretained(child)).remove(from: &active)
    case .link:
      if let childLink {
        let entry = Unmanaged.passUnretained(childLink)
        Entry.link(entry).remove(from: &active)
        debris.add(entry.takeRetainedValue())
      }
    }
    child.place = .none
  }
}
