// Random programs of promises, run on the library and on a naive model of the Spec, and compared (2.2, 2.3, A2, C).
//
// A program's jobs run in batches only (`Operation.drain`), and handlers have no side effects: then every outcome
// follows from the Spec alone, whatever the order in which different promises are handed over, which nobody promises.

import DynamicPromise
import XCTest

final class RandomProgramTests: XCTestCase {
  #if DEBUG
    private let seeds: Range<UInt64> = 0..<2000
  #else
    private let seeds: Range<UInt64> = 0..<20_000
  #endif

  // Spec: 2.2.7, 2.3, A2.1, A2.2, A2.7, A2.9, A3.2, C1, C2, C3, C4, C5, C9.1, C9.4, L2.2, L3.9
  func testRandomProgramsBehaveAsTheModel() {
    for seed in seeds where !run(seed: seed, length: 4 + Int(seed % 50)) { return }
  }

  /// Whether the program behaved; says what did not.
  private func run(seed: UInt64, length: Int) -> Bool {
    let census = Census()
    var program = Program(seed: seed, census: census)
    var history: [String] = []
    for _ in 0..<length {
      history.append(program.doSomething())
      if let difference = program.difference() { return report(seed, history, difference) }
    }
    program.drain()
    if let difference = program.difference() { return report(seed, history + ["drain"], difference) }
    program.loseResolvers()
    program.drain()
    if let difference = program.difference() {
      return report(seed, history + ["lose all, drain"], difference)
    }
    // A promise that waits for its own descendant waits for ever, and stays (L1).
    let isComplete = program.isComplete
    program.forget()
    if isComplete, census.alive > 0 { return report(seed, history, "\(census.alive) promises are left") }
    return true
  }

  private func report(_ seed: UInt64, _ history: [String], _ difference: String) -> Bool {
    XCTFail("seed \(seed): \(difference)\n  " + history.joined(separator: "\n  "))
    return false
  }
}

/// What a handler of a program does: the same for library and model.
enum Behaviour: CaseIterable {
  case value, error, throwing, promise, optionalPromise, thenable, rejectingThenable, own, nothing
}

/// One program, made while it runs: each operation is done on the library and on the model.
private struct Program {
  private let context = SteppedContext()
  private let model = Model()
  private let table = Table()
  private let census: Census
  private var random: Random
  private var resolvers: [Int: Resolver] = [:]
  private let runs = Log<String>()
  private var compared = 0

  init(seed: UInt64, census: Census) {
    random = Random(state: seed &* 0x9E37_79B9_7F4A_7C15 &+ 1)
    self.census = census
    newRoot()
  }

  /// Promises that the program holds, by number.
  private final class Table: @unchecked Sendable {
    var promises: [Promise?] = []
  }

  private var held: [Int] { table.promises.indices.filter { table.promises[$0] != nil } }

  private mutating func newRoot() {
    let (promise, resolver) = Promise.pending(on: context)
    resolvers[table.promises.count] = resolver
    table.promises.append(census.add(promise))
    model.add(.init(nil, .none))
  }

  mutating func doSomething() -> String {
    let held = held
    guard let subject = held.isEmpty ? nil : held[random.below(held.count)] else {
      newRoot()
      return "root \(table.promises.count - 1)"
    }
    switch random.below(20) {
    case 0, 1:
      newRoot()
      return "root \(table.promises.count - 1)"
    case 2..<10: return register(on: subject)
    case 10..<14: return settle()
    case 14, 15:
      table.promises[subject]?.cancel(Mark("stop"))
      model.tell(model.all[subject], "stop")
      return "cancel \(subject)"
    case 16, 17:
      drain()
      return "drain"
    case 18:
      table.promises[subject] = nil
      return "drop \(subject)"
    default:
      guard let root = resolvers.keys.sorted().randomElement(using: &random) else { return "-" }
      resolvers[root] = nil
      model.resolve(model.all[root], .error("broken"))
      return "lose resolver \(root)"
    }
  }

  private mutating func register(on subject: Int) -> String {
    let number = table.promises.count
    let kind = Model.Kind.allCases[random.below(Model.Kind.allCases.count)]
    let behaviour = kind == .finally ? [.nothing, .nothing, .throwing][random.below(3)] : random.behaviour()
    let other = random.below(number + 3)
    let (table, runs) = (table, runs)
    let handler: @Sendable (String) throws -> Any? = { input in
      runs.append("\(number) \(input)")
      let target = other < table.promises.count ? table.promises[other] : nil
      switch behaviour {
      case .value, .nothing: return "v\(number)"
      case .error: return Mark("e\(number)")
      case .throwing: throw Mark("e\(number)")
      case .promise: return target ?? "v\(number)" as Any
      case .optionalPromise: return Optional(target as Any) as Any
      case .thenable:
        let value = UncheckedValue<Any>(target ?? "v\(number)" as Any)
        return StructThenable { resolve, _ in resolve(value.value) }
      case .rejectingThenable: return StructThenable { _, reject in reject(Mark("e\(number)")) }
      case .own: return table.promises[number] ?? "v\(number)" as Any
      }
    }
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
      case .none: parent.then(nil as (@Sendable (Any) throws -> Any?)?)
      }
    table.promises.append(census.add(child))
    let node = Model.Node(model.all[subject], kind)
    node.body = { [model, runs = model.runs] input in
      runs.append("\(number) \(input)")
      let target = other < table.promises.count && table.promises[other] != nil ? model.all[other] : nil
      switch behaviour {
      case .value, .nothing: return .value("v\(number)")
      case .error, .throwing: return .error("e\(number)")
      case .rejectingThenable: return .lateError("e\(number)")
      case .promise: return target.map { .promise($0) } ?? .value("v\(number)")
      case .thenable: return target.map { .promise($0) } ?? .value("v\(number)")
      case .optionalPromise: return target.map { .promise($0) } ?? .value("nil")
      case .own: return table.promises[number] == nil ? .value("v\(number)") : .promise(model.all[number])
      }
    }
    model.add(node)
    return "\(number) = \(subject).\(kind) -> \(behaviour) (\(other))"
  }

  private mutating func settle() -> String {
    guard let root = resolvers.keys.sorted().randomElement(using: &random) else { return "-" }
    let (resolver, node) = (resolvers[root]!, model.all[root])
    let held = held
    switch random.below(5) {
    case 0:
      resolver.fulfill("v\(root)")
      model.resolve(node, .value("v\(root)"))
      return "fulfill \(root)"
    case 1:
      resolver.reject(Mark("e\(root)"))
      model.resolve(node, .error("e\(root)"))
      return "reject \(root)"
    default:
      guard table.promises[root] != nil, let other = held.randomElement(using: &random) else { return "-" }
      if random.below(2) == 0 {
        resolver.resolve(table.promises[other]!)
      } else {
        table.promises[root]?.bind(table.promises[other]!)
      }
      model.resolve(node, .promise(model.all[other]))
      return "bind \(root) to \(other)"
    }
  }

  mutating func drain() {
    context.drain()
    model.drain()
  }

  mutating func loseResolvers() {
    for root in resolvers.keys.sorted() {
      resolvers[root] = nil
      model.resolve(model.all[root], .error("broken"))
    }
  }

  var isComplete: Bool { model.all.allSatisfy { $0.outcome != nil } }

  mutating func forget() {
    table.promises = []
  }

  /// What differs between library and model, if anything.
  mutating func difference() -> String? {
    for number in held {
      let promise = table.promises[number]!
      let node = model.all[number]
      let seen = promise.result.map { "\(state(promise)) \(outcomeText($0))" } ?? "pending"
      let expected = node.outcome.map { "\(node.isTold ? "told" : "settled") \($0)" } ?? "pending"
      if seen != expected { return "promise \(number) is \(seen), the model says \(expected)" }
    }
    guard runs.count + model.runs.count > compared else { return nil }
    let (seen, expected) = (runs.all.sorted(), model.runs.all.sorted())
    compared = seen.count + expected.count
    return seen == expected ? nil : "handlers that ran: \(seen), the model says \(expected)"
  }

  private func state(_ promise: Promise) -> String { promise.isCancelled ? "told" : "settled" }
}

/// The error of a program.
private struct Mark: Error {
  let name: String
  init(_ name: String) { self.name = name }
}

private func outcomeText(_ result: Result<Any, any Error>) -> String {
  switch result {
  case .success(let value): text(value)
  case .failure(let reason): text(reason as Any)
  }
}

private func text(_ value: Any) -> String {
  switch value {
  case let string as String: string
  case let mark as Mark: mark.name
  case PromiseError.cycle: "cycle"
  case PromiseError.broken: "broken"
  default: isNil(value) ? "nil" : "\(value)"
  }
}

/// SplitMix64: the same numbers everywhere.
private struct Random: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  mutating func behaviour() -> Behaviour { Behaviour.allCases[below(Behaviour.allCases.count)] }
}
