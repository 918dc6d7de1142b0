/// The behavior of a thenable, or of a promise used in place of a thenable.
struct ThenableShape: Sendable {
  let name: String
  let needs: Capabilities
  let make: @Sendable (_ probe: Probe, _ content: Any) -> Any

  static func all(_ side: Side) -> [ThenableShape] { side == .fulfilled ? fulfilled : rejected }

  /// Shapes that fulfill with their content. If the content is a thenable, it is resolved.
  static let fulfilled = shapes(
    .fulfilled, needs: .resolve,
    [
      shape("tries to fulfill twice") { _, value, resolve, _ in
        resolve(value)
        resolve(Sentinel("other"))
      },
      shape("fulfills, then throws") { _, value, resolve, _ in
        resolve(value)
        throw SentinelError("other")
      },
    ])

  /// Shapes that reject with their content.
  static let rejected = shapes(
    .rejected, needs: [],
    [
      shape("throws in `then`") { p, reason, _, _ in throw p.error(for: reason) },
      ThenableShape(name: "throws when `then` is read", needs: []) { p, reason in
        let reason = Passed(reason)
        return p.thenable(ThenableSource { throw p.error(for: reason.value) })
      },
    ])

  /// The shapes that exist for both sides, with `others` in the middle. `needs` applies to the promises.
  private static func shapes(
    _ side: Side, needs: Capabilities, _ others: [ThenableShape]
  ) -> [ThenableShape] {
    let thenables: [ThenableShape] = [
      shape("synchronously \(side)") { _, content, resolve, reject in
        side == .fulfilled ? resolve(content) : reject(content)
      },
      shape("asynchronously \(side)") { p, content, resolve, reject in
        let content = Passed(content)
        p.elsewhere { side == .fulfilled ? resolve(content.value) : reject(content.value) }
      },
      ThenableShape(name: "\(side), with a `then` that can be read once", needs: []) { p, content in
        let (content, reads) = (Passed(content), p.calls("the getter"))
        return p.thenable(
          ThenableSource {
            reads.record(0)
            guard reads.count == 1 else { return nil }
            return { resolve, reject in
              side == .fulfilled ? resolve(content.value) : reject(content.value)
            }
          })
      },
    ]
    let promises: [ThenableShape] = [
      ThenableShape(name: "an already-\(side) promise", needs: needs) { p, content in
        side == .fulfilled ? p.resolved(content) : p.rejected(content)
      },
      ThenableShape(name: "an eventually-\(side) promise", needs: needs) { p, content in
        let (d, content) = (p.pending(), Passed(content))
        p.elsewhere { side == .fulfilled ? d.resolve(content.value) : d.reject(content.value) }
        return d.promise
      },
    ]
    return thenables + others + promises
  }

  private typealias Then =
    @Sendable (
      _ probe: Probe, _ content: Any, _ resolve: @escaping @Sendable (Any) -> Void,
      _ reject: @escaping @Sendable (Any) -> Void
    ) throws -> Void

  private static func shape(_ name: String, _ then: @escaping Then) -> ThenableShape {
    ThenableShape(name: name, needs: []) { p, content in
      let content = Passed(content)
      return p.thenable { resolve, reject in try then(p, content.value, resolve, reject) }
    }
  }
}
