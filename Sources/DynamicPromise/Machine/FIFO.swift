/// First in, first out. One element takes no memory of its own.
struct FIFO<Element> {
  private var oldest: Element?
  private(set) var count = 0
  private var rest: [Element?] = []
  /// The index of the next element in `rest`.
  private var head = 0

  init() {}

  @inline(__always) var isEmpty: Bool { count == 0 }

  @inline(__always)
  mutating func append(_ element: consuming Element) {
    if count == 0 { oldest = element } else { rest.append(element) }
    count += 1
  }

  /// Takes the oldest element. Places are given up in blocks, so that each costs the same on average.
  @inline(__always)
  mutating func popFirst() -> Element? {
    guard count > 0 else { return nil }
    let element = oldest.take()
    count -= 1
    if count > 0 { moveUp() }
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
