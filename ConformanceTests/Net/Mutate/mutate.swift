// Mutates the core by rule, and lets the net look for the mutants.

import Foundation

let usage = """
  usage: mutate [--sample N] [--seed N] [--programs N] [--net-only]

    --sample N     how many mutants that compile (default 40)
    --seed N       decides the sample (default 7)
    --programs N   how many random programs look for each mutant (default 1500)
    --net-only     does not run the core's tests on the mutants that the net does not find
  """

// MARK: Options

var sample = 40
var seed: UInt64 = 7
var programs = 1500
var isNetOnly = false
var arguments = CommandLine.arguments.dropFirst()

func stop(_ message: String) -> Never {
  FileHandle.standardError.write(Data((message + "\n").utf8))
  exit(64)
}

@MainActor
func number<N: LosslessStringConvertible>(_ option: String) -> N {
  guard let text = arguments.popFirst(), let number = N(text) else {
    stop("\(option) needs a number\n\(usage)")
  }
  return number
}

while let option = arguments.popFirst() {
  switch option {
  case "--sample": sample = number(option)
  case "--seed": seed = number(option)
  case "--programs": programs = number(option)
  case "--net-only": isNetOnly = true
  default: stop(usage)
  }
}

func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

/// SplitMix64, so that a seed gives the same sample everywhere.
struct Random: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }
}

// MARK: Mutants

/// One changed line.
struct Mutant {
  let file: String
  /// The index of the line.
  let line: Int
  let rule: String
  let old: String
  let new: String

  var description: String {
    let (old, new) = (old.trimmingCharacters(in: .whitespaces), new.trimmingCharacters(in: .whitespaces))
    return "\(file):\(line + 1): \(rule): \(old)  ->  \(new.isEmpty ? "(nothing)" : new)"
  }
}

/// A rule: a pattern, and the text that takes the place of a match.
struct Rule: @unchecked Sendable {
  let name: String
  let pattern: Regex<AnyRegexOutput>
  let text: (_ match: String) -> String?

  init(_ name: String, _ pattern: String, _ text: @escaping (String) -> String?) {
    self.name = name
    self.pattern = try! Regex(pattern)
    self.text = text
  }

  /// Replaces a text by another one, wherever it stands.
  init(_ name: String, _ old: String, by new: String) {
    self.init(name, NSRegularExpression.escapedPattern(for: old)) { _ in new }
  }
}

func isBalanced(_ text: some StringProtocol) -> Bool {
  var depth = 0
  for character in text {
    if "({[".contains(character) { depth += 1 }
    if ")}]".contains(character) { depth -= 1 }
    if depth < 0 { return false }
  }
  return depth == 0
}

let rules = [
  // The condition ends at a comma, at the brace of the body, or at `else`.
  Rule("negated condition", #"\b(if|guard|while|else if) (?!let |var |case |#|!\()[^{,]+?(?= \{|,| else \{)"#)
  { match in
    let parts = match.split(separator: " ", maxSplits: match.hasPrefix("else if") ? 2 : 1)
    guard let condition = parts.last, isBalanced(condition) else { return nil }
    return parts.dropLast().joined(separator: " ") + " !(\(condition))"
  },
  Rule("dropped call", #"^ +[A-Za-z_][A-Za-z_.?!]*\([^{]*\)$"#) { match in
    let call = match.trimmingCharacters(in: .whitespaces)
    let isOther = ["return", "init(", "self.init(", "super.", "precondition", "assert", "LockedWork"]
      .contains { call.hasPrefix($0) }
    return isOther || !isBalanced(call) ? nil : ""
  },
  Rule("comparison", " < ", by: " <= "), Rule("comparison", " <= ", by: " < "),
  Rule("comparison", " > ", by: " >= "), Rule("comparison", " >= ", by: " > "),
  Rule("comparison", " == ", by: " != "), Rule("comparison", " != ", by: " == "),
  Rule("comparison", " === ", by: " !== "), Rule("comparison", " !== ", by: " === "),
  Rule("comparison", " && ", by: " || "), Rule("comparison", " || ", by: " && "),
  Rule("off by one", " + 1", by: ""), Rule("off by one", " - 1", by: ""),
  Rule("off by one", "+= 1", by: "+= 2"), Rule("off by one", "-= 1", by: "-= 2"),
  Rule("removed return", #"^ +return$"#) { _ in "" },
  Rule("removed return", #"^ +if .*\{ return \}$"#) { $0.replacing("{ return }", with: "{}") },
  Rule("constant", "= true", by: "= false"), Rule("constant", "= false", by: "= true"),
]

func mutants(of file: String, _ source: String) -> [Mutant] {
  var result: [Mutant] = []
  var isDebug = false
  for (index, line) in source.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
    let line = String(line)
    let code = line.trimmingCharacters(in: .whitespaces)
    // Code that only debug builds compile asserts something.
    if code.hasPrefix("#if") { isDebug = code.contains("DEBUG") || code.contains("os(") }
    if code.hasPrefix("#endif") || code.hasPrefix("#else") { isDebug = false }
    if isDebug || code.hasPrefix("//") || code.hasPrefix("@") || code.contains("func ") { continue }
    for rule in rules {
      for match in line.matches(of: rule.pattern) {
        guard let text = rule.text(String(line[match.range])) else { continue }
        var new = line
        new.replaceSubrange(match.range, with: text)
        result.append(Mutant(file: file, line: index, rule: rule.name, old: line, new: new))
      }
    }
  }
  return result
}

// MARK: The copy

struct Outcome {
  let status: Int32
  let isTooLate: Bool
  var isGood: Bool { status == 0 && !isTooLate }
}

/// Runs a command in a folder, and ends it with its children after some seconds.
func run(_ command: String, in folder: String, seconds: Double = 3600, isSilent: Bool = true) -> Outcome {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/bin/bash")
  // A mutant may allocate without end. `set -m` gives the command a group of its own, which can be ended.
  process.arguments = ["-c", "ulimit -v 16000000; set -m; (\(command)) & echo $! >.group; wait $!"]
  process.currentDirectoryURL = URL(fileURLWithPath: folder)
  process.environment = ProcessInfo.processInfo.environment.merging(
    ["SWIFT_BACKTRACE": "enable=no", "RACE_ROUNDS": "5", "NO_COLOR": "1"]) { $1 }
  if isSilent {
    (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
  }
  let ended = DispatchSemaphore(value: 0)
  process.terminationHandler = { _ in ended.signal() }
  do { try process.run() } catch { stop("\(error)") }
  guard ended.wait(timeout: .now() + seconds) == .timedOut else {
    return Outcome(status: process.terminationStatus, isTooLate: false)
  }
  let group = try? String(contentsOfFile: folder + "/.group", encoding: .utf8)
  if let group = group.flatMap({ pid_t($0.trimmingCharacters(in: .whitespacesAndNewlines)) }) {
    kill(-group, SIGKILL)
  }
  // The tests may have a group of their own.
  let others = Process()
  (others.executableURL, others.arguments) = (
    URL(fileURLWithPath: "/usr/bin/pkill"), ["-KILL", "-f", folder]
  )
  try? others.run()
  _ = ended.wait(timeout: .now() + 10)
  return Outcome(status: 1, isTooLate: true)
}

/// Only these targets are built.
let targets = [
  "DynamicPromise", "CAtomicWord", "DynamicPromiseFoundation", "DynamicPromiseTesting",
  "DynamicPromiseDiagnostics",
  "PromisesAPlusSuite", "conformance", "ExecutableSpec", "programs", "TestSupport",
  "CoreTests",
]

func makeCopy(_ folder: String) {
  let names = targets.map { "\"\($0)\"" }.joined(separator: ", ")
  let manifest = """

    let wantedTargets = [\(names)]
    package.products.removeAll { !wantedTargets.contains($0.name) }
    package.targets.removeAll { !wantedTargets.contains($0.name) }
    """
  let root = FileManager.default.currentDirectoryPath
  let copy = "(cd '\(root)'; git ls-files -z | tar --null -T - -cf -) | tar -xf -"
  guard run(copy, in: folder, isSilent: false).isGood else { stop("no copy in \(folder)") }
  let file = URL(fileURLWithPath: folder + "/Package.swift")
  do {
    let text = try String(contentsOf: file, encoding: .utf8)
    try (text + manifest).write(to: file, atomically: true, encoding: .utf8)
  } catch { stop("\(error)") }
}

/// A check, and how many seconds it took on the unchanged core.
struct Check {
  let name: String
  let command: String
  var seconds = 300.0
}

var checks = [
  Check(name: "programs", command: ".build/debug/programs --seed 1 --programs \(programs)"),
  Check(name: "threads", command: ".build/debug/programs --seed 1 --programs \(programs / 5) --threads 3"),
  Check(
    name: "conformance",
    command: ".build/debug/conformance --context default --context serial --deadline 10 --format junit"),
]
let tests = Check(
  name: "CoreTests", command: "swift test --skip-build --filter '^CoreTests[.]'", seconds: 900)

/// What finds the mutant: the name of a check; `nil` if nothing does.
@MainActor
func finder(_ folder: String) -> String? {
  // A check that takes ten times as long hangs.
  for check in checks {
    let outcome = run(check.command, in: folder, seconds: 60 + 10 * check.seconds)
    if !outcome.isGood { return check.name + (outcome.isTooLate ? " (too late)" : "") }
  }
  guard !isNetOnly, run("swift build --build-tests", in: folder).isGood else { return nil }
  let outcome = run(tests.command, in: folder, seconds: tests.seconds)
  return outcome.isGood ? nil : tests.name + (outcome.isTooLate ? " (too late)" : "")
}

// MARK: The run

var all: [Mutant] = []
for room in ["Machine", "Tree", "Memory"] {
  let folder = "Sources/DynamicPromise/\(room)"
  for name in (try? FileManager.default.subpathsOfDirectory(atPath: folder))?.sorted() ?? []
  where name.hasSuffix(".swift") {
    let file = "\(folder)/\(name)"
    guard let source = try? String(contentsOfFile: file, encoding: .utf8) else { stop("cannot read \(file)") }
    all += mutants(of: file, source)
  }
}
var random = Random(state: seed)
all.shuffle(using: &random)
say("\(all.count) mutants, a sample of \(sample) with seed \(seed)")
let folder = FileManager.default.temporaryDirectory.appending(path: "mutate-\(UUID().uuidString)").path
try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(atPath: folder) }
makeCopy(folder)
guard run("swift build", in: folder).isGood else {
  stop("the unchanged core does not compile")
}
for index in checks.indices {
  let begin = Date()
  guard run(checks[index].command, in: folder).isGood else {
    stop("\(checks[index].name) fails without a mutant")
  }
  checks[index].seconds = Date().timeIntervalSince(begin)
  say("\(checks[index].name): \(Int(checks[index].seconds)) s")
}

var found: [String: Int] = [:]
var (count, invalid) = (0, 0)
for mutant in all {
  guard count < sample else { break }
  let file = URL(fileURLWithPath: "\(folder)/\(mutant.file)")
  let source = try String(contentsOf: file, encoding: .utf8)
  var lines = source.components(separatedBy: "\n")
  lines[mutant.line] = mutant.new
  try lines.joined(separator: "\n").write(to: file, atomically: true, encoding: .utf8)
  defer { try? source.write(to: file, atomically: true, encoding: .utf8) }
  guard run("swift build", in: folder).isGood else {
    invalid += 1
    continue
  }
  count += 1
  let name = finder(folder)
  found[name ?? "nothing", default: 0] += 1
  say("\(count): \(name.map { "found by \($0)" } ?? "SURVIVED"): \(mutant.description)")
}
let survivors = found["nothing"] ?? 0
for (name, count) in found.sorted(by: { $0.key < $1.key }) { say("\(name): \(count)") }
say("score: \(count - survivors) of \(count), \(invalid) did not compile")
