// Runs a program as a promise. iOS and related systems cannot start programs.

#if os(macOS) || os(Linux) || os(Windows)
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

    /// The program, its status, and the last line of its error output, which usually explains the failure.
    public var description: String {
      let end = result.reason == .exit ? "ended with status" : "was ended by signal"
      let last = result.errorText.split(whereSeparator: \.isNewline).last.map { ": \($0)" } ?? ""
      return "\(executable) \(end) \(result.status)\(last)"
    }

    /// The text of ``description``.
    public var errorDescription: String? { description }
  }

  extension Process {
    /// Starts the program. The promise is fulfilled with a ``ProcessResult`` when the program has ended and
    /// both its outputs are closed.
    ///
    /// Pipes replace standard output and standard error output. Both pipes are read at the same time, so that
    /// the program never waits for a reader. If a child process inherits the outputs, the promise is
    /// fulfilled only after the child process has closed them too. An existing `terminationHandler` is also
    /// called.
    ///
    /// Cancelling the promise sends `SIGTERM` (`terminate()`). After a cancel, the program's end is not
    /// reported, and its further output is dropped. Releasing the promise does not end the program.
    ///
    /// - Parameters:
    ///   - accepted: The exit statuses that fulfill the promise. Any other status, or an end by a signal,
    ///     rejects it with ``ProcessFailure``, which contains the outputs. With `nil`, every end fulfills the
    ///     promise.
    ///   - context: The default context of the promise and its descendants.
    ///   - fileID: The file of the call, for the promise's origin.
    ///   - line: The line of the call.
    /// - Returns: The promise. It is rejected with the error of `run()` if the program cannot be started.
    public func runPromise(
      accepting accepted: ClosedRange<Int32>? = 0...0, on context: (any ExecutionContext)? = .inherited,
      fileID: StaticString = #fileID, line: UInt = #line
    ) -> Promise {
      let (promise, resolver) = Promise.pending(on: context, fileID: fileID, line: line)
      let run = ProcessRun(self, accepted, resolver)
      do {
        try run.start()
        resolver.onCancel { _ in run.cancel() }
      } catch {
        resolver.reject(error)
      }
      return promise
    }
  }

  /// One run of a program. The run ends when the program has ended and both pipes have been read to the end.
  private final class ProcessRun: @unchecked Sendable {
    private struct State {
      var output = Data()
      var errorOutput = Data()
      var open = 3
      var isCancelled = false
    }

    // Unchecked because of this property. Other threads only call `terminate`, and read the status after
    // the end.
    private let process: Process
    private let accepted: ClosedRange<Int32>?
    private let resolver: Resolver
    private let state = Locked(State())

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
        isOver()
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
      drain(output) { $0.output += $1 }
      drain(errorOutput) { $0.errorOutput += $1 }
    }

    // Each pipe has its own thread. On Linux, `DispatchIO` on many pipes at once can crash in Dispatch's
    // event loop. Reads that block threads of Dispatch's pool would delay other work.
    private func drain(_ pipe: Pipe, _ append: @escaping @Sendable (inout State, Data) -> Void) {
      let reader = Handed(pipe.fileHandleForReading)
      let thread = Thread { [self] in
        while let data = try? reader.value.read(upToCount: 1 << 16), !data.isEmpty {
          state.with { if !$0.isCancelled { append(&$0, data) } }
        }
        try? reader.value.close()
        isOver()
      }
      thread.stackSize = 1 << 18
      thread.start()
    }

    func cancel() {
      state.with { state in
        state.isCancelled = true
        (state.output, state.errorOutput) = (Data(), Data())
      }
      if process.isRunning { process.terminate() }
    }

    /// Called when the program has ended, and when a pipe has been read to its end.
    private func isOver() {
      let isLast = state.with { state in
        state.open -= 1
        return state.open == 0
      }
      guard isLast else { return }
      let result = state.with {
        ProcessResult(
          status: process.terminationStatus, reason: process.terminationReason, output: $0.output,
          errorOutput: $0.errorOutput)
      }
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
