import Foundation
import PromisesAPlusSuite
import XCTest

/// The Swift source of failing programs. All sources are compiled into one executable with the adapter of the
/// stand-in, and run there.
final class PrintedProgramTests: XCTestCase {
  func testThePrintedSwiftFailsOnlyOnTheBrokenPromise() throws {
    let shrunk = ProgramMutantTests.found.compactMap { defect, failure in failure.map { (defect, $0) } }
    // These programs have operations on promises that are never created, because they are not shrunk.
    let threaded = ProgramMutantTests.found.compactMap { defect, _ -> (Defect, ProgramFailure)? in
      ProgramRun(count: 200, threads: 3, deadline: 60).run(StandInAdapter(defect)).failure.map {
        (defect, $0)
      }
    }
    let hang = withHangingAdapter { ProgramRun(count: 100, deadline: 0.2).run($0).failure }
    let all = try shrunk + threaded + [(nil, XCTUnwrap(hang))]

    let sources = all.enumerated().map { index, found in
      found.1.swiftSource.replacing("func program(", with: "func program\(index)(")
    }
    let text = sources.joined(separator: "\n")
    let forms = [
      ".create(on: .a)", ".create(on: .b)", ".fulfill(", ".reject(", ".resolve(", ".then(",
      "throw ProgramError(", "return p", ") { nil }", ") { throw ProgramError(", ", .object) {",
      ", .value) {", ", .enumeration) {", "{ _, _ in", "resolvePromise(", "rejectPromise(", "check.later {",
      "check.elsewhere {", "check.step(.a)", "check.step(.b)", "check.step(.outside)",
    ]
    for form in forms { XCTAssertTrue(text.contains(form), "no program has \(form)") }
    for (defect, failure) in threaded {
      XCTAssertTrue(failure.steps.contains("3 threads share"), "\(defect): \(failure)")
      XCTAssertTrue(failure.swiftSource.contains("3 threads shared"), "\(defect): \(failure)")
    }

    let calls = all.enumerated().map { index, found in
      "run(program\(index), \(found.0.map { ".\($0)" } ?? "nil"))"
    }
    let main = """
      func outcome(_ program: (StandInAdapter) throws -> Void, _ defect: Defect?) -> String {
        do {
          try program(StandInAdapter(defect))
          return "holds"
        } catch {
          return "\\(error)"
        }
      }
      func run(_ program: (StandInAdapter) throws -> Void, _ defect: Defect?) {
        print("\\(outcome(program, nil)), \\(outcome(program, defect))")
      }

      """
    let output = try compiled(["Printed.swift": text, "main.swift": main + calls.joined(separator: "\n")])
    let lines = output.split(separator: "\n")
    guard lines.count == all.count else { return XCTFail(output) }
    XCTAssertGreaterThan(threaded.count, 50)
    for (line, failure) in zip(lines, shrunk.map(\.1)) {
      XCTAssertEqual(line, "holds, \(failure.clause): \(failure.message)")
    }
    // The other programs have failed on several threads. On one thread they may hide the mistake.
    for line in lines.dropFirst(shrunk.count) { XCTAssertTrue(line.hasPrefix("holds, "), "\(line)") }
  }

  func testAnAdapterWithoutContextsThrows() {
    XCTAssertThrowsError(try CheckedProgram(Silent(), end: 1)) { error in
      XCTAssertEqual((error as? Violation)?.clause, "on(_:)")
    }
  }

  /// Compiles the files in Swift 6 mode with the stand-in and its adapter. Returns the compiler's warnings
  /// and errors, then the output of the executable.
  private func compiled(_ files: [String: String]) throws -> String {
    let manager = FileManager.default
    let folder = manager.temporaryDirectory.appending(path: UUID().uuidString)
    try manager.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? manager.removeItem(at: folder) }
    for (name, text) in files {
      try text.write(to: folder.appending(path: name), atomically: true, encoding: .utf8)
    }
    let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let standIn = try manager.contentsOfDirectory(atPath: here.path)
      .filter { $0.hasPrefix("StandIn") || $0.hasPrefix("DispatchSpecificKey") }
      .map { here.appending(path: $0).path }
    var products = Bundle(for: Self.self).bundleURL
    if !manager.fileExists(atPath: products.appending(path: "Modules").path) {
      products.deleteLastPathComponent()
    }
    // Uses the list of linked objects, because the folders may also contain objects of deleted files.
    let list = products.appending(path: "DynamicPromisePackageTests.product/Objects.LinkFileList")
    let objects = try String(contentsOf: list, encoding: .utf8).split(separator: "\n")
      .map { $0.trimmingCharacters(in: CharacterSet(charactersIn: "'\"")) }
      .filter { $0.contains("/PromisesAPlusSuite.build/") || $0.contains("/Seeds.build/") }
    let program = folder.appending(path: "printed").path
    return try output(
      [
        "swiftc", "-swift-version", "6", "-module-name", "SuiteTests", "-I",
        products.appending(path: "Modules").path, "-o", program,
      ]
        + files.keys.map { folder.appending(path: $0).path } + standIn + objects) + output([program])
  }

  private func output(_ command: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: output, as: UTF8.self)
  }
}
