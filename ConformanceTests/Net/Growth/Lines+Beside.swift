// Lines for the products with patterns and diagnostics.

import DynamicPromise
import DynamicPromiseDiagnostics
import DynamicPromisePatterns

extension Line {
  static let beside: [Line] = [
    Line.whole("TaskQueue", "tasks run") { n in
      let queue = TaskQueue(width: 4, on: .immediate)
      let all = (0..<n).map { index in queue.add { index } }
      precondition(all.allSatisfy(\.isFulfilled))
    },
    Line("TaskQueue", "tasks wait for promises") { n in
      let inner = promises(n)
      return {
        let queue = TaskQueue(width: 4, on: .immediate)
        let all = inner.map { promise in queue.add { promise } }
        for promise in inner { promise.fulfill(0) }
        precondition(all.allSatisfy(\.isFulfilled))
      }
    },
    Line("TaskQueue", "each cancelled, from the last") { n in
      let queue = TaskQueue(width: 4, on: .immediate)
      queue.pause()
      let all = (0..<n).map { index in queue.add { index } }
      return { for promise in all.reversed() { promise.cancel() } }
    },
    Line("TaskQueue", "cancelAll") { n in
      let queue = TaskQueue(width: n / 2, on: .immediate)
      let inner = promises(n)
      let all = inner.map { promise in queue.add { promise } }
      return {
        queue.cancelAll()
        precondition(all.allSatisfy(\.isCancelled))
      }
    },
    Line.whole("PromiseCache", "with a limit") { n in
      let cache = PromiseCache<Int>(limit: n / 2, on: .immediate)
      for key in 0..<n { _ = cache.promise(for: key) { key } }
      for key in 0..<n { _ = cache.promise(for: key) { key } }
    },
    Line.whole("PromiseCache", "one key") { n in
      let (cache, load) = (PromiseCache<Int>(on: .immediate), Promise(on: .immediate))
      let all = (0..<n).map { _ in cache.promise(for: 0) { load } }
      for promise in all.dropFirst(n / 2) { promise.cancel() }
      load.fulfill(0)
      precondition(all[0].isFulfilled)
    },
    Line.whole("Census") { n in
      let grove = Grove(.comb, isHeld: true)
      let census = Census(of: grove.root)
      grove.grow(n)
      precondition(census.unsettled.count > n)
      census.end()
    },
    Line.whole("Recorder", "text, html") { n in
      let grove = Grove(.comb, isHeld: true)
      let recorder = Recorder(of: grove.root)
      _ = grove.grow(n).fulfilled()
      recorder.end()
      precondition(!recorder.text.isEmpty && !recorder.html.isEmpty)
    },
    Line("Recorder", "page of what passes by") { n in
      let root = Promise(on: .immediate)
      let recorder = Recorder(of: root)
      var end = root
      for _ in 0..<n / 2 {
        end.then { _ in }
        end = end.catch { _ in }
      }
      root.fulfill(0)
      recorder.end()
      return { precondition(!recorder.html.isEmpty) }
    },
    Line.whole("Recorder", "mermaid") { n in
      let grove = Grove(.comb, isHeld: true)
      let recorder = Recorder(of: grove.root)
      _ = grove.grow(n).fulfilled()
      recorder.end()
      precondition(!recorder.mermaid.isEmpty)
    },
  ]
}
