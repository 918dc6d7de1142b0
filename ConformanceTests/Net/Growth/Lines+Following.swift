// Lines for promises that follow each other, and for a loop of handlers that return promises.

import DynamicPromise
import DynamicPromiseTesting

extension Line {
  /// Promises, each of which follows the next promise.
  private static func followers(_ n: Int) -> Box<[Promise]> {
    let all = promises(n)
    for index in 1..<n { all[index - 1].bind(all[index]) }
    return Box(all)
  }

  package static let following: [Line] =
    ["forwards", "backwards"].map { order in
      Line("bind", "chain, \(order), held") { n in
        let all = promises(n)
        let indices: [Int] = order == "forwards" ? Array(1..<n) : (1..<n).reversed()
        return {
          for index in indices { all[index - 1].bind(all[index]) }
          all[n - 1].fulfill(0)
        }
      }
    } + [
      Line.whole("bind", "chain, unheld") { n in
        let first = Promise(on: .immediate)
        var last = first
        for _ in 1..<n {
          let next = Promise(on: .immediate)
          last.bind(next)
          last = next
        }
        last.fulfill(0)
        precondition(first.isFulfilled)
      },
      Line("bind", "fan, held") { n in
        let (all, target) = (promises(n), Promise(on: .immediate))
        return {
          for promise in all { promise.bind(target) }
          target.fulfill(0)
        }
      },
      Line("bind", "comb, held") { n in
        let all = promises(n)
        return {
          for index in 1..<n { all[index].bind(all[(index - 1) / 2 * 2]) }
          all[0].fulfill(0)
        }
      },
      Line("bind", "ring, held") { n in
        let all = followers(n).content!
        return {
          all[n - 1].bind(all[0])
          precondition(all[0].isRejected)
        }
      },
      Line("bind", "fan, each released") { n in
        let target = Promise(on: .immediate)
        return {
          for _ in 0..<n { Promise(on: .immediate).bind(target) }
          target.fulfill(0)
        }
      },
      Line("cancel a follower", "chain, from the first") { n in
        let all = followers(n).content!
        return { all[0].cancel() }
      },
      Line("cancel a follower", "chain, each from the last") { n in
        let all = followers(n).content!
        return { for promise in all.reversed() { promise.cancel() } }
      },
      Line("cancel a follower", "fan, each") { n in
        let (all, target) = (promises(n), Promise(on: .immediate))
        for promise in all { promise.bind(target) }
        return { for promise in all { promise.cancel() } }
      },
      Line("cancel a follower", "chain of returned chains") { n in
        var end = Promise(on: .immediate)
        for _ in 0..<n / 2 {
          let inner = end.then { $0 }
          end = Promise(on: .immediate)
          end.bind(inner)
        }
        return { end.cancel() }
      },
      Line("release followers", "chain, from the first") { n in
        let all = followers(n)
        all.content!.reverse()
        return { while !all.content!.isEmpty { all.content!.removeLast() } }
      },
      Line("release followers", "chain, from the last") { n in
        let all = followers(n)
        return { while !all.content!.isEmpty { all.content!.removeLast() } }
      },
      Line("release followers", "fan") { n in
        let target = Promise(on: .immediate)
        let all = Box(promises(n))
        for promise in all.content! { promise.bind(target) }
        return { while !all.content!.isEmpty { all.content!.removeLast() } }
      },
      Line("release what is followed", "fan") { n in
        let (all, end) = (promises(n), Promise(on: .immediate))
        let middle = Box(Promise(on: .immediate))
        middle.content!.bind(end)
        for promise in all { promise.bind(middle.content!) }
        return {
          middle.content = nil
          end.fulfill(0)
          precondition(all[0].isFulfilled)
        }
      },
      Line.whole("a loop of handlers that return the next round") { n in
        let context = TestContext()
        @Sendable func iterate(_ left: Int) -> Promise {
          Promise.resolved(0, on: context).then { _ -> Any in left == 0 ? 0 : iterate(left - 1) }
        }
        let first = iterate(n)
        context.drain()
        precondition(first.isFulfilled)
      },
    ]
}
