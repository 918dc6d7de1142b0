import PromisesAPlusSuite

extension Arguments {
  /// Parses a command line (without the program's name). Pure: it depends on its argument only.
  ///
  /// `--option value` and `--option=value` are the same. The driver checks later whether a context or a
  /// clause of that name exists.
  public static func parse(_ words: [String]) throws(UsageError) -> Arguments {
    var result = Arguments()
    var rest = Words(words)
    while let word = rest.next() {
      guard word.hasPrefix("-"), word != "-" else {
        throw UsageError("unexpected argument '\(word)'; options start with '--'")
      }
      guard let option = Option(rawValue: word) else {
        let known = Option.allCases.map(\.rawValue).filter { $0.hasPrefix("--") }
        throw UsageError("unknown option '\(word)'" + suggestion(for: word, among: known))
      }
      try result.apply(option, &rest)
      if rest.hasUnusedValue {
        throw UsageError("\(option.rawValue) takes no value")
      }
    }
    if result.verbose && result.format != .text {
      throw UsageError("--verbose is about the text format; the other formats always list every case")
    }
    if result.list && result.format != .text {
      throw UsageError("--list prints text only")
    }
    if result.programs == nil, result.seed != nil || result.shard != nil || result.threads != nil {
      throw UsageError("--seed, --shard and --threads are about --programs")
    }
    if result.programs != nil {
      let choosesCases = !result.contexts.isEmpty || !result.selection.isEverything || result.repeats != 1
      if choosesCases || result.list || result.verbose {
        throw UsageError(
          "--programs runs random programs only; it takes --deadline, --format and --reference")
      }
    }
    return result
  }

  /// The options as typed.
  enum Option: String, CaseIterable {
    case context = "--context"
    case clause = "--clause"
    case `case` = "--case"
    case `repeat` = "--repeat"
    case programs = "--programs"
    case seed = "--seed"
    case shard = "--shard"
    case threads = "--threads"
    case list = "--list"
    case format = "--format"
    case verbose = "--verbose"
    case deadline = "--deadline"
    case color = "--color"
    case reference = "--reference"
    case help = "--help"
    case shortHelp = "-h"
  }

  private mutating func apply(_ option: Option, _ rest: inout Words) throws(UsageError) {
    switch option {
    case .context:
      contexts.append(try rest.value(of: option))
    case .clause:
      let text = try rest.value(of: option)
      guard let clause = ClausePrefix(text) else {
        throw UsageError("--clause takes a clause number such as 2.3.3, not '\(text)'")
      }
      selection.clauses.append(clause)
    case .case:
      selection.cases.append(try rest.value(of: option))
    case .repeat:
      let text = try rest.value(of: option)
      guard let count = Int(text), 1...Self.mostRepeats ~= count else {
        throw UsageError("--repeat takes a whole number from 1 to \(Self.mostRepeats), not '\(text)'")
      }
      repeats = count
    case .programs:
      let text = try rest.value(of: option)
      guard let count = Int(text), count > 0 else {
        throw UsageError("--programs takes a whole number above 0, not '\(text)'")
      }
      programs = count
    case .seed:
      let text = try rest.value(of: option)
      guard let number = UInt64(text) else {
        throw UsageError("--seed takes a whole number from 0, not '\(text)'")
      }
      seed = number
    case .shard:
      let text = try rest.value(of: option)
      let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
      guard parts.count == 2, let index = parts[0], let count = parts[1],
        let part = ProgramRun.Shard(index, of: count)
      else { throw UsageError("--shard takes a part such as 1/4, not '\(text)'") }
      shard = part
    case .threads:
      let text = try rest.value(of: option)
      guard let count = Int(text), 1...Self.mostThreads ~= count else {
        throw UsageError("--threads takes a whole number from 1 to \(Self.mostThreads), not '\(text)'")
      }
      threads = count
    case .list: list = true
    case .format: format = try rest.choice(of: option)
    case .verbose: verbose = true
    case .deadline:
      let text = try rest.value(of: option)
      guard let seconds = Double(text), seconds.isFinite, seconds > 0 else {
        throw UsageError("--deadline takes a number of seconds above 0, not '\(text)'")
      }
      deadline = seconds
    case .color: color = try rest.choice(of: option)
    case .reference: reference = try rest.value(of: option)
    case .help, .shortHelp: help = true
    }
  }
}

/// The words still to be read; an `--option=value` is split when it is taken.
private struct Words {
  private var words: ArraySlice<String>
  private var inlineValue: String?

  init(_ words: [String]) {
    self.words = words[...]
  }

  var hasUnusedValue: Bool { inlineValue != nil }

  mutating func next() -> String? {
    guard let word = words.popFirst() else { return nil }
    guard word.hasPrefix("--"), let equals = word.firstIndex(of: "=") else { return word }
    inlineValue = String(word[word.index(after: equals)...])
    return String(word[..<equals])
  }

  mutating func value(of option: Arguments.Option) throws(UsageError) -> String {
    // A following option is not a value: `--context --list` lacks a name, and "--list" is not a context.
    if inlineValue == nil, let next = words.first, !next.hasPrefix("--") {
      inlineValue = words.removeFirst()
    }
    defer { inlineValue = nil }
    guard let value = inlineValue, !value.isEmpty else {
      throw UsageError("\(option.rawValue) needs a value")
    }
    return value
  }

  mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
    of option: Arguments.Option
  ) throws(UsageError) -> Choice {
    let text = try value(of: option)
    guard let choice = Choice(rawValue: text) else {
      let names = Choice.allCases.map(\.rawValue)
      throw UsageError(
        "\(option.rawValue) takes \(names.joined(separator: ", ")), not '\(text)'"
          + suggestion(for: text, among: names))
    }
    return choice
  }
}
