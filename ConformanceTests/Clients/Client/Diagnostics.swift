import DynamicPromise

/// Lost rejections, and the origins of promises.
func diagnosed() -> [String] {
  let former = Promise.onUnhandledRejection
  defer { Promise.onUnhandledRejection = former }
  Promise.reportsUnhandledCancellations = false
  Promise.onUnhandledRejection = { (loss: Promise.UnhandledRejection) in
    guard !loss.isCancellation, loss.reason is Refused, loss.origin == nil else { fatalError("\(loss)") }
  }
  do { _ = Promise.rejected(Refused()) }
  let ignored = Promise.rejected(Refused()).ignoreErrors()
  let forgotten = Promise { _ in }
  guard case .failure(PromiseError.broken)? = forgotten.result else { fatalError("\(forgotten)") }
  guard case .failure(PromiseError.brokenAt(let origin?))? = forgotten.result, origin == forgotten.origin,
    let place = forgotten.ignoreErrors().origin
  else { fatalError("\(forgotten), \(ignored)") }
  var (one, same) = (Hasher(), Hasher())
  place.hash(into: &one)
  origin.hash(into: &same)
  guard one.finalize() == same.finalize() else { fatalError("\(place)") }
  return ["\(place)", place.fileID, "\(place.line)"]
}
