// From a fulfilled promise to its children.

extension TreePromise {
  /// Runs `child`, which has started, then its children, then the other children of `parent` that wait. Owns
  /// a reference to both.
  @inline(never)
  static func run(_ firstParent: Link, _ firstChild: Link) {
    var parent = firstParent
    var child = firstChild
    let lock = parent.lock
    /// Those with more children that wait, while one of them has had its own.
    var interrupted: [Link]?
    while true {
      do {
        let value = try parent.call(child)
        lock.lock()
        if child.state == TreeState.started {
          child.value.initialize(to: consume value)
          child.become(TreeState.fulfilled)
          if let turn = child.first {
            child.start(turn)
            if parent.waiting == nil {
              parent.makeWay(for: child)
              lock.unlock()
              parent.release()
            } else {
              lock.unlock()
              if interrupted == nil { interrupted = [] }
              interrupted?.append(parent)
            }
            parent = child
            child = turn
            continue
          }
          if child.isUnique {
            parent.remove(child)
            child.up = nil
          }
        }
      } catch {
        child.fail(with: error)
        lock.lock()
      }
      let done = child
      // Whose turn it is now.
      while true {
        if let turn = parent.waiting {
          parent.start(turn)
          lock.unlock()
          child = turn
          break
        }
        lock.unlock()
        parent.release()
        guard let former = interrupted?.popLast() else { return done.release() }
        parent = former
        lock.lock()
      }
      done.release()
    }
  }
}

extension Unmanaged where Instance == TreePromise {
  /// Calls the handler of a child, and frees it before anything is settled.
  @inline(__always)
  fileprivate func call(_ child: Link) throws -> Any {
    let call = child.handler.move().call
    return try call(value.pointee)
  }

  /// If it is about to be freed, and `child` is its only child, puts that in its place at once.
  @inline(__always)
  fileprivate func makeWay(for child: Link) {
    guard child.next.isSame(as: child), isUnique else { return }
    let above = up
    above?.replace(self, with: child)
    child.up = above
    first = nil
    up = nil
  }
}
