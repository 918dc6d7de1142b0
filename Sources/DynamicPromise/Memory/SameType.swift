// A cast from `Any` to the value's own type, which takes a fifth of the instructions of `as?`.

/// `value`, if its dynamic type is `V`. A value in a parameter of type `Any` becomes a value of its dynamic
/// type `T`, in memory that is bound to `T`. If `T` is `V`, that memory may be read as a `V`.
@inlinable @inline(__always)
func sameType<V>(_ value: Any, as type: V.Type) -> V? {
  func opened<T>(_ value: T) -> V? {
    guard T.self == V.self else { return nil }
    return withUnsafePointer(to: value) { UnsafeRawPointer($0).assumingMemoryBound(to: V.self).pointee }
  }
  return opened(value)
}
