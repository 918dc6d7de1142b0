import DynamicPromise

func mutates(promise: Promise) {
  var count = 0
  promise.then { _ in count += 1 }  // error: mutation of captured var 'count'
  promise.catch { _ in count += 1 }  // error: mutation of captured var 'count'
  count += 1
}

func reads(promise: Promise) {
  var count = 0
  promise.then { _ in count + 1 }  // error: reference to captured var 'count'
  count += 1
}
