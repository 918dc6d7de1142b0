// Uses the extension. Nothing in it is changed either.

import Foundation
import PMKProcess
import PromiseKit

func cksum(_ arguments: String...) -> Promise<Int> {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = ["cksum"] + arguments
  process.standardError = FileHandle.nullDevice
  return process.launch(.promise).compactMap { data in
    String(decoding: data, as: UTF8.self).split(separator: " ").first.flatMap { Int($0) }
  }
}

var logged = 0

firstly {
  when(fulfilled: (1...3).map { _ in cksum("/dev/null") })
}.done { sums in
  print(sums)
  guard sums == [4_294_967_295, 4_294_967_295, 4_294_967_295] else { exit(1) }
}.then {
  cksum("/no/such/file").logging { _ in logged += 1 }
}.done { _ in
  exit(1)
}.catch { error in
  guard case Process.PMKError.status(1, _) = error, logged == 1 else { exit(1) }
  print("no such file")
  exit(0)
}

RunLoop.main.run()
