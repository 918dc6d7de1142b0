// A thread that performs random operations.

import Dispatch
import Seeds
import Synchronization

final class Lane: Sendable {
  let number: Int
  let ended = DispatchSemaphore(value: 0)
  private let begins = DispatchSemaphore(value: 0)
  private let options: Options
  private let lots: [Int]
  private let isOver = Atomic<Bool>(false)
  private let round = Atomic<Int>(0)
  private let count = Atomic<Int>(0)
  private let place = Atomic<Int>(0)
  private let current = Atomic<Int>(0)

  init(number: Int, _ options: Options) {
    (self.number, self.options) = (number, options)
    lots = Operation.lots(options.operations)
  }

  /// The number of the current operation in this round.
  var position: Int { place.load(ordering: .relaxed) }

  var description: String {
    let name = options.operations[current.load(ordering: .relaxed)].name
    return "thread \(number): operation \(position), \"\(name)\""
  }

  func go(_ round: Int, _ count: Int) {
    self.round.store(round, ordering: .relaxed)
    self.count.store(count, ordering: .relaxed)
    begins.signal()
  }

  func end() {
    isOver.store(true, ordering: .relaxed)
    begins.signal()
  }

  func work() {
    while true {
      begins.wait()
      if isOver.load(ordering: .relaxed) { return }
      let (round, count) = (round.load(ordering: .relaxed), count.load(ordering: .relaxed))
      // The seed determines the operations. Each operation has its own generator, because the number of
      // random numbers that an operation uses depends on the other threads.
      var random = Random(options.seed &+ UInt64(round) << 32 &+ UInt64(number + 1) << 56)
      for position in 0..<count {
        let chosen = lots[random.below(lots.count)]
        var own = random.fork()
        current.store(chosen, ordering: .relaxed)
        place.store(position, ordering: .relaxed)
        options.operations[chosen].body(&own)
      }
      ended.signal()
    }
  }
}
