// `swift run stress`: random operations from several threads, against the public API alone. Meant for a
// sanitizer: what it looks for itself is that nothing hangs, crashes or stays.

import DynamicPromise
import Foundation

// Lost by the thousand, and on purpose. Not `nil`, so that what leads there runs.
Promise.onUnhandledRejection = { _ in }
exit(Run(Options(CommandLine.arguments.dropFirst())).run() ? 0 : 1)
