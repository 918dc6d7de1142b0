// Lines that may exceed the limits, with the clause that permits the exception.

import DynamicPromise

extension Line {
  static let inexact: [Line] = [
    Line(
      "a consumer comes and leaves", "behind n steps that are none",
      exception: "L4.8: this climb is one critical section"
    ) { n in
      let grove = Grove(.chain, isHeld: true).grow(n) { $0.catch { throw $0 } }
      return { grove.end.then { $0 }.cancel() }
    },
    Line(
      "a pending child comes", "below a settled chain",
      exception: "L4.8: this climb is one critical section"
    ) { n in
      let grove = Grove(.chain, isHeld: true).fulfilled().grow(n)
      // Removes the marks of pending promises.
      _ = grove.root.finished()
      return { grove.end.then { _ in Promise() } }
    },
    Line(
      "release a spine", "100 held branches each, from the end",
      exception: "L4.8: more than 64 held branches move up at each step"
    ) { spine($0, 100, true) },
    Line(
      "values that hold the next promise", "released",
      exception: "L4.10: the language releases nested values on one stack"
    ) { n in
      let last = Box(Promise.resolved(0, on: .immediate))
      for _ in 0..<n { last.content = Promise.resolved([last.content!], on: .immediate) }
      return { last.content = nil }
    },
    Line(
      "values that hold the next value", "all of all, fulfilled",
      exception: "L4.10: the language releases nested values on one stack"
    ) { n in
      let root = Promise(on: .immediate)
      var last = root
      for _ in 0..<n { last = Promise.all([last]) }
      return { [last] in withExtendedLifetime(last) { _ = root.fulfill(0) } }
    },
  ]
}
