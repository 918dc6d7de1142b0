import DynamicPromise

/// Records every promise that is made until the recorder ends, and draws their tree. Unreferenced settled
/// promises are freed as usual; the recorder keeps their records.
///
/// A recorder's memory grows with every promise that is made, and it retains the reasons of rejections. Use
/// it for a test, or for one minute of a program's run.
public final class Recorder: Sendable {
  private let register: Register

  /// Starts to record all promises that are made from now on.
  public init() {
    register = Register(keepsEverything: true, roots: nil)
    Diagnosis.add(register)
  }

  /// Starts to record these promises, each once. Later promises are reported only if they are related to
  /// these promises, directly or through others: descendants, ancestors, followers, followed promises,
  /// combinators and their inputs.
  public init(of roots: Promise...) {
    register = Register(keepsEverything: true, roots: roots)
    Diagnosis.add(register)
    register.update(roots)
  }

  deinit {
    end()
    register.clear()
  }

  /// Ends the recording. The records no longer change. A second call has no effect.
  public func end() {
    register.end()
    Diagnosis.remove(register)
  }

  /// All records, in the order of creation.
  public var records: [PromiseRecord] { register.records }

  /// The tree as lines of text. `→` continues the line above; `-` begins one of several branches.
  public var text: String { Picture(records).text }

  /// A web page in one file: a timeline, the wait paths of pending promises, and the tree. The timeline has a
  /// track for each context, a bar for each handler, and arrows from a settling promise to its handlers. A
  /// context that runs several handlers at a time has several tracks. The time ends at ``end()``, and the
  /// promises for which others wait in the end are marked.
  public var html: String { Page(records, until: register.duration).text }

  /// The tree for Mermaid, which many Markdown viewers draw.
  public var mermaid: String { Picture(records).mermaid }
}
