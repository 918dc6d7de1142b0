// The service's notes, in memory. The functions return promises, because a real service would use slow
// storage.

import DynamicPromise
import Foundation

struct Note: Codable, Sendable, Equatable {
  var text: String
}

actor Notebook {
  private var notes: [String: Note] = [:]

  /// A promise for a note. It is rejected with `HTTPFailure(.notFound)` if there is no such note.
  nonisolated func note(_ name: String) -> Promise {
    Promise {
      guard let note = await self.notes[name] else { throw HTTPFailure(.notFound) }
      return note
    }
  }

  /// A promise for the note, fulfilled when it is stored.
  nonisolated func put(_ note: Note, as name: String) -> Promise {
    Promise {
      await self.set(note, name)
      return note
    }
  }

  private func set(_ note: Note, _ name: String) { notes[name] = note }
}

extension Routes {
  /// `PUT /notes/:name`, `GET /notes/:name`, and `GET /notes?names=a,b` for several at once.
  static func notes(in notebook: Notebook) -> Routes {
    var routes = Routes()
    routes.on(.PUT, "/notes/:name") { request in
      let note = try request.decoded(as: Note.self)
      return notebook.put(note, as: request.parameters["name"]!)
        .then { (note: Note) in Response(.created, body: Data("\(note.text.count) characters\n".utf8)) }
    }
    routes.on(.GET, "/notes/:name") { request in notebook.note(request.parameters["name"]!) }
    routes.on(.GET, "/notes") { request in
      let names = (request.query["names"] ?? "").split(separator: ",").map(String.init)
      // A missing note rejects the whole answer, with status 404.
      return Promise.all(names.map { notebook.note($0) }, cancellingRest: true)
        .then { (notes: [Any]) in notes.compactMap { $0 as? Note } }
    }
    routes.on(.GET, "/health") { _ in "well\n" }
    return routes
  }
}
