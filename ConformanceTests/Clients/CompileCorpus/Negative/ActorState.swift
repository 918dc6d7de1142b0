import DynamicPromise

private actor Desk {
  var count = 0
}

private func touches(promise: Promise, desk: Desk) {
  promise.thenOn(desk) { _, _ in desk.count += 1 }  // error: actor-isolated property 'count'
  promise.catchOn(desk) { _, _ in desk.count += 1 }  // error: actor-isolated property 'count'
  promise.finallyOn(desk) { _ in desk.count += 1 }  // error: actor-isolated property 'count'
  promise.thenOn(.actor(desk)) { _ in desk.count += 1 }  // error: actor-isolated property 'count'
}
