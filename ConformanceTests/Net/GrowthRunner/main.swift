// The command `growth` prints the cost of operations at 1,000, 10,000 and 100,000 promises. Each line is
// measured in a separate process, on a thread with a stack of 512 KiB. A line that overflows the stack, or
// takes too long, does not affect the other lines.

import Dispatch
import DynamicPromise
import Foundation
import Growth

let options = Options(CommandLine.arguments.dropFirst())
if let number = options.line {
  Promise.onUnhandledRejection = { _ in }
  let thread = Thread {
    for n in options.sizes {
      let cost = Cost.of(Line.all[number], n, runs: n <= 10_000 ? 2 : 1)
      say("\(cost.locked) \(cost.longest) \(cost.time)")
    }
    exit(0)
  }
  thread.stackSize = smallStack
  thread.start()
  while true { sleep(1000) }
}
exit(Table(options).run() ? 0 : 1)
