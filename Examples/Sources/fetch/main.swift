// The program `fetch` downloads many files at once. `fetch --help` lists the options. Fetcher.swift has the
// downloads.

import DynamicPromise
import DynamicPromiseDiagnostics
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

func complain(_ text: String) { FileHandle.standardError.write(Data("fetch: \(text)\n".utf8)) }

let options: Options
do {
  options = try Options(Array(CommandLine.arguments.dropFirst()))
} catch let error as Options.UsageError {
  complain("\(error.text)\n\n\(Options.usage)")
  exit(2)
} catch {
  print(Options.usage, terminator: "")
  exit(0)
}
do {
  try FileManager.default.createDirectory(atPath: options.folder, withIntermediateDirectories: true)
  guard FileManager.default.isWritableFile(atPath: options.folder) else {
    throw CocoaError(.fileWriteNoPermission)
  }
} catch {
  complain("\(options.folder): \(error.localizedDescription)")
  exit(1)
}

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

let recorder = options.showsGraph ? Recorder() : nil
let session = URLSession(configuration: .ephemeral)
let display = Display()
let all = Fetcher(options: options, session: session, display: display).run().named("all")
interrupted.onSuccess(on: signalQueue) { (number: Int32) in all.cancel(Interrupted(signal: number)) }
all.wait()
// Waits until cancelled downloads have stopped and have removed their partial files. If a file is
// being moved to its destination, the move is completed.
_ = try? all.finished().get()
let (isComplete, isLate) = display.finish(of: options.urls.count)
if let recorder { print(recorder.text, terminator: "") }
if case .failure(let error as Interrupted)? = all.result { exit(128 + error.signal) }
exit(isComplete ? 0 : isLate ? 124 : 1)
