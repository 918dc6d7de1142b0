// Runs programs in a child process, so that a crash does not lose the seed. After a crash or a hang, shorter
// programs are tried, also in child processes.

import ExecutableSpec
import Foundation
import PromisesAPlusSuite

struct Crashes {
  /// The option that the parent adds to its own arguments when it starts the child.
  static let childOption = "--note"
  static let tryOption = "--try"
  /// The exit status of a child whose program hangs.
  static let hangs: Int32 = 3

  let threads: Int
  private let directory = FileManager.default.temporaryDirectory

  /// Runs the programs of these options in a child process.
  func run(_ arguments: some Sequence<String>) -> Bool {
    let note = directory.appendingPathComponent("programs-\(UUID().uuidString)")
    try? Data().write(to: note)
    defer { try? FileManager.default.removeItem(at: note) }
    guard let child = start(Array(arguments) + [Self.childOption, note.path]) else { return false }
    child.waitUntilExit()
    if !Self.hasCrashed(child) { return child.terminationStatus == 0 }
    let seed = (try? String(contentsOf: note, encoding: .utf8))?.split(separator: " ").first.flatMap {
      UInt64($0)
    }
    say("FAILED: \(seed.map { "seed \($0) crashes or hangs" } ?? "see the sanitizer's report")")
    guard let seed else { return false }
    say(shrunk(Generator.program(seed: seed, threads: threads)).swiftSource)
    return false
  }

  private static func hasCrashed(_ child: Process) -> Bool {
    child.terminationReason == .uncaughtSignal || child.terminationStatus > 2
  }

  /// A shorter program that also crashes or hangs. Its name is the seed and the choice of each
  /// simplification, step by step.
  private func shrunk(_ program: Program) -> Program {
    typealias Named = (program: Program, name: String)
    func simpler(_ named: Named) -> [Named] {
      named.program.simpler().enumerated().map { ($1, "\(named.name).\($0)") }
    }
    return PromisesAPlusSuite.shrunk((program, "\(program.seed)"), simpler: simpler) { (named: Named) in
      guard let child = start(["--threads", "\(threads)", Self.tryOption, named.name], isSilent: true) else {
        return false
      }
      child.waitUntilExit()
      return Self.hasCrashed(child)
    }.program
  }

  /// The program with this name.
  static func program(named name: String, threads: Int) -> Program? {
    let numbers = name.split(separator: ".").compactMap { UInt64($0) }
    guard let seed = numbers.first else { return nil }
    var program = Generator.program(seed: seed, threads: threads)
    for choice in numbers.dropFirst() {
      let simpler = program.simpler()
      guard choice < simpler.count else { return nil }
      program = simpler[Int(choice)]
    }
    return program
  }

  private func start(_ arguments: [String], isSilent: Bool = false) -> Process? {
    let child = Process()
    child.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
    child.arguments = arguments
    if isSilent {
      child.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
      (child.standardOutput, child.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
    }
    do { try child.run() } catch {
      say("FAILED: no child process: \(error)")
      return nil
    }
    return child
  }
}
