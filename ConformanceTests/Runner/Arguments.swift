import PromisesAPlusSuite

/// The command line of `conformance`.
struct Arguments: Equatable {
  enum Format: String, CaseIterable { case text, junit, html }

  enum Option: String, CaseIterable {
    case context, clause, `case`, programs, seed, threads, format, deadline, reference, help

    /// The option as it is typed.
    var name: String { "--\(rawValue)" }
  }

  /// The contexts, clauses and cases to run. An empty list means all.
  var contexts: [String] = []
  var clauses: [String] = []
  /// Ids, or numbers in the official suite.
  var cases: [String] = []
  /// The number of random programs to run instead of the cases; `nil` means the cases.
  var programs: Int?
  var seed: UInt64?
  /// The number of threads that share the operations of one program.
  var threads: Int?
  /// The JavaScript engine whose promises are tested instead.
  var reference: String?
  var format = Format.text
  /// The seconds that a case may wait. The default is higher than the suite's, because a busy machine delays
  /// cases that do not hang.
  var deadline = 20.0
  var help = false

  var choosesEveryCase: Bool { clauses.isEmpty && cases.isEmpty }

  /// The random programs to run. A run of everything as text or html has default ones, fewer on an engine.
  var programRuns: [ProgramRun] {
    func run(_ count: Int, _ threads: Int) -> ProgramRun {
      ProgramRun(count: count, seed: seed ?? 0, threads: threads, deadline: deadline)
    }
    if let programs { return [run(programs, threads ?? 1)] }
    guard contexts.isEmpty, choosesEveryCase, format != .junit else { return [] }
    return reference == nil ? [run(10_000, 1), run(1_000, 3)] : [run(5_000, 1)]
  }

  init() {}

  /// Parses a command line without the program's name. `--option value` and `--option=value` are the same.
  /// ``Plan`` checks later whether a context or clause exists.
  init(parsing words: [String]) throws(UsageError) {
    var rest = Words(words)
    while let word = rest.next() {
      guard word.hasPrefix("-"), word != "-" else {
        throw UsageError("unexpected argument '\(word)'; options start with '--'")
      }
      guard let option = word == "-h" ? .help : Option.allCases.first(where: { $0.name == word }) else {
        throw UsageError("unknown option '\(word)'")
      }
      try apply(option, &rest)
      if rest.inlineValue != nil { throw UsageError("\(option.name) takes no value") }
    }
    if programs == nil, seed != nil || threads != nil {
      throw UsageError("--seed and --threads require --programs")
    }
    if programs != nil, !contexts.isEmpty || !choosesEveryCase {
      throw UsageError("--programs cannot be combined with options that choose cases")
    }
  }

  private mutating func apply(_ option: Option, _ rest: inout Words) throws(UsageError) {
    switch option {
    case .context: contexts.append(try rest.value(of: option))
    case .clause: clauses.append(try rest.value(of: option))
    case .case: cases.append(try rest.value(of: option))
    case .programs:
      programs = try rest.value(of: option, "a whole number above 0") {
        Int($0)
      } where: {
        $0 > 0
      }
    case .seed: seed = try rest.value(of: option, "a whole number from 0") { UInt64($0) }
    case .threads:
      threads = try rest.value(of: option, "a whole number from 1 to 64") {
        Int($0)
      } where: {
        1...64 ~= $0
      }
    case .format: format = try rest.value(of: option, "text, junit or html") { Format(rawValue: $0) }
    case .deadline:
      deadline = try rest.value(of: option, "a number of seconds above 0") {
        Double($0)
      } where: {
        $0.isFinite && $0 > 0
      }
    case .reference: reference = try rest.value(of: option)
    case .help: help = true
    }
  }

  /// Fits a terminal of 80 columns.
  static let helpText = """
    usage: conformance [options]

    Runs the Promises/A+ suite on DynamicPromise, on every execution context that
    the library ships, and reports whether each ended as declared.

    What to run
      --context NAME       only this context; may be given several times
      --clause NUMBER      only cases at or below this clause: 2.3.3 of
                           Promises/A+, 27.2.4.1 of ECMA-262 (combinators);
                           may be given several times
      --case ID            only this case, by its id or by its number in the
                           official suite (1 to 872); may be given several times
      --deadline SECONDS   how long one case may wait for something before it
                           counts as hanging (default: 20)
      --programs N         run N random programs of promises instead of the cases;
                           a run of everything also runs 10000, and 1000 on three
                           threads
      --seed S             the seed of the first program (default: 0)
      --threads N          N threads share the operations of each program; with
                           more than 1 (the default), fewer rules are checked
      --reference NAME     run everything on the promises of this JavaScript
                           engine, such as node, instead: cases, and 5000
                           programs; a failure means that the engine disagrees

    What to print
      --format FORMAT      text (default), junit (cases alone) or html
      --help, -h           this text

    A terminal shows colors unless NO_COLOR is set. The id of each case is written
    to standard error before the case runs, so that the output names the case
    after a crash. A crash in a random program writes the program's seed.

    Exit status
      0    every case on every context ended as declared, every program held
      1    something failed, passed though declared as a deviation, or hung, or
           nothing ran
      64   the command line is invalid
      74   the report cannot be written
      130  interrupted (Ctrl-C); the results so far have been printed

    """
}

/// An invalid command line, with the reason. The process ends with status 64.
struct UsageError: Error, Equatable, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// The words that are not read yet. An `--option=value` is split when it is read.
private struct Words {
  private var words: ArraySlice<String>
  private(set) var inlineValue: String?

  init(_ words: [String]) { self.words = words[...] }

  mutating func next() -> String? {
    guard let word = words.popFirst() else { return nil }
    guard word.hasPrefix("--"), let equals = word.firstIndex(of: "=") else { return word }
    inlineValue = String(word[word.index(after: equals)...])
    return String(word[..<equals])
  }

  mutating func value(of option: Arguments.Option) throws(UsageError) -> String {
    // A following option is not a value. In `--context --list`, the name of the context is missing.
    if inlineValue == nil, let next = words.first, !next.hasPrefix("--") {
      inlineValue = words.removeFirst()
    }
    defer { inlineValue = nil }
    guard let value = inlineValue, !value.isEmpty else { throw UsageError("\(option.name) needs a value") }
    return value
  }

  /// Returns the option's value, converted by `read`. Otherwise throws an error that describes valid values.
  mutating func value<Value>(
    of option: Arguments.Option, _ takes: String, _ read: (String) -> Value?,
    where isValid: (Value) -> Bool = { _ in true }
  ) throws(UsageError) -> Value {
    let text = try value(of: option)
    guard let result = read(text), isValid(result) else {
      throw UsageError("\(option.name) takes \(takes), not '\(text)'")
    }
    return result
  }
}
