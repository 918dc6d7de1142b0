import DynamicPromise

@MainActor
private final class Page {
  var title = ""

  func load(_ promise: Promise) {
    promise.then { (text: String) in self.title = text }  // error: main actor-isolated property
    promise.catch { self.title = "\($0)" }  // error: main actor-isolated property
    promise.finally { self.title = "" }  // error: main actor-isolated property
    promise.thenOn(.main) { self.title = $0 as! String }  // error: main actor-isolated property
  }

  func loadRightly(_ promise: Promise) {
    promise
      .thenOnMain { (text: String) in self.title = text }
      .catchOnMain { self.title = "\($0)" }
      .finallyOnMain { self.title += "." }
  }
}
