// A program for PromiseKit. Nothing in it is changed.

import Foundation
import PromiseKit

struct Dish {
  let name: String
  let minutes: Int
}

enum KitchenError: Error {
  case burnt(String)
  case closed
}

final class Kitchen {
  private var burns = ["risotto": 2]
  private let queue = DispatchQueue(label: "stove")

  /// A callback API, as many programs have one.
  private func cook(_ name: String, completion: @escaping (Dish?, Error?) -> Void) {
    queue.asyncAfter(deadline: .now() + 0.01) {
      let left = self.burns[name, default: 0]
      self.burns[name] = left - 1
      if left > 0 { return completion(nil, KitchenError.burnt(name)) }
      completion(Dish(name: name, minutes: name.count), nil)
    }
  }

  func cook(_ name: String) -> Promise<Dish> { Promise { cook(name, completion: $0.resolve) } }

  func price(of dish: Dish) -> Guarantee<Int> { after(.milliseconds(5)).map { dish.minutes * 2 } }
}

/// The retry of PromiseKit's documentation.
func attempt<T>(_ most: Int, _ body: @escaping () -> Promise<T>) -> Promise<T> {
  var attempts = 0
  func attempt() -> Promise<T> {
    attempts += 1
    return body().recover { error -> Promise<T> in
      guard attempts < most else { throw error }
      return after(.milliseconds(5)).then(attempt)
    }
  }
  return attempt()
}

let kitchen = Kitchen()
var log: [String] = []

func serve() -> PromiseKit.Promise<Int> {
  firstly {
    when(fulfilled: kitchen.cook("soup"), attempt(3) { kitchen.cook("risotto") })
  }.get { soup, risotto in
    log.append("\(soup.name) and \(risotto.name)")
  }.then { soup, risotto in
    when(fulfilled: [soup, risotto].map { dish in Promise(kitchen.price(of: dish)) })
  }.map { $0.reduce(0, +) }
}

firstly {
  serve()
}.compactMap { total in
  total > 0 ? total : nil
}.done { total in
  log.append("total \(total)")
}.then {
  race(kitchen.cook("steak").asVoid(), after(seconds: 20).then { Promise<Void>(error: KitchenError.closed) })
}.then { () -> Promise<Void> in
  throw PMKError.cancelled
}.ensure {
  log.append("washed")
}.catch(policy: .allErrors) { error in
  log.append(error.isCancelled ? "cancelled" : "\(error)")
}.finally {
  print(log.joined(separator: "\n"))
  exit(log == ["soup and risotto", "total 22", "washed", "cancelled"] ? 0 : 1)
}

RunLoop.main.run()
