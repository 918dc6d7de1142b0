// Children of one promise that go to the same context one after the other: they share a submission.

extension Promise {
  /// How many share one submission. More would save next to nothing, and begin later.
  static let batch = 64

  /// Hands over `first` and whoever waits right behind it for the same context. The promise is draining: nobody else
  /// takes anything from the list, and nobody overtakes.
  func handOver(_ first: Unmanaged<Promise>, _ agenda: inout Agenda) {
    let context = first.use { $0.context }
    guard context.takesBatches else { return context.submit(first, &agenda) }
    var children: ContiguousArray<Unmanaged<Promise>> = []
    children.reserveCapacity(Promise.batch)
    children.append(first)
    let bits = word.lock()
    let wanted = bits & State.mask == State.fulfilled ? State.handlesValue : State.handlesReason
    // The last one may go on in place.
    let leavesLast = agenda.continuesInPlace && agenda.continuation == nil && context.isPrivate
    while children.count < Promise.batch, let head = waiting {
      let fits = head.use {
        $0.word.peek() & wanted != 0 && $0.context.isSame(as: context) && !(leavesLast && $0.next == nil)
      }
      guard fits, let child = popWaiting() else { break }
      pushActive(child)
      children.append(child)
    }
    word.unlock(bits)
    context.submit(children)
  }
}

extension ContextRef {
  var takesBatches: Bool {
    switch kind {
    case .shared, .queue: true
    case .immediate, .mainImmediate, .other: false
    }
  }

  func isSame(as other: ContextRef) -> Bool {
    if word == other.word { return takesBatches }
    guard case .queue(let one) = kind, case .queue(let other) = other.kind else { return false }
    return one._withUnsafeGuaranteedRef { $0.queue } === other._withUnsafeGuaranteedRef { $0.queue }
  }

  /// Gives several jobs to a context that takes batches.
  func submit(_ children: ContiguousArray<Unmanaged<Promise>>) {
    switch kind {
    case .shared: Relay.mine.add(children)
    case .queue(let line):
      // The children hold the context, and may be gone before the call returns.
      _ = line.retain()
      line._withUnsafeGuaranteedRef {
        $0.queue.async(flags: .barrier) {
          for child in children { Promise.work(child, continuesInPlace: false) }
        }
      }
      line.release()
    case .immediate, .mainImmediate, .other: preconditionFailure("a context that takes one job at a time")
    }
  }
}
