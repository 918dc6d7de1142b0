import DynamicPromise

/// The errors with which a dialogue ends.
enum Dialogue: CancellableError {
  case closed, refused

  var isCancelled: Bool { self == .closed }
}

/// An owner whose deallocation cancels its promises.
final class Owner: Sendable {
  private let bag = CancelBag()

  func follow(_ promise: Promise) -> Promise { promise.then { $0 }.cancelled(with: bag) }
}

/// Taps, observers, and promises that need a consumer.
func looked() async throws -> [Bool] {
  let promise = Promise()
  let looked = promise.tap { _ in "ignored" }
    .tap(on: .serial("client.look")) { (number: Int) in Promise.resolved(number + 1) }
    .tap { await Task.yield() }
    .tap { (_: Int) in await Task.yield() }
    .tapCatch { error in "\(error)" }
    .tapCatch { (_: Refused) in }
    .tapResult { _ in 0 }
    .tap { _ in await Task.yield() }
    .tapCatch { _ in await Task.yield() }
    .tapCatch { (_: Refused) in await Task.yield() }
    .delay(0.001)
    .onSuccess { _ in }
    .onSuccess(on: .immediate) { (_: Int) in }
    .onFail { error in _ = error }
    .onFail { (_: Refused) in }
    .onCancel {}
    .onCancel(on: .main) { _ in }
    .onSuccessOnMain { _ in }
    .onSuccessOnMain { (_: Int) in }
    .onFailOnMain { error in _ = error }
    .onFailOnMain { (_: Refused) in }
    .onCancelOnMain { _ in }
  let hasWon = promise.fulfill(1)
  let value = try await looked.value(as: Int.self)
  let everything = try await promise.root.finished(on: .immediate).value
  let wanted = Promise().cancelsWhenUnwanted()
  let consumer = wanted.then { $0 }
  let (task, resolver) = Promise.pending()
  let followed = Owner().follow(task)
  return [
    hasWon, everything is Void, !promise.reject(Refused()), value == 1, consumer.cancel(), wanted.isCancelled,
    followed.isCancelled, followed.withdraw(), Promise().withdraw("unwanted"), resolver.isCancelled,
    !resolver.resolve(1), !resolver.resolve(Result<Int, Refused>.success(1)), Dialogue.closed.isCancellation,
    Promise.rejected(Dialogue.closed).isCancelled,
  ]
}
