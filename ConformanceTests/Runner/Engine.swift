import Foundation
import PromisesAPlusSuite

/// A JavaScript engine in its own process, which runs ``EngineScript``. Both processes identify things by
/// numbers; 0 means nothing.
///
/// A request waits for its reply. Meanwhile, its thread runs the closures that the engine calls on the stack
/// of the request, so that the suite sees the real stacks. Another thread runs the closures that the engine
/// calls in its jobs.
final class Engine: Sendable {
  /// A closure that the engine calls with things. It returns the number of a thing.
  typealias Closure = @Sendable ([Any]) throws -> Int

  let version: String
  /// The names of the engine's combinators.
  let combinators: Set<String>
  private let input: FileHandle
  private let condition = NSCondition()
  nonisolated(unsafe) private var count = 0
  nonisolated(unsafe) private var replies: [Int: Int] = [:]
  nonisolated(unsafe) private var calls: [Int: (id: Int, closure: Closure, arguments: [Any])] = [:]
  nonisolated(unsafe) private var closures: [Int: Closure] = [:]
  nonisolated(unsafe) private var things: [Int: Any] = [:]
  nonisolated(unsafe) private var numbers: [ObjectIdentifier: Int] = [:]

  /// The process of the engine, if there is one.
  private static let process = Locked<Process?>(nil)

  /// Starts the engine.
  init(_ executable: URL, _ whenItEnds: @escaping @Sendable (String) -> Void) throws {
    let process = Process()
    let (stdin, stdout) = (Pipe(), Pipe())
    process.executableURL = executable
    process.arguments = ["-e", EngineScript.text]
    process.standardInput = stdin
    process.standardOutput = stdout
    // With the lock held, so that an interrupt finds the process.
    try Self.process.withLock { current in
      current = process
      return Result { try process.run() }
    }.get()
    input = stdin.fileHandleForWriting
    let messages = MessageReader(stdout.fileHandleForReading)
    guard let hello = messages.next(within: 10) as? [String], hello.count >= 2, hello[0] == "hello" else {
      Self.kill()
      throw UsageError("--reference: \(executable.lastPathComponent) is no JavaScript engine that is known")
    }
    version = SafeText.line(hello[1], most: 40)
    combinators = Set(hello.dropFirst(2))
    Thread.start("conformance.engine.reader") { [self] in
      while let message = messages.next(), receive(message) {}
      whenItEnds("the JavaScript engine has ended, or its answer cannot be read")
    }
    Thread.start("conformance.engine.jobs") { [self] in while true { _ = serve(0) } }
  }

  /// Ends the engine, which may not read its input.
  static func kill() {
    guard let process = process.withLock({ $0.take() }), process.isRunning else { return }
    Foundation.kill(process.processIdentifier, SIGKILL)
  }

  /// Sends a request, waits for the reply, and returns its result.
  @discardableResult
  func request(_ operation: String, _ arguments: [Any] = []) -> Int {
    let request = newNumber()
    send([request, operation] + arguments)
    while true {
      if let reply = serve(request) { return reply }
    }
  }

  // MARK: Numbers

  func newNumber() -> Int { newNumber { _ in } }

  /// Calls `note` with the lock held.
  private func newNumber(_ note: (Int) -> Void) -> Int {
    condition.withLock {
      count += 1
      note(count)
      return count
    }
  }

  /// Returns the number of a closure that the engine calls.
  func closure(_ closure: @escaping Closure) -> Int { newNumber { closures[$0] = closure } }

  /// Returns the number of a thing. An instance of a class always has the same number.
  func number(of thing: Any) -> Int {
    let identity = object(thing).map(ObjectIdentifier.init)
    if let identity, let known = condition.withLock({ numbers[identity] }) { return known }
    return newNumber { note($0, thing, identity) }
  }

  /// Returns the promise with this number.
  func promise(_ number: Int) -> EnginePromise {
    condition.withLock {
      if let known = things[number] as? EnginePromise { return known }
      let promise = EnginePromise()
      note(number, promise, ObjectIdentifier(promise))
      return promise
    }
  }

  private func note(_ number: Int, _ thing: Any, _ identity: ObjectIdentifier?) {
    things[number] = thing
    if let identity { numbers[identity] = number }
  }

  /// Returns the thing for an argument from the engine; `nil` if it is none. Called with the lock held.
  private func thing(_ x: Any) -> Any? {
    if let number = x as? Int { return things[number] ?? number }
    guard let parts = x as? [String: Any] else { return nil }
    if let list = parts["list"] as? [Any] { return list.compactMap(thing) }
    if let errors = parts["errors"] as? [Any] {
      return EngineError("AggregateError", errors.compactMap(thing))
    }
    if let value = parts["fulfilled"] { return thing(value).map(Settlement.fulfilled) }
    if let reason = parts["rejected"] { return thing(reason).map(Settlement.rejected) }
    return (parts["other"] as? String).map { EngineError(SafeText.line($0), []) }
  }

  // MARK: Messages

  /// Waits for a message about a request. Runs a closure that the engine calls, or returns the reply.
  private func serve(_ request: Int) -> Int? {
    condition.lock()
    while true {
      if let reply = replies.removeValue(forKey: request) {
        condition.unlock()
        return reply
      }
      if let call = calls.removeValue(forKey: request) {
        condition.unlock()
        do {
          send([call.id, "return", try call.closure(call.arguments)])
        } catch {
          send([call.id, "throw", number(of: error)])
        }
        return nil
      }
      condition.wait()
    }
  }

  /// Returns `false` if the message cannot be read.
  private func receive(_ message: [Any]) -> Bool {
    condition.withLock {
      defer { condition.broadcast() }
      guard message.count >= 3, let request = message[1] as? Int else { return false }
      guard message[0] as? String == "call" else {
        replies[request] = message[2] as? Int
        return replies[request] != nil
      }
      guard message.count == 5, let id = message[2] as? Int, let number = message[3] as? Int,
        let closure = closures[number], let things = message[4] as? [Any]
      else { return false }
      // Each closure takes up to two arguments.
      calls[request] = (id, closure, things.compactMap(thing) + [0, 0])
      return true
    }
  }

  /// Drops what cannot be written, because the reader notices that the engine has ended.
  private func send(_ message: [Any]) {
    guard let line = try? JSONSerialization.data(withJSONObject: message) else { return }
    condition.withLock { try? input.write(contentsOf: line + Data("\n".utf8)) }
  }
}

final class EnginePromise: Sendable {}

/// A reason that the engine has made.
final class EngineError: Error, CustomStringConvertible, @unchecked Sendable {
  let description: String
  /// The errors of an `AggregateError`.
  let errors: [Any]

  init(_ description: String, _ errors: [Any]) { (self.description, self.errors) = (description, errors) }
}

/// Reads the messages of a pipe: one JSON array per line.
private final class MessageReader: @unchecked Sendable {
  private static let longest = 1 << 24
  private let file: FileHandle
  private var buffer = Data()

  init(_ file: FileHandle) { self.file = file }

  /// Returns the next message; `nil` at the end of the pipe, after too long a line, or after `seconds`.
  func next(within seconds: Double = .infinity) -> [Any]? {
    let end = Date(timeIntervalSinceNow: min(seconds, 1e9))
    while buffer.count < Self.longest {
      if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
        let line = buffer[..<end]
        buffer = Data(buffer[(end + 1)...])
        return try? JSONSerialization.jsonObject(with: line) as? [Any]
      }
      if seconds.isFinite {
        var request = pollfd(fd: file.fileDescriptor, events: Int16(POLLIN), revents: 0)
        let left = Int32(max(0, end.timeIntervalSinceNow) * 1000)
        if poll(&request, 1, left) <= 0 { return nil }
      }
      let more = file.availableData
      if more.isEmpty { return nil }
      buffer += more
    }
    return nil
  }
}
