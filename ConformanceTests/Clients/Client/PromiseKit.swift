import Dispatch
import DynamicPromise

/// Uses every name of `PromiseKitNames`.
func promiseKit() -> [Promise] {
  let list = firstly { Guarantee.value([3, 1, 2]) }
  let failed = AnyPromise(error: PMKError.cancelled)
  return beginnings() + [
    list.then(on: .main) { _ in 1 }, list.then(on: nil) { (numbers: [Int]) in numbers.count },
    list.done { _ in }, list.done { (numbers: [Int]) in precondition(numbers.count == 3) },
    list.get { _ in }, list.get { (numbers: [Int]) in precondition(numbers.count == 3) },
    list.map { "\($0)" }, list.map { (numbers: [Int]) in numbers.count }, list.asVoid(),
    list.compactMap { $0 as? [Int] }, list.compactMap { (numbers: [Int]) in numbers.first },
    list.mapValues { "\($0)" }, list.mapValues { (n: Int) in n + 1 },
    list.flatMapValues { [$0, $0] }, list.flatMapValues { (n: Int) in [n, n] },
    list.compactMapValues { $0 as? Int }, list.compactMapValues { (n: Int) in n > 1 ? n : nil },
    list.filterValues { $0 is Int }, list.filterValues { (n: Int) in n > 1 },
    list.thenMap { $0 }, list.thenMap { (n: Int) in Promise.value(n) },
    list.thenFlatMap { [$0] }, list.thenFlatMap { (n: Int) in Promise.value([n]) },
    list.firstValue.get { _ in precondition(list.isResolved && list.error == nil) },
    list.firstValue { $0 is Int }, list.firstValue { (n: Int) in n > 1 },
    list.lastValue, list.sortedValues(),
    failed.catch(policy: .allErrors) { "\($0)" }, failed.catch(on: .main) { "\($0)" }.ignoreErrors(),
    failed.recover { _ in 1 }.ignoreErrors(),
    failed.recover(only: PMKError.self) { _ in 1 }.ignoreErrors(),
    list.ensure {}, list.ensureThen { Promise.value(()) }, list.finally(on: .main) {},
    failed.cauterize { _ in },
  ] + several(list)
}

private func beginnings() -> [Promise] {
  [
    Promise { seal in seal(1) }, Promise { seal in seal.callAsFunction(1) },
    Promise { seal in seal.fulfill_() },
    Promise { seal in seal.resolve((any Error)?.none, 1) },
    Promise { seal in seal.resolve(Result<Int, any Error>.success(1)) },
    DispatchQueue.main.async(.promise) { 1 }, after(seconds: 0), after(.milliseconds(1)),
  ]
}

private func several(_ list: Promise) -> [Promise] {
  [
    when(fulfilled: [list]), when(fulfilled: list, list).done { (_: [Int], _: [Int]) in },
    when(fulfilled: list, list, list).map { (a: [Int], _: [Int], _: [Int]) in a },
    when(fulfilled: list, list, list, list), when(fulfilled: list, list, list, list, list),
    when(fulfilled: [list].makeIterator(), concurrently: 2), when(resolved: [list]),
    when(resolved: list, list), race([list]), race(list, list), race(fulfilled: [list]),
    list.then { (a: Int, b: Int, c: Int) in a + b + c },
  ]
}
