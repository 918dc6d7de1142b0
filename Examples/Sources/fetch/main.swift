// The program `fetch` downloads many files at once. Fetcher.swift has the downloads.

import DynamicPromise
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

func fail(_ text: String, status: Int32) -> Never {
  FileHandle.standardError.write(Data("fetch: \(text)\n".utf8))
  exit(status)
}

let options: Options
do {
  options = try Options(Array(CommandLine.arguments.dropFirst()))
} catch {
  fail("\((error as? Options.UsageError)?.text ?? "\(error)")\n\n\(Options.usage)", status: 2)
}
try? FileManager.default.createDirectory(atPath: options.folder, withIntermediateDirectories: true)

// Listens for signals before any download starts. Otherwise, an early signal would end the process at once,
// or would be lost.
let interrupted = Promise()
let (signalQueue, listening) = (DispatchQueue(label: "signals"), DispatchGroup())
let signals = [SIGINT, SIGTERM].map { number in
  signal(number, SIG_IGN)
  let source = DispatchSource.makeSignalSource(signal: number, queue: signalQueue)
  source.setEventHandler { interrupted.fulfill(number) }
  listening.enter()
  source.setRegistrationHandler { listening.leave() }
  source.activate()
  return source
}
listening.wait()

let display = Display()
let all = Fetcher(options: options, session: URLSession(configuration: .ephemeral), display: display).run()
interrupted.onSuccess(on: signalQueue) { (number: Int32) in all.cancel(Interrupted(signal: number)) }
all.wait()
// Waits until cancelled downloads have stopped and have removed their partial files. If a file is
// being moved to its destination, the move is completed.
_ = try? all.finished().get()
let isComplete = display.finish(of: options.urls.count)
if case .failure(let error as Interrupted)? = all.result { exit(128 + error.signal) }
exit(isComplete ? 0 : 1)
