// `swift run stress`: random operations from several threads, against the public API alone. With a sanitizer
// or without: between rounds of operations it checks the rules of `Round` and `Witness`.

import DynamicPromise
import Foundation

// Lost by the thousand, and on purpose. Not `nil`, so that what leads there runs.
Promise.onUnhandledRejection = { _ in }
let options = Options(CommandLine.arguments.dropFirst())
if let count = options.programs {
  let programs = Programs(
    count: count, seed: options.seed, shard: options.shard, all: options.reportsAll,
    exceptions: options.exceptions)
  if let note = options.note { exit(programs.run(noting: note) ? 0 : 1) }
  exit(Crashes().run(Array(CommandLine.arguments.dropFirst())) ? 0 : 1)
}
if options.soaks { exit(Soak(options).run() ? 0 : 1) }
Run(options).run()
exit(0)
