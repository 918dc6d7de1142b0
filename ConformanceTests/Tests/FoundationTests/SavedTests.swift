import DynamicPromise
import DynamicPromiseFoundation
import Foundation
import TestSupport
import XCTest

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Saving the value of a chain.
final class SavedTests: FolderTestCase {
  private final class Store: ValueStore {
    let saved = Recorded<[String]>([])
    let saving = Promise()
    let asked = Event()
    let isAsynchronous: Bool

    init(isAsynchronous: Bool) { self.isAsynchronous = isAsynchronous }

    func save(_ value: Any) throws -> Promise? {
      if value as? String == "refused" { throw NumberedError(1) }
      saved.append("\(value)")
      asked.signal()
      return isAsynchronous ? saving : nil
    }
  }

  func testTheValueIsPassedOnWhenItIsSaved() throws {
    let store = Store(isAsynchronous: true)
    let value = Promise.resolved("Ann").saved(in: store)
    store.asked.wait("the call of the store")
    XCTAssertTrue(value.isPending)
    store.saving.fulfill("what the store says")
    XCTAssertEqual(try self.value(of: value), "Ann")
    XCTAssertEqual(store.saved.value, ["Ann"])
    let direct = Store(isAsynchronous: false)
    XCTAssertEqual(try self.value(of: Promise.resolved(7).saved(in: direct)), 7)
    XCTAssertEqual(direct.saved.value, ["7"])
  }

  func testAValueThatIsAnErrorOrAPromise() throws {
    struct Fault: Error, Codable, Equatable {}
    let (fault, inner, promise) = (Promise(), Promise(), Promise())
    fault.fulfill(Fault())
    promise.fulfill(inner)
    for isAsynchronous in [false, true] {
      let store = Store(isAsynchronous: isAsynchronous)
      store.saving.fulfill(())
      XCTAssertEqual(try self.value(of: fault.saved(in: store)), Fault())
      XCTAssertEqual(try self.value(of: promise.saved(in: store)), inner)
    }
    XCTAssertEqual(try self.value(of: fault.saved(to: file())), Fault())
    XCTAssertEqual(try String(contentsOf: file(), encoding: .utf8), "{}")
  }

  func testWhatCannotBeSavedRejects() {
    let store = Store(isAsynchronous: true)
    store.saving.reject(NumberedError(2))
    for (value, number) in [("refused", 1), ("accepted", 2)] {
      XCTAssertEqual(try reason(of: Promise.resolved(value).saved(in: store)), NumberedError(number))
    }
    XCTAssertEqual(store.saved.value, ["accepted"])
    _ = Promise.rejected(NumberedError(3)).saved(in: store).outcome()
    XCTAssertEqual(store.saved.value, ["accepted"], "there is nothing to save")
  }

  func testACancelReachesTheStore() {
    let store = Store(isAsynchronous: true)
    let cancelled = Event()
    store.saving.catch { _ in cancelled.signal() }
    let value = Promise.resolved("Ann").saved(in: store)
    store.asked.wait("the call of the store")
    value.cancel()
    cancelled.wait("the cancellation of the store's promise")
    XCTAssertTrue(store.saving.isCancelled)
  }

  func testEachKindOfValueHasItsForm() throws {
    let response = URLResponse(
      url: folder, mimeType: nil, expectedContentLength: 0, textEncodingName: nil)
    let forms: [(any Sendable, String)] = [
      (Data("data".utf8), "data"), (LoadedData(data: Data("body".utf8), response: response), "body"),
      ("text é", "text é"), (["a": 1], #"{"a":1}"#), ([1, 2], "[1,2]"),
    ]
    for (index, (value, expected)) in forms.enumerated() {
      let file = file("\(index)")
      _ = try Promise.resolved(value).saved(to: file).outcome().get()
      XCTAssertEqual(try String(contentsOf: file, encoding: .utf8), expected)
    }
    let list = file("list")
    let goesOn = Promise.resolved([1, 2]).saved(to: list, using: PropertyListEncoder())
    XCTAssertEqual(try value(of: goesOn), [1, 2])
    XCTAssertEqual(try PropertyListDecoder().decode([Int].self, from: Data(contentsOf: list)), [1, 2])
  }

  func testARejectionLeavesTheFileAlone() throws {
    final class Opaque: Sendable {}
    let file = file()
    try Data("old".utf8).write(to: file)
    let mismatch = try reason(of: Promise.resolved(Opaque()).saved(to: file), as: PromiseError.self)
    XCTAssertEqual(mismatch.failureReason, "expected Encodable, found Opaque")
    XCTAssertNoThrow(try reason(of: Promise.resolved([Double.nan]).saved(to: file), as: EncodingError.self))
    XCTAssertEqual(try String(contentsOf: file, encoding: .utf8), "old")
    let nowhere = folder.appendingPathComponent("no/such/folder")
    let error = try reason(of: Promise.resolved("x").saved(to: nowhere), as: (any Error).self)
    XCTAssertFalse(error is PromiseError, "\(error)")
    let folderError = try reason(of: Promise.resolved("x").saved(to: folder), as: CocoaError.self)
    XCTAssertEqual(folderError.code, .fileWriteFileExists)
    XCTAssertEqual(try names(), ["file"])
  }

  func testTheModeOfAReplacedFileIsKept() throws {
    func mode(_ file: URL) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
    }
    let (secret, new, plain) = (file("secret"), file("new"), file("plain"))
    try Data("old".utf8).write(to: secret)
    try Data().write(to: plain)
    for expected in [0o600, 0o640, 0o400] {
      try FileManager.default.setAttributes([.posixPermissions: expected], ofItemAtPath: secret.path)
      _ = try Promise.resolved("new").saved(to: secret).outcome().get()
      XCTAssertEqual(try mode(secret), expected)
      XCTAssertEqual(try String(contentsOf: secret, encoding: .utf8), "new")
    }
    _ = try Promise.resolved("new").saved(to: new).outcome().get()
    XCTAssertEqual(try mode(new), try mode(plain))
  }

  func testALinkIsReplacedAndNothingStaysBeside() throws {
    let (kept, link) = (file("kept"), file("link"))
    try Data("kept".utf8).write(to: kept)
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: kept)
    _ = try Promise.resolved("new").saved(to: link).outcome().get()
    XCTAssertEqual(try String(contentsOf: link, encoding: .utf8), "new")
    XCTAssertEqual(try String(contentsOf: kept, encoding: .utf8), "kept")
    XCTAssertEqual(try names(), ["kept", "link"])
  }
}
