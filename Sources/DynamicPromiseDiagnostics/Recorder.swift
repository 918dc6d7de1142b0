import DynamicPromise

/// Remembers every promise that is made until it ends, and draws their tree. Promises themselves forget: a
/// settled one that nobody holds is gone.
///
/// Its memory grows with every promise: for a test, or a minute of a program.
public final class Recorder: Sendable {
  private let register: Register

  /// Begins, with all promises that are made from now on.
  public init() {
    register = Register(keepsEverything: true, roots: nil)
    Hub.shared.add(register)
  }

  /// Begins with these promises, each recorded once, and shows of all that are made from now on those that
  /// belong to them: what stands below, the trees of promises that one of them follows or is combined with,
  /// and what follows from those.
  public init(of roots: Promise...) {
    register = Register(keepsEverything: true, roots: roots)
    Hub.shared.add(register)
    register.update(roots)
  }

  deinit { end() }

  /// Ends: what has been recorded stays as it is. A second time does nothing.
  public func end() { Hub.shared.remove(register) }

  /// Everything recorded, in the order of making.
  public var records: [PromiseRecord] { register.records }

  /// The tree as lines of text. `→` goes on from the line above, `-` begins one of several branches.
  public var text: String { Picture(records).text }

  /// What happened and when, in the trace event format (JSON) that Perfetto (ui.perfetto.dev) and Chrome
  /// (chrome://tracing) read: a track for each context, with a slice for each handler, and an arrow from
  /// where a promise settled to each handler that was waiting for it. A context that runs several handlers at
  /// a time has as many tracks.
  public var trace: String { Timeline(records).trace }

  /// One page for a browser, which loads nothing: the tree, and the same time line as in ``trace``.
  public var html: String { Page(records).text }

  /// The tree for Graphviz (`dot -Tsvg`).
  public var dot: String { Picture(records).dot }

  /// The tree for Mermaid, which many Markdown viewers draw.
  public var mermaid: String { Picture(records).mermaid }
}
