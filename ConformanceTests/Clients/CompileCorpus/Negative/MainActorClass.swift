import DynamicPromise

@MainActor
private final class Page {
  var title = ""

  func clear() {}

  func load(_ promise: Promise) {
    promise.then { (text: String) in self.title = text }  // error: main actor-isolated property
    promise.then { value in self.title = value as! String }  // error: main actor-isolated property
    promise.catch { self.title = "\($0)" }  // error: main actor-isolated property
    promise.finally { self.title = "" }  // error: main actor-isolated property
    promise.catch { _ in self.clear() }  // error: call to main actor-isolated
    promise.thenOn(.main) { self.title = $0 as! String }  // error: main actor-isolated property
  }
}
