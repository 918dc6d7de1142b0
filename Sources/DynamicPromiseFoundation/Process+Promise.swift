// Runs a program as a promise, on systems where programs can be started.

#if os(macOS) || os(Linux)
  import Dispatch
  import DynamicPromise
  import Foundation

  /// The exit status and the output of a program.
  public struct ProcessResult: Sendable {
    /// The program's exit status, or the number of the signal that ended it.
    public let status: Int32
    /// Whether the program exited, or a signal ended it.
    public let reason: Process.TerminationReason
    /// The bytes that the program wrote to its standard output.
    public let output: Data
    /// The bytes that the program wrote to its standard error output.
    public let errorOutput: Data

    /// The output as text. Bytes that are not UTF-8 are replaced.
    public var text: String { String(decoding: output, as: UTF8.self) }
    /// The error output as text. Bytes that are not UTF-8 are replaced.
    public var errorText: String { String(decoding: errorOutput, as: UTF8.self) }
  }

  /// The error of a program whose exit status was not accepted, or that a signal ended.
  public struct ProcessFailure: LocalizedError, CustomStringConvertible {
    /// The exit status and the output of the program.
    public let result: ProcessResult
    /// The program's path.
    public let executable: String

    /// One line: the program, its status, and the last line of its error output, which usually explains the
    /// failure.
    public var description: String {
      let end = result.reason == .exit ? "ended with status" : "was ended by signal"
      let tail = String(decoding: result.errorOutput.suffix(2000), as: UTF8.self)
      let last = tail.split(whereSeparator: \.isNewline).last.map { ": " + oneLine($0) } ?? ""
      return "\(oneLine(executable)) \(end) \(result.status)\(last)"
    }

    /// The text of ``description``.
    public var errorDescription: String? { description }
  }

  extension Process {
    /// Starts the program. The promise is fulfilled with a ``ProcessResult`` when the program has ended and
    /// both its outputs are closed, also by child processes that inherited them. Pipes replace both outputs,
    /// and are read at the same time. An existing `terminationHandler` is also called.
    ///
    /// Cancelling the promise sends `SIGTERM` (`terminate()`), and `SIGKILL` if the program has not ended
    /// after a while. Releasing the promise does not end the program.
    ///
    /// - Parameters:
    ///   - accepted: The exit statuses that fulfill the promise. Any other status, or an end by a signal,
    ///     rejects it with ``ProcessFailure``, which contains the outputs. With `nil`, every end fulfills it.
    ///   - killAfter: The seconds between the two signals; with infinity, `SIGKILL` is never sent.
    ///   - context: The default context of the promise and its descendants.
    ///   - fileID: The file of the call, for the promise's origin.
    ///   - line: The line of the call.
    /// - Returns: The promise. It is rejected with the error of `run()` if the program cannot be started.
    public func runPromise(
      accepting accepted: ClosedRange<Int32>? = 0...0, killAfter: Double = 10,
      on context: (any ExecutionContext)? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) -> Promise {
      let (promise, resolver) = Promise.pending(on: context, fileID: fileID, line: line)
      resolver.alwaysCallsBack()
      let run = ProcessRun(self, accepted, resolver)
      do {
        try run.start()
        resolver.onCancel { _ in run.cancel(killAfter) }
      } catch {
        resolver.reject(error)
      }
      return promise
    }
  }

  /// One run of a program. The run ends when the program has ended and its outputs have been read to the end,
  /// after a cancel with the program.
  private final class ProcessRun: @unchecked Sendable {
    private struct State {
      /// The output and the error output.
      var outputs = [Data(), Data()]
      var isCancelled = false
      var hasExited = false
      var isDrained = false
    }

    /// Sends the second signal, on a thread of its own if all others are busy.
    private static let killing = DispatchQueue(label: "DynamicPromiseFoundation.killing")

    // Unchecked because of this property. Other threads only send signals, and read the status after the end.
    private let process: Process
    private let accepted: ClosedRange<Int32>?
    private let resolver: Resolver
    private let state = Locked(State())
    /// A byte in this pipe ends the reading.
    private let alarm = Pipe()

    init(_ process: Process, _ accepted: ClosedRange<Int32>?, _ resolver: Resolver) {
      (self.process, self.accepted, self.resolver) = (process, accepted, resolver)
    }

    func start() throws {
      let (output, errorOutput) = (Pipe(), Pipe())
      process.standardOutput = output
      process.standardError = errorOutput
      let former = process.terminationHandler
      process.terminationHandler = { [self] process in
        former?(process)
        change { $0.hasExited = true }
      }
      // The program must not inherit a blocked `SIGTERM`, because a cancel sends this signal.
      do { try withTerminationSignal { try process.run() } } catch {
        process.terminationHandler = former
        // Closed here, because Foundation on Linux may retain the process and its pipes after a failed start.
        for pipe in [output, errorOutput] {
          try? pipe.fileHandleForReading.close()
          try? pipe.fileHandleForWriting.close()
        }
        throw error
      }
      read(output.fileHandleForReading, errorOutput.fileHandleForReading)
    }

    /// Reads on a separate thread. On Linux, `DispatchIO` on many pipes at once can crash in Dispatch's event
    /// loop. Reads that block threads of Dispatch's pool would delay other work.
    private func read(_ outputs: FileHandle...) {
      let handles = UncheckedBox(outputs)
      let thread = Thread { [self] in
        var files = (handles.value + [alarm.fileHandleForReading]).map(\.fileDescriptor)
        while files.prefix(2).contains(where: { $0 >= 0 }) {
          let isReadable = waitUntilReadable(files)
          if isReadable[2] { break }
          for index in 0..<2 where isReadable[index] {
            if let data = readAvailable(files[index]) {
              state.with { if !$0.isCancelled { $0.outputs[index] += data } }
            } else {
              files[index] = -1
            }
          }
        }
        for handle in handles.value { try? handle.close() }
        change { $0.isDrained = true }
      }
      thread.stackSize = 1 << 18
      thread.start()
    }

    func cancel(_ killAfter: Double) {
      change { state in
        state.isCancelled = true
        state.outputs = [Data(), Data()]
      }
      guard process.isRunning else { return }
      process.terminate()
      awaitEnd()
      guard killAfter < 1e9 else { return }
      Self.killing.asyncAfter(deadline: .now() + (killAfter > 0 ? killAfter : 0)) { [weak self] in
        if let self, process.isRunning { kill(process.processIdentifier, SIGKILL) }
      }
    }

    /// Ends a cancelled run with its program. Foundation on Linux learns of that end only when no child of
    /// the program has its descriptors any more.
    private func awaitEnd() {
      guard hasEnded(process.processIdentifier) else {
        return Self.killing.asyncAfter(deadline: .now() + 0.02) { [self] in awaitEnd() }
      }
      try? alarm.fileHandleForWriting.write(contentsOf: Data([0]))
      resolver.reject(CancellationError())
    }

    private func change(_ body: (inout State) -> Void) {
      let state = state.with { state in
        body(&state)
        return state
      }
      guard state.hasExited else { return }
      if state.isDrained { return end(state.outputs) }
      if state.isCancelled { try? alarm.fileHandleForWriting.write(contentsOf: Data([0])) }
    }

    private func end(_ outputs: [Data]) {
      let result = ProcessResult(
        status: process.terminationStatus, reason: process.terminationReason, output: outputs[0],
        errorOutput: outputs[1])
      let isAccepted = accepted.map { result.reason == .exit && $0.contains(result.status) } ?? true
      if isAccepted {
        resolver.fulfill(result)
      } else {
        resolver.reject(ProcessFailure(result: result, executable: process.executableURL?.path ?? ""))
      }
      process.terminationHandler = nil
    }
  }
#endif
