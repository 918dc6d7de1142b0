import DynamicPromise

@MainActor
private final class Screen {
  var text = ""
  func clear() {}
}

@MainActor
private func shows(promise: Promise, screen: Screen) {
  promise.then { value in screen.text = value as! String }  // error: main actor-isolated property 'text'
  promise.then { (text: String) in screen.text = text }  // error: main actor-isolated property 'text'
  promise.catch { _ in screen.clear() }  // error: call to main actor-isolated
  promise.thenOn(.main) { _ in screen.clear() }  // error: call to main actor-isolated
}
