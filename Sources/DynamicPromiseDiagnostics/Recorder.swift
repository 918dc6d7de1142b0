import DynamicPromise

/// Records every promise that is made until it ends, and draws their tree. The promises themselves do not
/// remember it: one that is settled and held by nobody is freed.
///
/// Its memory grows with every promise that is made: for a test, or for a minute of a program.
public final class Recorder: Sendable {
  private let register: Register

  /// Begins, with the promises that are made from now on.
  public init() {
    register = Register(keepsEverything: true, roots: nil)
    Hub.shared.add(register)
  }

  /// Begins with these promises, each recorded once. Of those that are made from now on it shows what belongs
  /// to them: their descendants, the trees of promises that one of them follows or is combined with, and so
  /// on from those.
  public init(of roots: Promise...) {
    register = Register(keepsEverything: true, roots: roots)
    Hub.shared.add(register)
    register.update(roots)
  }

  deinit { end() }

  /// Ends: what has been recorded stays as it is. A second call does nothing.
  public func end() { Hub.shared.remove(register) }

  /// Everything recorded, in the order of making.
  public var records: [PromiseRecord] { register.records }

  /// The tree as lines of text. `→` continues the line above, `-` begins one of several branches.
  public var text: String { Picture(records).text }

  /// What happened and when, in the trace event format (JSON) that Perfetto (ui.perfetto.dev) and Chrome
  /// (chrome://tracing) read: a track for each context, a slice for each handler, and an arrow from where a
  /// promise settled to each handler that was waiting for it. A context that runs several handlers at a time
  /// has several tracks.
  public var trace: String { Timeline(records).trace }

  /// A page for a browser, in one file: the tree, and the same time line as in ``trace``.
  public var html: String { Page(records).text }

  /// The tree for Graphviz (`dot -Tsvg`).
  public var dot: String { Picture(records).dot }

  /// The tree for Mermaid, which many Markdown viewers draw.
  public var mermaid: String { Picture(records).mermaid }
}
