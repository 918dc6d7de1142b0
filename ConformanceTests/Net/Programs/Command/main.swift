// The command `programs` runs random programs on the executable Spec, on one thread or on several.

import DynamicPromise
import ExecutableSpec
import Foundation

let options = Options(CommandLine.arguments.dropFirst())
if let seed = options.printed {
  say(Generator.program(seed: seed, threads: options.threads).swiftSource)
  exit(0)
}
if let note = options.note { exit(Programs(options).run(noting: note) ? 0 : 1) }
exit(
  Crashes(threads: options.threads).run(CommandLine.arguments.dropFirst() + ["--seed", "\(options.seed)"])
    ? 0 : 1)
