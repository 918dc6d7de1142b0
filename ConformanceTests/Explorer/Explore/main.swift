// A crash while the programs run shall name its schedule, so that comes first.

import Scheduler

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

LastWords.install()
warmUp()
exit(Command().run() ? 0 : 1)
