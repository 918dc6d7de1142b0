// The command `stress` performs random operations on several threads, through the public API alone. Between
// rounds of operations it checks the rules of `Round` and `Witness`. It can run with a sanitizer.

import DynamicPromise
import Foundation

// Thousands of rejections are lost on purpose. The hook is not `nil`, so that the code that reports lost
// rejections runs.
Promise.onUnhandledRejection = { _ in }
let options = Options(CommandLine.arguments.dropFirst())
if let count = options.programs {
  if let note = options.note { exit(Programs(options).run(count, noting: note) ? 0 : 1) }
  exit(Crashes().run(Array(CommandLine.arguments.dropFirst())) ? 0 : 1)
}
if options.soaks { exit(Soak(options).run() ? 0 : 1) }
Run(options).run()
exit(0)
