import Dispatch
import PromiseKitTypes

private struct Song {
  let title: String
}

/// Code for PromiseKit, unchanged except for its import: types in angle brackets, closures without types, and
/// no `@Sendable`. `.ci/clients` compiles it in every mode.
@MainActor
private final class Stage {
  private var fetch: Promise<[Song]>?
  private var title = ""

  private func order(_ title: String) -> Promise<Song> {
    Promise { seal in
      seal.resolve(Song(title: title), nil)
    }
  }

  func load(_ titles: [String]) -> Promise<[Song]> {
    if let fetch, fetch.isPending { return fetch }
    let fetch = Promise.value(titles).thenMap { self.order($0) }
    self.fetch = fetch
    return fetch
  }

  func show() -> PMKFinalizer {
    var played = 0
    return firstly {
      when(fulfilled: load(["Ruby"]), after(.milliseconds(1)).map { 3 })
    }.compactMap { songs, count in
      songs.first.map { ($0, count) }
    }.then { song, count in
      self.order(song.title + " \(count)")
    }.get { _ in
      played += 1
    }.recover { error -> Promise<Song> in
      guard error.isCancelled else { throw error }
      return .value(Song(title: "silence"))
    }.done { [weak self] in
      self?.title = $0.title
    }.ensure {
      played += 1
    }.catch {
      self.title = "\($0)"
    }
  }
}

/// Closures that destructure a tuple, for every tuple size that has an overload.
private func together() {
  let (text, number) = (Promise.value("a"), Guarantee.value(1))
  when(fulfilled: text, text).done { a, b in
    precondition(a == b)
    precondition(a.count == 1)
  }.cauterize()
  firstly { when(fulfilled: text, number, text) }.done { a, b, c in
    precondition(a == c && b == 1)
  }.cauterize()
  firstly { when(fulfilled: text, number, text, number) }.then { a, b, c, d in
    Promise.value(a + c + String(b + d))
  }.cauterize()
  when(fulfilled: number, text, number, text, number).map { a, b, c, d, e in (a + c + e, b + d) }.cauterize()
  when(guarantees: number, number).done { a, b in precondition(a == b) }
  firstly { when(guarantees: number, number, number) }.done { a, b, c in precondition(a + b == c + 1) }
  when(Promise<Void>.value, Promise<Void>.value(()))
}

private func when(_ a: Promise<Void>, _ b: Promise<Void>) { when(fulfilled: a, b).done {}.cauterize() }

/// Only makes the chain, because the chain needs the main queue, which this program does not serve.
/// `PromiseKitTypesTests` tests the behavior of such chains.
@MainActor
func promiseKitTyped() {
  together()
  let stage = Stage()
  stage.show().finally {}
  let sure = Guarantee { resolve in resolve(1) }.map(on: nil) { $0 + 1 }
  precondition(sure.value == 2)
}
