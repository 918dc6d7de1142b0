// A crash while the programs run shall name its schedule, so that comes first.

import DynamicPromise
import Scheduler

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

LastWords.install()
// Lost on purpose, the same ones in each of thousands of schedules. Not `nil`, so that what leads there is
// explored all the same.
Promise.onUnhandledRejection = { _ in }
warmUp()
Exploration.count(Promise.self)
exit(Command().run() ? 0 : 1)
