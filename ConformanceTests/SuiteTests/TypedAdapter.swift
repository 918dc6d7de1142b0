import Foundation
import PromisesAPlusSuite

/// The statically typed stand-in, as the suite sees it. Its values are objects, its reasons errors.
///
/// Whatever the suite passes although the declared capabilities exclude it is noted as a breach: the
/// case that did so should have been reported as not expressible.
struct TypedAdapter: PromiseAdapter {
  typealias P = TypedStandIn<AnyObject>

  struct NotAnError: Error {}

  let breaches = Breaches()
  private let worker = DispatchQueue(label: "typed stand-in")

  var capabilities: Capabilities { [.adoption, .throwingHandlers] }

  func pending() -> Deferred<P> {
    let promise = P(on: worker)
    return Deferred(
      promise: promise,
      resolve: { x in
        breaches.note("resolves with \(x)")
        promise.resolve(next(x))
      },
      fulfill: { promise.fulfill(object($0)) },
      reject: { promise.reject(error($0)) })
  }

  func then(_ promise: P, _ onFulfilled: Handler?, _ onRejected: Handler?) -> P {
    if onFulfilled == nil || onRejected == nil { breaches.note("leaves a handler out") }
    return promise.then(
      { value in next(try onFulfilled?(value) ?? value) },
      { reason in
        guard let onRejected else { throw reason }
        return next(try onRejected(reason))
      })
  }

  func thenable(_ source: ThenableSource) -> Any {
    breaches.note("makes a thenable")
    return source
  }

  func isCycleError(_ reason: Any) -> Bool {
    reason is P.Cycle
  }

  private func next(_ x: Any) -> P.Next {
    if let promise = x as? P { return .promise(promise) }
    return .value(object(x))
  }

  private func object(_ x: Any) -> AnyObject {
    if !(type(of: x) is AnyClass) { breaches.note("uses \(x) as a value") }
    return x as AnyObject
  }

  private func error(_ x: Any) -> any Error {
    if let error = x as? any Error { return error }
    breaches.note("uses \(x) as a reason")
    return NotAnError()
  }
}
