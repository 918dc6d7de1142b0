/// The behavior of a thenable, or of a promise in its role.
struct ThenableShape: Sendable {
  let name: String
  let needs: Capabilities
  let make: @Sendable (_ probe: Probe, _ content: Any) -> Any

  /// Promises that are fulfilled with their content, or resolved if that is a thenable.
  static let fulfilled: [ThenableShape] = [
    shape("synchronously fulfilled") { _, value, resolve, _ in resolve(value) },
    shape("asynchronously fulfilled") { p, value, resolve, _ in
      let value = Passed(value)
      p.elsewhere { resolve(value.value) }
    },
    oneTime("fulfilled, with a `then` that can be read once") { value, resolve, _ in resolve(value) },
    shape("tries to fulfill twice") { _, value, resolve, _ in
      resolve(value)
      resolve(Sentinel("other"))
    },
    shape("fulfills, then throws") { _, value, resolve, _ in
      resolve(value)
      throw SentinelError("other")
    },
    ThenableShape(name: "an already-fulfilled promise", needs: .resolve) { p, value in p.resolved(value) },
    ThenableShape(name: "an eventually-fulfilled promise", needs: .resolve) { p, value in
      let (d, value) = (p.pending(), Passed(value))
      p.elsewhere { d.resolve(value.value) }
      return d.promise
    },
  ]

  /// Promises that are rejected with their content.
  static let rejected: [ThenableShape] = [
    shape("synchronously rejected") { _, reason, _, reject in reject(reason) },
    shape("asynchronously rejected") { p, reason, _, reject in
      let reason = Passed(reason)
      p.elsewhere { reject(reason.value) }
    },
    oneTime("rejected, with a `then` that can be read once") { reason, _, reject in reject(reason) },
    shape("throws in `then`") { p, reason, _, _ in throw p.error(for: reason) },
    ThenableShape(name: "throws when `then` is read", needs: []) { p, reason in
      let reason = Passed(reason)
      return p.thenable(ThenableSource { throw p.error(for: reason.value) })
    },
    ThenableShape(name: "an already-rejected promise", needs: []) { p, reason in p.rejected(reason) },
    ThenableShape(name: "an eventually-rejected promise", needs: []) { p, reason in
      let (d, reason) = (p.pending(), Passed(reason))
      p.elsewhere { d.reject(reason.value) }
      return d.promise
    },
  ]

  private typealias Then =
    @Sendable (
      _ probe: Probe, _ content: Any, _ resolve: @escaping @Sendable (Any) -> Void,
      _ reject: @escaping @Sendable (Any) -> Void
    ) throws -> Void

  private static func shape(_ name: String, _ then: @escaping Then) -> ThenableShape {
    ThenableShape(name: name, needs: []) { p, content in
      let content = Passed(content)
      return p.thenable { resolve, reject in
        try then(p, content.value, resolve, reject)
      }
    }
  }

  private static func oneTime(
    _ name: String,
    _ then: @escaping @Sendable (Any, @Sendable (Any) -> Void, @Sendable (Any) -> Void) -> Void
  ) -> ThenableShape {
    ThenableShape(name: name, needs: []) { p, content in
      let (content, reads) = (Passed(content), p.calls("the getter"))
      return p.thenable(
        ThenableSource {
          reads.record(0)
          guard reads.count == 1 else { return nil }
          return { resolve, reject in then(content.value, resolve, reject) }
        })
    }
  }
}
