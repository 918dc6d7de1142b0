// A program as a promise. There are none on iOS and its relatives.

#if os(macOS) || os(Linux) || os(Windows)
  import Dispatch
  import DynamicPromise
  import Foundation

  /// What a program ended with.
  public struct ProcessResult: Sendable {
    /// Its exit status, or the number of the signal that ended it.
    public let status: Int32
    /// Whether it exited, or was ended by a signal.
    public let reason: Process.TerminationReason
    /// What it wrote to its standard output.
    public let output: Data
    /// What it wrote to its standard error output.
    public let errorOutput: Data

    /// The output as text; what is no UTF-8 is replaced.
    public var text: String { String(decoding: output, as: UTF8.self) }
    /// The error output as text; what is no UTF-8 is replaced.
    public var errorText: String { String(decoding: errorOutput, as: UTF8.self) }
  }

  /// A program that ended otherwise than it was asked to.
  public struct ProcessFailure: LocalizedError, CustomStringConvertible {
    /// What it ended with.
    public let result: ProcessResult
    /// The program's path.
    public let executable: String

    /// The program, its status, and the last line of its error output: there programs say what was wrong.
    public var description: String {
      let end = result.reason == .exit ? "ended with status" : "was ended by signal"
      let last = result.errorText.split(whereSeparator: \.isNewline).last.map { ": \($0)" } ?? ""
      return "\(executable) \(end) \(result.status)\(last)"
    }

    /// The same as ``description``.
    public var errorDescription: String? { description }
  }

  extension Process {
    /// Starts the program; the value is a ``ProcessResult``, when it has ended and both its outputs are
    /// closed.
    ///
    /// Standard output and standard error output are replaced by pipes, which are read at the same time, so
    /// that no program waits for its reader. A program that hands its outputs on to another one is waited
    /// for until that has closed them as well. A `terminationHandler` that was set is called, too.
    ///
    /// Cancelling the promise sends `SIGTERM` (`terminate()`); what the program makes of that it does unseen,
    /// and what it still writes is dropped. Letting the promise go does not end the program: it may have been
    /// started for what it does.
    ///
    /// - Parameters:
    ///   - accepted: Exit statuses that are results. Any other, and an end by a signal, reject with
    ///     ``ProcessFailure``, which has the outputs. `nil`: however it ends is a result.
    ///   - context: The default context of the promise and its descendants.
    /// - Returns: A promise that is rejected with what `run()` throws if there is no such program.
    public func runPromise(
      accepting accepted: ClosedRange<Int32>? = 0...0, on context: (any ExecutionContext)? = .inherited
    ) -> Promise {
      let (promise, resolver) = Promise.pending(on: context)
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

  /// One run of a program: over when it has ended and both pipes are at their ends.
  private final class ProcessRun: @unchecked Sendable {
    private struct State {
      var output = Data()
      var errorOutput = Data()
      var open = 3
      var isCancelled = false
    }

    // Unchecked for this one, of which only `terminate` is called from elsewhere, and its end is read once
    // it has ended.
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
      do { try process.run() } catch {
        process.terminationHandler = former
        throw error
      }
      drain(output) { $0.output += $1 }
      drain(errorOutput) { $0.errorOutput += $1 }
    }

    // A thread of its own for each pipe: `DispatchIO` on many pipes at once has been seen to crash in
    // Dispatch's event loop on Linux, and a blocked thread of the pool would hold up others.
    private func drain(_ pipe: Pipe, _ append: @escaping @Sendable (inout State, Data) -> Void) {
      let reader = Unchecked(handle: pipe.fileHandleForReading)
      let thread = Thread { [self] in
        while let data = try? reader.handle.read(upToCount: 1 << 16), !data.isEmpty {
          state.with { if !$0.isCancelled { append(&$0, data) } }
        }
        try? reader.handle.close()
        isOver()
      }
      thread.stackSize = 1 << 18
      thread.start()
    }

    /// A handle that only its reader's thread uses.
    private struct Unchecked: @unchecked Sendable {
      let handle: FileHandle
    }

    func cancel() {
      state.with { state in
        state.isCancelled = true
        (state.output, state.errorOutput) = (Data(), Data())
      }
      if process.isRunning { process.terminate() }
    }

    /// One of the three is at its end.
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
