/// First in, first out. One element takes no memory of its own.
struct FIFO<Element> {
  private var oldest: Element?
  private var rest: [Element?] = []
  /// The index of the next element in `rest`.
  private var head = 0

  init() {}

  @inline(__always) var isEmpty: Bool { oldest == nil }

  @inline(__always)
  mutating func append(_ element: consuming Element) {
    if oldest == nil { oldest = element } else { rest.append(element) }
  }

  /// Takes the oldest element. Places are given up in blocks, so that each costs the same on average.
  @inline(__always)
  mutating func popFirst() -> Element? {
    guard let element = oldest.take() else { return nil }
    if !rest.isEmpty { moveUp() }
    return element
  }

  private mutating func moveUp() {
    oldest = rest[head].take()
    head += 1
    if head == rest.count {
      rest.removeAll(keepingCapacity: head <= 128)
      head = 0
    } else if head >= 1024, head * 2 >= rest.count {
      rest.removeFirst(head)
      head = 0
    }
  }
}
