// Makes a program from a seed.

import PromisesAPlusSuite

/// Makes programs. A seed gives the same program on every platform.
public struct Generator {
  var random: Random
  private let seed: UInt64
  /// The numbers of all promises so far. `roots` has only the numbers of the roots.
  var promises: [Int] = []
  var roots: [Int] = []
  var parents: [Int: Int] = [:]
  var numbers = 0
  /// The number of operations that may still be added.
  var budget: Int
  let threads: Int

  private init(_ seed: UInt64, _ threads: Int) {
    (self.seed, self.threads) = (seed, threads)
    random = Random(seed &* 0x9E37_79B9_7F4A_7C15 &+ 1)
    budget = 12 + Int(seed % 50)
  }

  /// The program of this seed, for this number of threads.
  public static func program(seed: UInt64, threads: Int = 1) -> Program {
    var generator = Generator(seed, threads)
    return generator.program()
  }

  /// True for one in `count` of the choices of programs on threads. Other programs use no random number.
  mutating func onThreads(in count: Int) -> Bool { threads > 1 && random.once(in: count) }

  private mutating func program() -> Program {
    var operations = [root()]
    while budget > 0 { operations += some(depth: 0) }
    return Program(seed: seed, operations: operations, threads: threads)
  }

  mutating func number() -> Int {
    numbers += 1
    return numbers
  }

  mutating func newPromise() -> Int {
    let number = number()
    promises.append(number)
    return number
  }

  mutating func root() -> Operation {
    let number = newPromise()
    roots.append(number)
    if onThreads(in: 2) { return .root(number, random.one(of: [.serial, .concurrent, .pool, .pool])) }
    return .root(
      number, random.one(of: [.a, .a, .a, .b, .b, .immediate, .immediate, .immediate, .immediate, .atOnce]))
  }

  private mutating func made(_ depth: Int) -> Operation {
    let body = operations(depth + 1)
    let answer = answer(depth + 1)
    guard case .root(let number, let place) = root() else { preconditionFailure("`root()` returns a root") }
    return .made(number, place, body, answer)
  }

  /// A random promise. Later promises are more likely, so that chains grow.
  mutating func promise() -> Int {
    promises[max(random.below(promises.count), random.below(promises.count))]
  }

  mutating func anyPromise() -> Int { random.one(of: promises) }

  mutating func operation(depth: Int) -> Operation {
    budget -= 1
    if onThreads(in: 30) { return .await(anyPromise(), isCancelled: random.once(in: 2)) }
    switch random.below(76) {
    case 0..<3: return random.once(in: 5) ? made(depth) : root()
    case 3..<20: return child(depth, of: promise())
    case 20..<25: return .settle(random.once(in: 3) ? anyPromise() : random.one(of: roots), answer(depth))
    case 25, 72: return .resolve(random.one(of: roots), answer(depth))
    case 26..<29: return .settle(anyPromise(), .promise(anyPromise()))
    case 29..<37: return .cancel(anyPromise(), reason: number())
    case 37..<39: return .hook(.cancel, number(), of: random.one(of: roots), operations(depth + 1))
    case 39: return observer(depth)
    case 40: return random.once(in: 4) ? .ignoreErrors(anyPromise()) : .cancelsWhenUnwanted(anyPromise())
    case 41..<44: return .drop(anyPromise())
    case 44: return .loseResolver(random.one(of: roots))
    case 45..<53: return .step(random.one(of: [.a, .a, .b]))
    case 53: return .tick(random.one(of: [.a, .b]))
    case 54..<56: return combination()
    case 56..<58:
      let top = anyPromise()
      return .finished(newPromise(), of: top, on: random.once(in: 3) ? place() : nil)
    case 58 where depth < 3: return series(depth)
    case 59: return .hook(.abandon, number(), of: random.one(of: roots), operations(depth + 1))
    case 60: return .nested(random.one(of: [1, 3]), operations(depth + 1) + [.elsewhere])
    case 61 where random.once(in: 4): return .dropJobs(random.one(of: [.a, .b]))
    case 67 where random.once(in: 3): return .whenLost(operations(depth + 1))
    case 62: return random.once(in: 2) ? .drain(random.one(of: [.a, .b])) : .dropBag(random.below(2))
    case 63:
      let parent = promise()
      return .bagged(newPromise(), of: parent, bag: random.below(2))
    case 73: return .hook(.end, number(), of: random.one(of: roots), operations(depth + 1))
    case 74: return .results(random.below(2), of: (0..<(1 + random.below(2))).map { _ in anyPromise() })
    case 75: return .dropResults(random.below(2))
    case 64..<67: return .look(anyPromise())
    case 70..<72: return .withdraw(anyPromise(), reason: number())
    default: return .wait(anyPromise())
    }
  }

  mutating func observer(_ depth: Int) -> Operation {
    let capture = random.once(in: 2) ? payload(depth) : nil
    return .observe(of: anyPromise(), on: place(), operations(depth + 1), capture: capture)
  }

  mutating func combination() -> Operation {
    let inputs = (0..<(1 + random.below(3))).map { _ in anyPromise() }
    return .combine(
      newPromise(), random.one(of: Combinator.allCases), of: inputs,
      Cancelling(inputs: !random.once(in: 3), rest: random.once(in: 2)))
  }

  mutating func series(_ depth: Int) -> Operation {
    let inputs = (0..<(1 + random.below(3))).map { _ in input() }
    let (number, place) = (newPromise(), random.one(of: [Place.a, .b, .immediate, .atOnce]))
    let tasks = (0..<random.below(4)).map { _ in
      Handler(body: operations(depth + 1), answer: answer(depth + 1))
    }
    return .series(number, random.one(of: Series.allCases), of: inputs, on: place, tasks)
  }

  /// An input of a series.
  mutating func input() -> Int { random.one(of: [0, 0, -1, anyPromise(), anyPromise(), anyPromise()]) }

  mutating func place() -> Place? {
    if onThreads(in: 4) { return random.one(of: [.serial, .concurrent, .pool]) }
    return random.one(of: [nil, nil, nil, nil, .a, .b, .immediate, .immediate, .atOnce])
  }

  /// Makes a child with the next number.
  mutating func child(_ depth: Int, of parent: Int) -> Operation {
    let steps: [Step] = [
      .value, .value, .value, .value, .reason, .reason, .reason, .both, .both, .both, .finally, .finally,
      .finally, .tap, .tapBoth, .none, .shield, .timeout, .delay,
    ]
    let (number, step, place) = (newPromise(), random.one(of: steps), self.place())
    parents[number] = parent
    guard step.hasHandler else {
      return .child(number, of: parent, step, on: nil, Handler(body: [], answer: .nothing))
    }
    let handler = Handler(
      body: operations(depth + 1), answer: answer(depth + 1),
      capture: random.once(in: 3) ? payload(depth) : nil)
    if step == .value, onThreads(in: 6) { return .child(number, of: parent, .suspending, on: place, handler) }
    return .child(number, of: parent, step, on: place, handler)
  }

  /// The operations of a handler, hook or deinit.
  mutating func operations(_ depth: Int) -> [Operation] {
    guard depth <= 3, budget > 0 else { return [] }
    return (0..<random.one(of: [0, 0, 1, 1, 2, 3])).flatMap { _ in some(depth: depth) }
  }

  /// An operation, or sometimes the operations of a rare shape.
  mutating func some(depth: Int) -> [Operation] {
    if depth == 0, onThreads(in: 5) { return meeting(depth) }
    return random.below(12) == 0 ? shape(depth) : [operation(depth: depth)]
  }

  mutating func payload(_ depth: Int) -> Payload {
    Payload(number: number(), onDeinit: random.once(in: 4) ? operations(depth + 1) : [])
  }

  mutating func answer(_ depth: Int, isInThenable: Bool = false) -> Answer {
    switch random.below(12) {
    case 0..<5: return .value(payload(depth))
    case 5: return .nothing
    case 6: return .failure(payload(depth))
    case 7: return .thrown(payload(depth))
    case 8, 9: return .promise(anyPromise())
    default:
      if isInThenable { return .promise(promise()) }
      return .thenable(
        Call(
          getter: random.once(in: 3) ? operations(depth + 1) : [],
          method: random.once(in: 3) ? operations(depth + 1) : [],
          answer: answer(depth, isInThenable: true)))
    }
  }
}
