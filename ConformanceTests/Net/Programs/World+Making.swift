// Operations that make promises.

import DynamicPromise

extension World {
  /// Adds a record for the promise that `make` returns.
  @discardableResult
  func add(_ number: Int, _ parent: Record?, _ step: Step, _ place: Place, _ make: () -> Promise) -> Record? {
    let record = Record(number, parent: parent, step, place, age: all.count)
    records[number] = record
    all.append(record)
    lane.registering.insert(number)
    if let parent {
      record.isLate = parent.promise?.isSettled == true
      if record.isLate { parent.isObserved = true } else { parent.mayBeObserved = true }
    }
    clock += 1
    record.begins = clock
    let promise = calling(make)
    clock += 1
    record.ends = clock
    lane.registering.remove(number)
    record.promise = promise
    parent?.children.append(record)
    promises[number] = promise
    return record
  }

  /// Whether a cancelled promise is finished only when its resolver has been used or freed (K17.9).
  static func isAwaited(resolverOf number: Int) -> Bool { number % 3 == 0 }

  /// Whether the root with this number is made with `Promise()`, without a resolver.
  static func isOpen(_ number: Int) -> Bool { number % 2 == 0 }

  func makeRoot(_ number: Int, _ place: Place) {
    let record = add(number, nil, .none, place) {
      if Self.isOpen(number) { return Promise(on: context(place)) }
      let (promise, resolver) = Promise.pending(on: context(place))
      if Self.isAwaited(resolverOf: number) { resolver.alwaysCallsBack() }
      inside { resolvers[number] = resolver }
      return promise
    }
    record?.isOpen = Self.isOpen(number)
  }

  /// Makes a promise whose closure performs `body` and settles it with `answer`.
  func make(_ number: Int, _ place: Place, _ body: [Operation], _ answer: Answer) {
    var kept: Resolver?
    let record = add(number, nil, .none, place) {
      Promise(on: context(place)) { resolver in
        perform(body, in: .other)
        switch answer {
        case .nothing:
          kept = resolver
          if Self.isAwaited(resolverOf: number) { resolver.alwaysCallsBack() }
        case .value(let payload): resolver.fulfill(Token(payload, self))
        case .failure(let payload): resolver.reject(Failure(payload, self))
        case .thrown(let payload): throw Failure(payload, self)
        case .promise(let other):
          let promise = inside { () -> Promise? in
            guard let promise = promises[other] else { return nil }
            records[number]?.target = records[other]
            records[other]?.mayBeObserved = true
            return promise
          }
          if let promise { resolver.resolve(promise) }
        case .thenable(let call):
          inside { records[number]?.hasThenable = true }
          resolver.resolve(Thing(call, self))
        }
      }
    }
    resolvers[number] = kept
    record?.isResolvedByHand = kept == nil
    record?.settledByHandWith = kept == nil ? answer.text : nil
    // L2.2: the resolver was lost, because the promise of the answer did not exist.
    if case .promise = answer, record?.target == nil { record?.lostResolver = true }
  }

  func makeResults(_ number: Int, _ inputs: [Int]) {
    let numbers = inputs.filter { promises[$0] != nil }
    guard !numbers.isEmpty else { return }
    let records = numbers.compactMap { self.records[$0] }
    for record in records { record.isObserved = true }
    let inputs = numbers.map { promises[$0]! }
    let results = calling { Promise.results(of: inputs) }
    discardResults(sequences.updateValue((results, records), forKey: number))
  }

  /// L5.2: results that are dropped do not observe later rejections.
  func discardResults(_ dropped: (results: Promise.Results, inputs: [Record])?) {
    for record in dropped?.inputs ?? [] where record.seen == nil { record.wasLeft = true }
    discard(dropped)
  }

  func makeChild(
    _ number: Int, _ parent: Int, _ step: Step, _ named: Place?, _ handler: Handler, bag: Int = 0
  ) {
    guard let promise = promises[parent], let above = records[parent] else { return }
    let capture = handler.capture.map { Token($0, self) }
    let run: @Sendable (Result<Any, any Error>?) throws -> Any? = { [self] input in
      defer { withExtendedLifetime(capture) {} }
      return try handle(number, input, handler)
    }
    let value: @Sendable (Any) throws -> Any? = { try run(.success($0)) }
    let reason: @Sendable (any Error) throws -> Any? = { try run(.failure($0)) }
    let either: @Sendable (Result<Any, any Error>) throws -> Any? = { try run($0) }
    let end: @Sendable () throws -> Any? = { try run(nil) }
    let context = context(named)
    // A child's default context is that of its root (X1.4, X1.5).
    let place = named ?? defaultPlace(of: above)
    // Timed steps need a stepped context, because the system's clock cannot be stepped.
    if step.isTimed, contexts[place] == nil { return }
    let itsBag = step == .bagged ? self.bag(bag) : nil
    let record = add(number, above, step, place) {
      switch step {
      case .value: promise.thenOn(context, value)
      case .reason: promise.catchOn(context, reason)
      case .both: promise.thenOn(context, value, reason)
      case .finally: promise.finallyOn(context, end)
      case .tap: promise.tap(on: context, value)
      case .tapBoth: promise.tapResult(on: context, either)
      case .none: promise.then(nil)
      case .shield: promise.shielded()
      case .timeout: promise.setTimeout(1.0)
      case .delay: promise.delay(1.0)
      case .bagged: promise.cancelled(with: itsBag!)
      case .suspending:
        promise.thenOn(context) { (value: Any) async throws -> Any? in
          await Task.yield()
          return try run(.success(value))
        }
      }
    }
    record?.handler = step.hasHandler ? handler : nil
    record?.bag = step == .bagged ? bag : nil
  }

  private func bag(_ number: Int) -> CancelBag {
    let bag = bags[number] ?? CancelBag()
    bags[number] = bag
    return bag
  }

  func makeMany(
    _ number: Int, _ count: Int, _ place: Int, _ shape: Shape, _ step: Step, _ context: Place?
  ) {
    guard promises[place] != nil else { return }
    for index in number..<(number + count) {
      switch shape {
      case .fan, .chain:
        let parent = shape == .fan || index == number ? place : index - 1
        makeChild(index, parent, step, context, Handler(body: [], answer: .nothing))
      case .followers, .followerChain:
        makeRoot(index, context ?? .a)
        perform(.settle(index, .promise(shape == .followers || index == number ? place : index - 1)))
      }
    }
  }

  func nest(_ depth: Int, _ body: [Operation]) {
    lane.depth += 1
    defer { lane.depth -= 1 }
    guard depth > 0 else { return perform(body, in: .other) }
    calling {
      let promise = Promise(on: .immediate)
      promise.then { [self] (_: Any) -> Any? in
        inside { nest(depth - 1, body) }
        return nil
      }
      promise.fulfill(nil)
    }
  }

  func defaultPlace(of record: Record) -> Place { record.path.reduce(record.place) { $1.place } }

  func combine(_ number: Int, _ combinator: Combinator, _ inputs: [Int], _ cancels: Cancelling) {
    var records = inputs.filter { promises[$0] != nil }
    if combinator.isOfOne { records = Array(records.prefix(1)) }
    guard let first = records.first, let place = self.records[first].map(defaultPlace) else { return }
    let cancels = combinator.isOfOne ? Cancelling(rest: true) : cancels
    // `limited` needs a stepped context, because the system's clock cannot be stepped.
    if combinator == .limited, contexts[place] == nil { return }
    for number in records { self.records[number]?.isObserved = true }
    let inputs: [Any?] = records.map { promises[$0] }
    if cancels.rest { mayWithdraw = true }
    let only = promises[first]!
    let result = add(number, nil, .none, place) {
      switch combinator {
      case .all: Promise.all(inputs, cancellingInputs: cancels.inputs, cancellingRest: cancels.rest)
      case .allSettled: Promise.allSettled(inputs, cancellingInputs: cancels.inputs)
      case .any: Promise.any(inputs, cancellingInputs: cancels.inputs, cancellingRest: cancels.rest)
      case .race: Promise.race(inputs, cancellingInputs: cancels.inputs, cancellingRest: cancels.rest)
      case .limited: only.timeout(1.0, cancelling: true)
      case .reflect: only.reflect()
      }
    }
    result?.combinator = combinator
    result?.inputs = records.compactMap { self.records[$0] }
    result?.cancelling = cancels
  }
}
