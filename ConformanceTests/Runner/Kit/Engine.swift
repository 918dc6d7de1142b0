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
  nonisolated(unsafe) private var calls: [Int: (id: Int, closure: Int, arguments: [Any])] = [:]
  nonisolated(unsafe) private var closures: [Int: Closure] = [:]
  nonisolated(unsafe) private var things: [Int: Any] = [:]
  nonisolated(unsafe) private var numbers: [ObjectIdentifier: Int] = [:]

  /// Starts the engine.
  init(_ executable: URL) throws {
    let process = Process()
    let (stdin, stdout) = (Pipe(), Pipe())
    process.executableURL = executable
    process.arguments = ["-e", EngineScript.text]
    process.standardInput = stdin
    process.standardOutput = stdout
    try process.run()
    input = stdin.fileHandleForWriting
    let messages = MessageReader(stdout.fileHandleForReading)
    guard let hello = messages.next() as? [String], hello.count >= 2, hello[0] == "hello" else {
      throw UsageError("--reference: \(executable.lastPathComponent) is no JavaScript engine that is known")
    }
    version = hello[1]
    combinators = Set(hello.dropFirst(2))
    Thread.start("conformance.engine.reader") { [self] in
      while let message = messages.next() { receive(message) }
      fatalError("the JavaScript engine has ended")
    }
    Thread.start("conformance.engine.jobs") { [self] in while true { _ = serve(0) } }
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

  /// Returns the thing for an argument from the engine. Called with the lock held.
  private func thing(_ x: Any) -> Any {
    if let number = x as? Int { return things[number] ?? number }
    let parts = x as! [String: Any]
    if let list = parts["list"] as? [Any] { return list.map(thing) }
    if let errors = parts["errors"] as? [Any] { return EngineError("AggregateError", errors.map(thing)) }
    if let value = parts["fulfilled"] { return Settlement.fulfilled(thing(value)) }
    if let reason = parts["rejected"] { return Settlement.rejected(thing(reason)) }
    return EngineError("\(parts["other"]!)", [])
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
        let closure = closures[call.closure]!
        condition.unlock()
        do {
          send([call.id, "return", try closure(call.arguments)])
        } catch {
          send([call.id, "throw", number(of: error)])
        }
        return nil
      }
      condition.wait()
    }
  }

  private func receive(_ message: [Any]) {
    condition.withLock {
      let request = message[1] as! Int
      if message[0] as? String == "call" {
        let arguments = (message[4] as! [Any]).map(thing)
        calls[request] = (message[2] as! Int, message[3] as! Int, arguments)
      } else {
        replies[request] = message[2] as? Int
      }
      condition.broadcast()
    }
  }

  private func send(_ message: [Any]) {
    let line = try! JSONSerialization.data(withJSONObject: message) + Data("\n".utf8)
    condition.withLock { try! input.write(contentsOf: line) }
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
  private let file: FileHandle
  private var buffer = Data()

  init(_ file: FileHandle) { self.file = file }

  /// Returns the next message; `nil` at the end of the pipe.
  func next() -> [Any]? {
    while true {
      if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
        let line = buffer[..<end]
        buffer = Data(buffer[(end + 1)...])
        return try? JSONSerialization.jsonObject(with: line) as? [Any]
      }
      let more = file.availableData
      if more.isEmpty { return nil }
      buffer += more
    }
  }
}
