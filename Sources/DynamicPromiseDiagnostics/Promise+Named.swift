import DynamicPromise

extension Promise {
  /// Names the promise in `treeDescription`, in `debugDescription`, and in every running ``Census`` and
  /// ``Recorder``. A later census or recorder of this promise (`Census(of:)`) shows the name too. If the
  /// promise was not made with a resolver, running censuses and recorders store the place of this call as the
  /// promise's origin.
  ///
  /// A later name replaces this name; an empty text removes it. A name costs an entry in a table while its
  /// promise exists.
  @discardableResult
  public func named(_ label: String, fileID: StaticString = #fileID, line: UInt = #line) -> Self {
    self.label = label
    Diagnosis.notify { $0.named(ObjectIdentifier(self), label, Origin(fileID: fileID, line: line)) }
    return self
  }
}
