// What only the bodies of `finally` need.

extension Direct {
  /// A handler that was wrapped and tells what it came to.
  init(body: @escaping @Sendable () throws -> Resolution) {
    self.init(retaining: body) { raw, _, _, result in
      let body = raw.function(as: (@Sendable () throws -> Resolution).self)
      return result.pointee.put(try body())
    }
  }

  /// A handler that goes on without its child, as a closure that owns it. Moves it out of `store`.
  static func detached(_ store: Store) -> Handlers {
    let detached = Detached(store)
    return Handlers(fulfilled: nil, rejected: { try detached.call($0) })
  }

  private final class Detached: Sendable {
    private let store: Store

    init(_ store: Store) { self.store = store }

    deinit { store.destroyHandlers() }

    func call(_ reason: any Error) throws -> Resolution {
      let direct = store.takeDirect()
      var result = Store()
      let found = try _withUnprotectedUnsafeMutablePointer(to: &result) {
        try direct.call.function(as: Written.self).call(direct.handler, (), reason, $0)
      }
      return result.takeResolution(found)
    }
  }
}
