import PromisesAPlusSuite

extension Arguments {
  /// Parses a command line without the program's name. The result depends only on the argument.
  ///
  /// `--option value` and `--option=value` are the same. ``Plan`` checks later whether a context or clause
  /// exists.
  public static func parse(_ words: [String]) throws(UsageError) -> Arguments {
    var result = Arguments()
    var rest = Words(words)
    while let word = rest.next() {
      guard word.hasPrefix("-"), word != "-" else {
        throw UsageError("unexpected argument '\(word)'; options start with '--'")
      }
      guard let option = word == "-h" ? .help : Option.allCases.first(where: { $0.name == word }) else {
        let known = Option.allCases.map(\.name)
        throw UsageError("unknown option '\(word)'" + suggestion(for: word, among: known))
      }
      try result.apply(option, &rest)
      if rest.inlineValue != nil { throw UsageError("\(option.name) takes no value") }
    }
    if result.verbose && result.format != .text {
      throw UsageError("--verbose needs the text format; the other formats always list every case")
    }
    if result.list && result.format != .text {
      throw UsageError("--list prints text only")
    }
    if result.programs == nil, result.seed != nil || result.shard != nil || result.threads != nil {
      throw UsageError("--seed, --shard and --threads require --programs")
    }
    if result.programs != nil && result.format == .badge {
      throw UsageError("--format badge counts cases, and --programs runs none")
    }
    if result.programs != nil {
      let choosesCases = !result.contexts.isEmpty || !result.choosesEveryCase || result.repeats != 1
      if choosesCases || result.list || result.verbose {
        throw UsageError("--programs cannot be combined with options that choose or list cases")
      }
    }
    return result
  }

  package enum Option: String, CaseIterable {
    case context, clause, `case`, `repeat`, programs, seed, shard, threads, list, format, verbose, deadline
    case color, reference, help

    /// The option as it is typed.
    package var name: String { "--\(rawValue)" }
  }

  private mutating func apply(_ option: Option, _ rest: inout Words) throws(UsageError) {
    switch option {
    case .context: contexts.append(try rest.value(of: option))
    case .clause:
      let form = /([0-9]+|[a-z]+)(\.([0-9]+|[a-z]+))*/
      let clause = try rest.value(of: option, as: String.self, "a clause number such as 2.3.3") { text in
        text.wholeMatch(of: form) == nil ? nil : text
      }
      clauses.append(clause)
    case .case: cases.append(try rest.value(of: option))
    case .repeat: repeats = try rest.count(of: option, upTo: Self.mostRepeats)
    case .programs:
      programs = try rest.value(of: option, as: Int.self, "a whole number above 0") { text in
        Int(text).flatMap { $0 > 0 ? $0 : nil }
      }
    case .seed: seed = try rest.value(of: option, as: UInt64.self, "a whole number from 0") { UInt64($0) }
    case .shard:
      shard = try rest.value(of: option, as: ProgramRun.Shard.self, "a part such as 1/4") { text in
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let index = parts[0], let count = parts[1] else { return nil }
        return ProgramRun.Shard(index, of: count)
      }
    case .threads: threads = try rest.count(of: option, upTo: Self.mostThreads)
    case .list: list = true
    case .format: format = try rest.choice(of: option)
    case .verbose: verbose = true
    case .deadline:
      deadline = try rest.value(of: option, as: Double.self, "a number of seconds above 0") { text in
        Double(text).flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
      }
    case .color: color = try rest.choice(of: option)
    case .reference: reference = try rest.value(of: option)
    case .help: help = true
    }
  }
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
    guard let value = inlineValue, !value.isEmpty else {
      throw UsageError("\(option.name) needs a value")
    }
    return value
  }

  /// Returns the option's value, converted by `read`. If `read` returns `nil`, throws an error that describes
  /// valid values.
  mutating func value<Value>(
    of option: Arguments.Option, as type: Value.Type, _ takes: String, _ read: (String) -> Value?
  ) throws(UsageError) -> Value {
    let text = try value(of: option)
    guard let result = read(text) else {
      throw UsageError("\(option.name) takes \(takes), not '\(text)'")
    }
    return result
  }

  mutating func count(of option: Arguments.Option, upTo most: Int) throws(UsageError) -> Int {
    try value(of: option, as: Int.self, "a whole number from 1 to \(most)") { text in
      Int(text).flatMap { 1...most ~= $0 ? $0 : nil }
    }
  }

  mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
    of option: Arguments.Option
  ) throws(UsageError) -> Choice {
    let text = try value(of: option)
    guard let choice = Choice(rawValue: text) else {
      let names = Choice.allCases.map(\.rawValue)
      throw UsageError(
        "\(option.name) takes \(names.joined(separator: ", ")), not '\(text)'"
          + suggestion(for: text, among: names))
    }
    return choice
  }
}
