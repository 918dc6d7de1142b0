// One random program, made while it runs: each operation is done on the library and on the models.

import DynamicPromise
import Seeds

struct RandomProgram {
  /// What occurs in it.
  struct Features {
    /// Promises follow others: bound, resolved with, returned by handlers.
    let adopts: Bool
    let cancels: Bool
  }

  /// What a handler of a program does: the same for library and model.
  enum Behaviour: CaseIterable {
    case value, error, throwing, rejectingThenable, nothing, promise, optionalPromise, thenable, own
  }

  /// Promises that the program holds, by number.
  final class Table: @unchecked Sendable {
    var promises: [Promise?] = []
  }

  let features: Features
  let context = SteppedContext()
  let models: [Model]
  let table = Table()
  let runs = Log<String>()
  var random: Random
  var readings: [Reading] = []
  let executor = ManualTaskExecutor()
  private let census: Census
  private var resolvers: [Int: Resolver] = [:]

  init(seed: UInt64, _ features: Features, census: Census) {
    random = Random(seed &* 0x9E37_79B9_7F4A_7C15 &+ 1)
    self.features = features
    self.census = census
    // The first and the last of each choice, and whatever comes.
    var choices: [(Int) -> Int] = [{ _ in 0 }, { $0 - 1 }]
    for number in 1...12 {
      var random = Random(seed &+ UInt64(number) << 40)
      choices.append { random.below($0) }
    }
    models = choices.map { Model(choosing: $0) }
    newRoot()
  }

  var held: [Int] { table.promises.indices.filter { table.promises[$0] != nil } }

  /// Whether a promise is pending, to the library.
  func isPending(_ number: Int) -> Bool { table.promises[number]?.isPending == true }

  mutating func add(_ promise: Promise) {
    table.promises.append(census.add(promise))
  }

  private mutating func newRoot() {
    let (promise, resolver) = Promise.pending(on: context)
    resolvers[table.promises.count] = resolver
    for model in models { model.add(.init(table.promises.count, nil, .none)) }
    add(promise)
  }

  /// Does one thing on all models, and lets it take effect.
  func onModels(_ body: (Model) -> Void) {
    for model in models {
      body(model)
      model.takeEffect()
    }
  }

  /// Does one thing, and says what.
  mutating func doSomething() -> String {
    let held = held
    guard let subject = held.isEmpty ? nil : held[random.below(held.count)] else {
      newRoot()
      return "root \(table.promises.count - 1)"
    }
    switch random.below(30) {
    case 0, 1:
      newRoot()
      return "root \(table.promises.count - 1)"
    // The later ones more often, so that chains grow.
    case 2..<10: return register(on: max(subject, held[random.below(held.count)]))
    case 10..<14: return settle()
    case 14..<18:
      guard features.cancels else { return "-" }
      table.promises[subject]?.cancel(ProgramError("stop"))
      onModels { $0.propagateCancel(to: $0.all[subject], "stop") }
      return "cancel \(subject)"
    case 18, 19:
      drain()
      return "drain"
    case 20:
      // What is pending is held: how long one lives that nothing retains is another story (L1).
      guard !isPending(subject) else { return "-" }
      table.promises[subject] = nil
      return "drop \(subject)"
    case 21:
      guard let root = resolvers.keys.sorted().randomElement(using: &random) else { return "-" }
      lose(root)
      return "lose resolver \(root)"
    case 22, 23: return combine()
    case 24: return read(subject)
    case 25: return leave()
    default: return features.adopts ? follow(subject) : "-"
    }
  }

  /// A promise gets a follower, or one of its followers is cancelled.
  private mutating func follow(_ other: Int) -> String {
    let followers = models[0].all.filter { $0.isPending && $0.adopted != nil }.map(\.number)
    if features.cancels, !followers.isEmpty, random.below(2) == 0 {
      let follower = followers[random.below(followers.count)]
      table.promises[follower]?.cancel(ProgramError("stop"))
      onModels { $0.propagateCancel(to: $0.all[follower], "stop") }
      return "cancel \(follower), which follows"
    }
    let follower = table.promises.count
    newRoot()
    resolvers[follower]?.resolve(table.promises[other]!)
    onModels { $0.resolve($0.all[follower], .promise($0.all[other])) }
    return "\(follower) follows \(other)"
  }

  private mutating func register(on subject: Int) -> String {
    let number = table.promises.count
    let kind = Model.Kind.allCases[random.below(Model.Kind.allCases.count)]
    let behaviour = kind == .finally ? [.nothing, .nothing, .throwing][random.below(3)] : self.behaviour()
    let other = random.below(number + 3)
    let handler = handler(number, behaviour, other)
    let parent = table.promises[subject]!
    let child =
      switch kind {
      case .value: parent.then { (value: Any) -> Any? in try handler(text(value)) }
      case .reason: parent.catch { (reason: any Error) -> Any? in try handler(text(reason)) }
      case .both:
        parent.then(
          { (value: Any) -> Any? in try handler(text(value)) },
          { (reason: any Error) -> Any? in try handler(text(reason)) })
      case .finally: parent.finally { _ = try handler("finally") }
      case .none:
        random.below(2) == 0
          ? parent.then(nil as (@Sendable (Any) throws -> Any?)?) : parent.setTimeout(.infinity)
      case .shield: parent.shielded()
      }
    add(child)
    onModels { model in
      let node = Model.Node(number, model.all[subject], kind)
      node.body = body(number, behaviour, other, of: model)
      model.add(node)
    }
    return "\(number) = \(subject).\(kind) -> \(behaviour) (\(other))"
  }

  private mutating func behaviour() -> Behaviour {
    let all =
      features.adopts ? Behaviour.allCases : [.value, .error, .throwing, .rejectingThenable, .nothing]
    return all[random.below(all.count)]
  }

  private mutating func settle() -> String {
    guard let root = resolvers.keys.sorted().randomElement(using: &random) else { return "-" }
    let resolver = resolvers[root]!
    switch random.below(features.adopts ? 5 : 2) {
    case 0:
      resolver.fulfill("v\(root)")
      onModels { $0.resolve($0.all[root], .value("v\(root)")) }
      return "fulfill \(root)"
    case 1:
      resolver.reject(ProgramError("e\(root)"))
      onModels { $0.resolve($0.all[root], .error("e\(root)")) }
      return "reject \(root)"
    default:
      guard table.promises[root] != nil, let other = held.randomElement(using: &random) else { return "-" }
      if random.below(2) == 0 {
        resolver.resolve(table.promises[other]!)
      } else {
        table.promises[root]?.bind(table.promises[other]!)
      }
      onModels { $0.resolve($0.all[root], .promise($0.all[other])) }
      return "bind \(root) to \(other)"
    }
  }

  mutating func drain() {
    context.drain()
    for model in models { model.drain() }
  }

  private mutating func lose(_ root: Int) {
    resolvers[root] = nil
    onModels { $0.resolve($0.all[root], .error("broken")) }
  }

  mutating func loseResolvers() {
    for root in resolvers.keys.sorted() { lose(root) }
  }

  mutating func forget() {
    table.promises = []
  }
}
