// The order in which a queue's tasks start: a binary heap of their positions.

/// The position of a waiting task.
struct TaskPosition: Comparable {
  /// Tasks between two barriers form a section, and so does each barrier. Sections are numbered in order.
  let section: Int
  let priority: Int
  /// The number of the task, in the order in which tasks were added.
  let number: Int

  static func < (left: TaskPosition, right: TaskPosition) -> Bool {
    if left.section != right.section { return left.section < right.section }
    if left.priority != right.priority { return left.priority > right.priority }
    return left.number < right.number
  }
}

/// A heap of positions, with the first position on top. If all priorities are equal, `add` takes constant
/// time.
struct TaskOrder {
  private var heap: [TaskPosition] = []

  var first: TaskPosition? { heap.first }
  var count: Int { heap.count }

  mutating func add(_ position: TaskPosition) {
    heap.append(position)
    var child = heap.count - 1
    while child > 0, heap[child] < heap[(child - 1) / 2] {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  mutating func removeFirst() {
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && heap[child] < heap[least] {
        least = child
      }
      if least == parent { return }
      heap.swapAt(parent, least)
      parent = least
    }
  }

  /// Removes the positions for which `stays` returns `false`.
  mutating func compact(_ stays: (TaskPosition) -> Bool) {
    // A sorted array is a heap.
    heap = heap.filter(stays).sorted()
  }

  mutating func removeAll() { heap = [] }
}
