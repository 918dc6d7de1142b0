// Installs the crash handler first. If a program crashes, the handler prints the program's schedule.

import DynamicPromise
import Scheduler

LastWords.install()
// Some rejections are lost on purpose, in thousands of schedules. The hook is not `nil`, so that the code
// that reports lost rejections is also explored.
Promise.onUnhandledRejection = { _ in }
warmUp()
Command().run()
