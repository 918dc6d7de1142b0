import Toy

extension Step {
  /// Makes the same steps with `ToyPromise`.
  package func runToy(_ count: Int) {
    switch self {
    case .w1:
      var promise = ToyPromise(resolved: 0)
      for _ in 0..<count { promise = promise.then { $0 as! Int + 1 } }
    case .w2:
      let root = ToyPromise()
      var promise = root
      for _ in 0..<count { promise = promise.then { $0 as! Int + 1 } }
      root.resolve(0)
    case .w3:
      let root = ToyPromise()
      for _ in 0..<count { root.then { $0 as! Int + 1 } }
      root.resolve(0)
    case .w4:
      let inputs = (0..<count).map { _ in ToyPromise() }
      ToyPromise.all(inputs).then { $0 as! [Any] }
      for input in inputs { input.resolve(0) }
    case .w5, .w5r:
      for _ in 0..<count {
        let promise = ToyPromise()
        promise.then { $0 as! Int + 1 }
        promise.resolve(0)
      }
    case .w5c:
      for index in 0..<count {
        let promise = ToyPromise()
        promise.then { $0 as! Int + index + count }
        promise.resolve(0)
      }
    case .w6:
      let root = ToyPromise()
      var promise = root
      for _ in 0..<count { promise = promise.then { ToyPromise(resolved: $0 as! Int + 1) } }
      root.resolve(0)
    }
  }
}
