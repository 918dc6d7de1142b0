import DynamicPromise
import DynamicPromiseFoundation
import Foundation
import TestSupport
import XCTest

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A request and what is done with its answer.
final class RequestTests: XCTestCase {
  private struct User: Codable, Equatable, Sendable {
    var name: String
    var age: Int
  }

  private var server: LoopbackServer!
  private var session: URLSession!

  override func setUpWithError() throws {
    setenv("no_proxy", "127.0.0.1", 1)
    server = try LoopbackServer()
    session = URLSession(configuration: .ephemeral)
  }

  override func tearDown() {
    session.invalidateAndCancel()
    (server, session) = (nil, nil)
  }

  // Spec: F5.1, F5.2, F5.3
  func testTheArticlesChain() throws {
    let users = session.request(server.url("user")).validate().decoded(as: User.self)
    XCTAssertEqual(try users.outcome().get() as? User, User(name: "Ann", age: 7))
    let request = URLRequest(url: server.url("user"))
    let again = session.request(request).decoded(as: User.self)
    XCTAssertEqual(try again.outcome().get() as? User, User(name: "Ann", age: 7))
  }

  // Spec: F5.2
  func testValidateLooksAtTheStatus() throws {
    let refused = session.request(server.url("missing")).validate().then { _ in XCTFail("accepted") }
    guard case .failure(let error as HTTPStatusError) = refused.outcome() else {
      return XCTFail("\(refused)")
    }
    XCTAssertEqual(error.statusCode, 404)
    XCTAssertEqual(String(decoding: error.data, as: UTF8.self), "no such thing")
    let accepted = session.request(server.url("missing")).validate(400..<500)
    XCTAssertEqual((try accepted.outcome().get() as? LoadedData)?.statusCode, 404)
  }

  // Spec: F5.2
  func testValidateAsks() throws {
    let plain = session.request(server.url("hello"))
    XCTAssertNoThrow(try plain.validate { $0.statusCode == 200 }.outcome().get())
    guard case .failure(let error as HTTPStatusError) = plain.validate({ _ in false }).outcome() else {
      return XCTFail("accepted")
    }
    XCTAssertEqual(error.statusCode, 200)
    guard case .failure(let own as NumberedError) = plain.validate({ _ in throw NumberedError(3) }).outcome()
    else { return XCTFail("accepted") }
    XCTAssertEqual(own.number, 3)
  }

  // Spec: F5.2
  func testAFileAndAnAnswerThatIsNotOfHTTP() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    let download = session.downloadPromise(from: server.url("missing"), to: file).validate()
    guard case .failure(let error as HTTPStatusError) = download.outcome() else { return XCTFail("accepted") }
    XCTAssertEqual(String(decoding: error.data, as: UTF8.self), "no such thing")
    let response = URLResponse(
      url: file, mimeType: nil, expectedContentLength: 0, textEncodingName: nil)
    let other = Promise.resolved(LoadedData(data: Data([1]), response: response)).validate { _ in false }
    XCTAssertEqual((try other.outcome().get() as? LoadedData)?.data, Data([1]))
  }

  // Spec: F5.3
  func testDecodedTakesDataAndFiles() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    let download = session.downloadPromise(from: server.url("user"), to: file).decoded(as: User.self)
    XCTAssertEqual((try download.outcome().get() as? User)?.name, "Ann")
    let list = try PropertyListEncoder().encode([1, 2])
    let data = Promise.resolved(list).decoded(as: [Int].self, using: PropertyListDecoder())
    XCTAssertEqual(try data.outcome().get() as? [Int], [1, 2])
    let garbage = session.request(server.url("hello")).decoded(as: User.self)
    guard case .failure(is DecodingError) = garbage.outcome() else { return XCTFail("\(garbage)") }
  }

  // Spec: F5.2, F5.3
  func testOtherValuesAreATypeMismatch() {
    for promise in [Promise.resolved(7).validate(), Promise.resolved(7).decoded(as: User.self)] {
      guard case .failure(let error as PromiseError) = promise.outcome() else {
        return XCTFail("\(promise)")
      }
      XCTAssertEqual(error.failureReason?.hasSuffix(", found Int"), true, "\(error)")
    }
  }

  // Spec: F5.1
  func testCancellingAStepStopsTheTransfer() {
    let end = session.request(server.url("silent")).validate().decoded(as: User.self)
    server.waiting.wait("request")
    end.root.cancel()
    server.hungUp.wait("end of the connection")
    guard case .failure(let reason) = end.outcome() else { return XCTFail("\(end)") }
    XCTAssertTrue(reason.isCancellation)
  }

  // Spec: F5.6
  func testStepsFareLikeAThen() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    let steps: [(String, (Promise) -> Promise)] = [
      ("validate", { $0.validate { _ in throw NumberedError(9) } }),
      ("decoded", { $0.decoded(as: User.self) }), ("saved", { $0.saved(to: file) }),
    ]
    for (name, step) in steps {
      guard case .failure(let passed as NumberedError) = step(.rejected(NumberedError(1))).outcome() else {
        return XCTFail(name)
      }
      XCTAssertEqual(passed.number, 1, "\(name): a rejection goes by")
      let above = Promise(on: .immediate)
      let told = step(above)
      above.cancel()
      XCTAssertTrue(told.isCancelled, name)
      let source = Promise(on: .immediate)
      let cancelled = step(source)
      cancelled.cancel()
      XCTAssertTrue(source.isPending, "\(name): not upwards")
      source.fulfill(Data())
      XCTAssertTrue(cancelled.isCancelled, name)
    }
    XCTAssertFalse(FileManager.default.fileExists(atPath: file.path), "nothing was saved")
  }
}
