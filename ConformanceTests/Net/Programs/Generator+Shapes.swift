// Program shapes that reveal faults but are rare in random programs.

extension Generator {
  mutating func shape(_ depth: Int) -> [Operation] {
    budget -= 2
    switch random.below(15) {
    case 0: return secondCancel(depth)
    case 1:
      // Waits for a cancelled promise, or for one of its ancestors, with `finished()`.
      let top = anyPromise()
      return [.cancel(top, reason: number()), .finished(newPromise(), of: ancestor(of: top), on: nil)]
    case 2:
      // Cancels a follower, which thereby withdraws from its target.
      let (follower, target) = (newRoot(.a), anyPromise())
      return [follower, .settle(roots.last!, .promise(target)), .cancel(roots.last!, reason: number())]
    case 3: return ring()
    case 5: return waitInAHook(depth)
    case 7, 8: return seriesThatEnds(depth)
    case 6, 9: return unheldFollower(depth)
    case 11: return seriesThatEndsInAHook()
    case 4, 12, 14: return random.once(in: 4) ? stopInAHandler(depth) : stop(depth)
    case 10 where depth == 0 && random.once(in: 3): return many()
    case 13 where depth == 0 && threads > 1: return manyWaits()
    default: return [child(depth, of: promise()), .look(anyPromise())]
    }
  }

  /// Operations on a few promises, for threads that meet at them. Several threads perform the last operations
  /// of each of these shapes.
  mutating func meeting(_ depth: Int) -> [Operation] {
    budget -= 2
    let root = newRoot(random.one(of: [.immediate, .pool, .pool, .serial, .a]))
    let (top, end) = (roots.last!, numbers + 1)
    switch random.below(5) {
    case 0:
      // A withdrawal climbs a chain that is settled meanwhile.
      let count = random.one(of: [3, 20, 64, 70, 130, 200])
      for _ in 0..<count { parents[newPromise()] = numbers - 1 }
      return [
        root, .many(end, count: count, of: top, .chain, .value, on: nil),
        random.once(in: 3) ? .cancel(numbers, reason: number()) : .withdraw(numbers, reason: 0),
        .settle(top, answer(3)),
      ]
    case 1:
      // The end of a chain that nothing retains is cancelled while the chain runs.
      let steps = (0..<3).map { child(3, of: $0 == 0 ? top : end + $0 - 1) }
      let last = promises.last!
      return [root] + steps + [
        .drop(end), .drop(end + 1), .settle(top, .nothing), .cancel(last, reason: number()),
      ]
    case 2:
      // Handlers are registered while their promise is settled.
      let more = (0..<6).map { _ in child(3, of: top) }
      return [root] + more[..<3] + [.settle(top, answer(3))] + more[3...]
    case 3:
      // A tree is cancelled twice, while its end is awaited.
      let task = Handler(body: operations(3), answer: answer(3))
      let steps = [
        .child(newPromise(), of: top, .suspending, on: nil, task), child(3, of: top), child(3, of: promise()),
      ]
      return [root] + steps + [
        .cancel(top, reason: number()), .finished(newPromise(), of: top, on: nil),
        .cancel(top, reason: number()), .settle(top, .nothing),
      ]
    default:
      // The last references to a promise and to its resolver are released while it is settled.
      let steps = [child(3, of: top), child(3, of: top)]
      return [root] + steps + [.drop(top), .resolve(top, answer(3)), .loseResolver(top), .drop(end)]
    }
  }

  /// Puts layers around a promise, some with a clean-up, stops the last one, and waits for its end.
  private mutating func stop(_ depth: Int) -> [Operation] {
    var operations = [newRoot(random.one(of: [.a, .immediate]))]
    if random.once(in: 3) {
      operations.append(.hook(.cancel, number(), of: roots.last!, self.operations(depth + 1)))
    }
    var end = roots.last!
    for _ in 0..<(1 + random.below(4)) {
      let inner = end
      switch random.below(6) {
      case 0, 1: operations.append(child(depth + 1, of: inner))
      case 2:
        operations.append(newRoot(.immediate))
        operations.append(.settle(roots.last!, .promise(inner)))
      case 3:
        operations.append(
          .combine(newPromise(), random.one(of: Combinator.allCases), of: [inner], Cancelling(rest: true)))
      case 4:
        let task = Handler(body: [], answer: .promise(inner))
        operations.append(
          .series(newPromise(), random.one(of: Series.allCases), of: [0], on: .immediate, [task]))
      default:
        operations.append(newRoot(.immediate))
        let (handler, step) = (
          Handler(body: [], answer: .promise(inner)), random.one(of: [Step.value, .finally, .tap])
        )
        operations.append(.child(newPromise(), of: roots.last!, step, on: nil, handler))
        operations.append(.settle(roots.last!, .nothing))
      }
      end = promises.last!
      if random.once(in: 3) {
        let cleanUp = Handler(body: self.operations(depth + 1), answer: answer(3))
        operations.append(
          .child(newPromise(), of: inner, random.one(of: [.reason, .finally]), on: .b, cleanUp))
      }
    }
    operations.append(random.once(in: 3) ? .cancel(end, reason: number()) : .withdraw(end, reason: number()))
    return operations + [.finished(newPromise(), of: end, on: nil)]
  }

  /// A handler stops its own promise, or one above, and waits for the end.
  private mutating func stopInAHandler(_ depth: Int) -> [Operation] {
    let root = newRoot(random.one(of: [.a, .immediate]))
    let (top, step) = (roots.last!, newPromise())
    parents[step] = top
    let body: [Operation] = [
      .cancel(random.one(of: [top, step]), reason: number()),
      .finished(newPromise(), of: random.one(of: [top, step]), on: nil),
    ]
    return [
      root, .child(step, of: top, .value, on: nil, Handler(body: body, answer: answer(depth + 1))),
      .settle(top, .nothing),
    ]
  }

  private mutating func newRoot(_ place: Place) -> Operation {
    roots.append(newPromise())
    return .root(roots.last!, place)
  }

  private mutating func ancestor(of number: Int) -> Int {
    var top = number
    while let parent = parents[top], !random.once(in: 3) { top = parent }
    return top
  }

  /// Cancels an ancestor, adds a child below it, and cancels again.
  private mutating func secondCancel(_ depth: Int) -> [Operation] {
    if random.once(in: 4) { return cancelInAHandler(depth) }
    let place = promise()
    let top = ancestor(of: place)
    let first = random.once(in: 2) ? top : ancestor(of: place)
    let last = random.once(in: 2) ? [Operation.finished(newPromise(), of: top, on: nil)] : []
    return cancels(first) + [child(depth, of: place), .cancel(top, reason: number())] + last
  }

  /// Cancels once or several times. From the second time on, the cancel finds nothing pending.
  private mutating func cancels(_ top: Int) -> [Operation] {
    (0..<random.one(of: [1, 1, 2, 3])).map { _ in .cancel(top, reason: number()) }
  }

  /// A handler that runs in place cancels an ancestor, adds a sibling of its own promise, and cancels again.
  private mutating func cancelInAHandler(_ depth: Int) -> [Operation] {
    let root = newRoot(.immediate)
    let (top, parent, step) = (roots.last!, newPromise(), newPromise())
    (parents[parent], parents[step]) = (top, parent)
    let body = cancels(top) + [child(depth + 1, of: parent), .cancel(top, reason: number())]
    // In some programs, the deinit of the handler's capture performs these operations after the handler has
    // returned.
    let handler =
      random.once(in: 3)
      ? Handler(body: [], answer: .nothing, capture: Payload(number: number(), onDeinit: body))
      : Handler(body: body, answer: .nothing)
    let settling = Operation.settle(top, .nothing)
    var operations: [Operation] = [
      .child(parent, of: top, .value, on: nil, Handler(body: [], answer: .nothing)), settling,
      .child(step, of: parent, .value, on: nil, handler),
    ]
    if random.once(in: 2) {
      // The handlers are added before the parent is settled. Another handler is added after `handler`.
      operations.swapAt(1, 2)
      operations.insert(child(depth, of: parent), at: 2)
    }
    return [root] + operations
  }

  /// A ring of promises that follow each other. The last link may be made deep in nested handlers, before or
  /// after a member is dropped.
  private mutating func ring() -> [Operation] {
    let roots = (0..<(2 + random.below(3))).map { _ in newRoot(.immediate) }
    let members = Array(self.roots.suffix(roots.count))
    var links = members.indices.map { index in
      Operation.settle(members[index], .promise(members[(index + 1) % members.count]))
    }
    if random.once(in: 2) { links.swapAt(0, random.below(links.count)) }
    let last = links.removeLast()
    if random.once(in: 3) {
      // The ring is closed when a member is deallocated and releases the capture of its observer.
      let gone = members[1]
      let payload = Payload(number: number(), onDeinit: [last])
      return roots + [.observe(of: gone, on: nil, [], capture: payload)] + links + [.drop(gone)]
    }
    var end = [Operation.drop(random.one(of: members)), last]
    if random.once(in: 4) { end.swapAt(0, 1) }
    return roots + links + (random.once(in: 3) ? end : [.nested(random.one(of: [15, 16, 17]), end)])
  }

  /// A hook of a cancelled promise waits for one of its children.
  private mutating func waitInAHook(_ depth: Int) -> [Operation] {
    let root = newRoot(random.one(of: [.a, .immediate]))
    let parent = roots.last!
    let first = numbers + 1
    let older = child(depth, of: parent)
    let second = numbers + 1
    return [
      root, older, child(depth, of: parent),
      .hook(.cancel, number(), of: parent, [.wait(random.one(of: [first, second]))]),
      .cancel(parent, reason: number()),
    ]
  }

  /// A handler in place registers handlers that all wait for a promise that stays pending. The library may
  /// run some of them on other threads.
  private mutating func manyWaits() -> [Operation] {
    let (root, other) = (newRoot(.immediate), newRoot(.a))
    let (top, awaited) = (roots[roots.count - 2], roots.last!)
    let handlers = (0..<60).map { _ in Handler(body: [.wait(awaited)], answer: .value(payload(3))) }
    let first = newPromise()
    let waiting = handlers.map { Operation.child(newPromise(), of: top, .value, on: nil, $0) }
    let handler = Handler(body: waiting, answer: .nothing)
    return [root, other, .child(first, of: top, .value, on: nil, handler), .settle(top, .nothing)]
  }

  /// A task fails, or the result is settled or cancelled by hand, while other tasks run.
  private mutating func seriesThatEnds(_ depth: Int) -> [Operation] {
    guard depth < 3 else { return [operation(depth: depth)] }
    let number = newPromise()
    let bad = Handler(body: [], answer: random.once(in: 2) ? .thrown(payload(3)) : .failure(payload(3)))
    let good = Handler(body: operations(depth + 1), answer: answer(depth + 1))
    let tasks = random.one(of: [[bad, good], [good, bad], [bad, bad, good], [bad, bad, bad, bad], [good]])
    let series = Operation.series(
      number, random.one(of: Series.allCases), of: [0, random.one(of: [0, -1, anyPromise()]), 0],
      on: random.one(of: [.a, .a, .b, .immediate]), tasks)
    let end: [Operation] = [
      random.once(in: 2) ? .cancel(number, reason: self.number()) : .settle(number, answer(3)), .drain(.a),
    ]
    let ends: [[Operation]] = [[], [end[0]], [.nested(random.one(of: [15, 16, 17, 18]), end)]]
    return [series] + random.one(of: ends)
  }

  /// A hook steps the context of the waiting tasks, before the series has withdrawn these tasks.
  private mutating func seriesThatEndsInAHook() -> [Operation] {
    let (number, place) = (newPromise(), random.one(of: [Place.a, .b]))
    let tasks = (0..<random.below(3)).map { _ in Handler(body: [], answer: answer(3)) }
    let follower = newRoot(.immediate)
    let steps = (0..<(1 + random.below(2))).map { _ in Operation.step(place) }
    return [
      .series(number, random.one(of: Series.allCases), of: [0, input(), 0], on: place, tasks), follower,
      .hook(.cancel, self.number(), of: roots.last!, steps), .settle(roots.last!, .promise(number)),
    ] + (random.once(in: 3) ? [.step(place)] : []) + [.cancel(number, reason: self.number())]
  }

  /// Nothing retains a step that has a follower and whose handler has returned a promise.
  private mutating func unheldFollower(_ depth: Int) -> [Operation] {
    let (root, place) = (newRoot(.immediate), anyPromise())
    let (parent, above, middle) = (roots.last!, newPromise(), newPromise())
    (parents[above], parents[middle]) = (parent, above)
    let first = Operation.child(above, of: parent, .none, on: nil, Handler(body: [], answer: .nothing))
    let step = Operation.child(
      middle, of: above, random.one(of: [.value, .both, .finally]), on: nil,
      Handler(body: [], answer: .promise(place)))
    let follower = newRoot(.a)
    var operations: [Operation] = [
      step, .settle(parent, .nothing), .settle(roots.last!, .promise(middle)), .drop(middle),
    ]
    if random.once(in: 2) { operations.swapAt(0, 1) }
    if random.once(in: 2) { operations.insert(.drop(above), at: 3) }
    return [root, first, follower] + operations + [
      .cancel(random.one(of: [parent, roots.last!]), reason: number())
    ]
  }

  /// More promises than one slice of work covers. This shape is rare, because it is slow: the checks after
  /// each operation look at every promise.
  private mutating func many() -> [Operation] {
    let isNew = random.once(in: 2)
    let root = isNew ? [newRoot(random.one(of: [.a, .a, .immediate]))] : []
    let place = isNew ? roots.last! : promise()
    let shape = random.one(of: Shape.allCases)
    let count =
      shape == .fan ? random.one(of: [63, 64, 65, 130]) : random.one(of: [15, 17, 64, 66, 70, 260])
    let step: Step = random.one(of: [.value, .value, .reason, .finally, .none, .none, .shield])
    let number = numbers + 1
    for _ in 0..<count { parents[newPromise()] = shape == .fan ? place : numbers - 1 }
    let last = numbers
    let more = Operation.many(number, count: count, of: place, shape, step, on: self.place())
    let ends: [[Operation]] = [
      [.settle(place, answer(3))], [.cancel(place, reason: self.number())],
      [.settle(place, .nothing), .cancel(place, reason: self.number())],
      [.settle(place, .nothing), .step(.a), .cancel(place, reason: self.number())],
      [.drop(number + random.below(count)), .look(last), .drop(place), .look(last)],
      [.wait(last), .look(last)],
    ]
    return root + [more] + random.one(of: ends)
  }
}
