/// Makes a program from a seed. A seed gives the same program on every platform.
struct ProgramGenerator {
  private var random: Random
  private let capabilities: Capabilities
  private let hasOneContext: Bool
  private var promises: [Int] = []
  private var roots: [Int] = []
  private var numbers = 0
  /// The number of operations that may follow.
  private var budget: Int

  /// Returns the program of a seed, without features that the implementation cannot express.
  static func program(seed: UInt64, for adapter: some PromiseAdapter) -> Program {
    var generator = ProgramGenerator(seed, adapter.capabilities, adapter.hasOneContext)
    return generator.program(seed)
  }

  private init(_ seed: UInt64, _ capabilities: Capabilities, _ hasOneContext: Bool) {
    random = Random(seed &* 0x9E37_79B9_7F4A_7C15 &+ 1)
    (self.capabilities, self.hasOneContext) = (capabilities, hasOneContext)
    budget = 2 + random.below(9)
  }

  private mutating func program(_ seed: UInt64) -> Program {
    var operations = [create()]
    while budget > 0 { operations.append(operation(depth: 0)) }
    // The program ends by settling most of the promises created here. Earlier operations may have settled
    // some of them already.
    for case .create(let root, _) in operations where !random.once(in: 5) {
      operations.append(settle(root))
    }
    var program = Program(seed: seed, operations: operations, schedule: .plain, end: numbers + 1)
    program.schedule = Schedule(bound: program.stepBound, &random)
    return program
  }

  private mutating func number() -> Int {
    numbers += 1
    return numbers
  }

  private mutating func create() -> Operation {
    let number = number()
    promises.append(number)
    roots.append(number)
    let lane = random.one(of: Lane.contexts)
    return .create(number, on: hasOneContext ? .a : lane)
  }

  private mutating func operation(depth: Int) -> Operation {
    budget -= 1
    switch random.below(8) {
    case 0: return create()
    case 1: return settle(random.one(of: roots))
    case 2 where depth > 0: return settle(random.one(of: roots))
    default: return then(depth)
    }
  }

  private mutating func then(_ depth: Int) -> Operation {
    // Half of the calls extend the newest promise, which makes long chains. The others choose any promise.
    let parent = random.once(in: 2) ? promises[promises.count - 1] : random.one(of: promises)
    let number = number()
    promises.append(number)
    let which = random.below(8)
    let fulfilled = which < 6 ? reaction(depth) : nil
    let rejected = which > 3 && which < 7 ? reaction(depth) : nil
    return .then(number, of: parent, fulfilled, rejected)
  }

  private mutating func reaction(_ depth: Int) -> Reaction {
    var body: [Operation] = []
    if depth < 2 {
      for _ in 0..<max(0, random.below(4) - 1) where budget > 0 { body.append(operation(depth: depth + 1)) }
    }
    return Reaction(body: body, answer: answer(in: .adoption))
  }

  private mutating func settle(_ root: Int) -> Operation {
    let answer = answer(in: .resolve)
    return .settle(root, answer, byResolve: capabilities.contains(.resolve) && random.once(in: 2))
  }

  /// `place` is the capability that a promise or thenable needs here: `.adoption` in a handler, otherwise
  /// `.resolve`.
  private mutating func answer(in place: Capabilities) -> Answer {
    switch random.below(8) {
    case 0...2: return .value(number())
    case 3, 4:
      let isThrown = place == .adoption
      return isThrown && !capabilities.contains(.throwingHandlers) ? .value(number()) : .error(number())
    case 5 where capabilities.contains(place), 6 where capabilities.contains(place):
      return .promise(random.one(of: promises))
    case 7 where capabilities.isSuperset(of: [.thenables, place]): return .thenable(foreign(nesting: 0))
    default: return .value(number())
    }
  }

  private mutating func foreign(nesting: Int) -> Foreign {
    var foreign = Foreign(number: number())
    switch random.below(10) {
    case 0: foreign.getter = .throwing(number())
    case 1: foreign.getter = .notAFunction
    default:
      foreign.calls = (0..<random.one(of: [0, 1, 1, 1, 2, 2, 3])).map { _ in call(nesting) }
      if random.once(in: 4) { foreign.thrown = number() }
    }
    return foreign
  }

  private mutating func call(_ nesting: Int) -> Call {
    let answer: Answer =
      switch random.below(8) {
      case 0...2: .value(number())
      case 3, 4: .error(number())
      case 5: .promise(random.one(of: promises))
      default: nesting < 3 ? .thenable(foreign(nesting: nesting + 1)) : .value(number())
      }
    let when: Call.When =
      switch random.below(32) {
      case 0: .elsewhere
      case 1...10: .late
      default: .now
      }
    return Call(answer: answer, when: when)
  }
}
