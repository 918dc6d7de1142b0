import DynamicPromise
import DynamicPromiseFoundation
import Foundation
import TestSupport
import XCTest

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Requests, and operators for their responses.
final class RequestTests: TransferTestCase {
  private struct User: Codable, Equatable, Sendable {
    var name: String
    var age: Int
  }

  func testTheArticlesChain() throws {
    let users = session.request(server.url("user")).validate().decoded(as: User.self)
    XCTAssertEqual(try value(of: users), User(name: "Ann", age: 7))
    let request = URLRequest(url: server.url("user"))
    let again = session.request(request).decoded(as: User.self)
    XCTAssertEqual(try value(of: again), User(name: "Ann", age: 7))
  }

  func testValidateLooksAtTheStatus() throws {
    let refused = session.request(server.url("missing")).validate().then { _ in XCTFail("accepted") }
    let error: HTTPStatusError = try reason(of: refused)
    XCTAssertEqual(error.statusCode, 404)
    XCTAssertEqual(String(decoding: error.data, as: UTF8.self), "no such thing")
    let accepted = session.request(server.url("missing")).validate(400..<500)
    XCTAssertEqual(try value(of: accepted, as: LoadedData.self).statusCode, 404)
  }

  func testValidateAsks() throws {
    let plain = session.request(server.url("hello"))
    XCTAssertNoThrow(try plain.validate { $0.statusCode == 200 }.outcome().get())
    let refused = plain.validate { _ in false }
    XCTAssertEqual(try reason(of: refused, as: HTTPStatusError.self).statusCode, 200)
    XCTAssertEqual(try reason(of: plain.validate { _ in throw NumberedError(3) }), NumberedError(3))
  }

  func testAFileAndAnAnswerThatIsNotOfHTTP() throws {
    let download = session.downloadPromise(from: server.url("missing"), to: file()).validate()
    let error: HTTPStatusError = try reason(of: download)
    XCTAssertEqual(String(decoding: error.data, as: UTF8.self), "no such thing")
    let response = URLResponse(
      url: file(), mimeType: nil, expectedContentLength: 0, textEncodingName: nil)
    let other = Promise.resolved(LoadedData(data: Data([1]), response: response)).validate { _ in false }
    XCTAssertEqual(try value(of: other, as: LoadedData.self).data, Data([1]))
  }

  func testDecodedTakesDataAndFiles() throws {
    let download = session.downloadPromise(from: server.url("user"), to: file()).decoded(as: User.self)
    XCTAssertEqual(try value(of: download, as: User.self).name, "Ann")
    let list = try PropertyListEncoder().encode([1, 2])
    let data = Promise.resolved(list).decoded(as: [Int].self, using: PropertyListDecoder())
    XCTAssertEqual(try value(of: data), [1, 2])
    let garbage = session.request(server.url("hello")).decoded(as: User.self)
    XCTAssertNoThrow(try reason(of: garbage, as: DecodingError.self))
  }

  func testADecodedErrorIsAValue() throws {
    struct Fault: Error, Decodable, Equatable { let code: Int }
    let decoded = Promise.resolved(Data(#"{"code": 7}"#.utf8)).decoded(as: Fault.self)
    XCTAssertEqual(try value(of: decoded), Fault(code: 7))
    let empty = Promise.resolved(Data()).decoded(as: Fault?.self).then { (fault: Fault?) in fault == nil }
    XCTAssertEqual(try value(of: empty), true)
    XCTAssertNoThrow(
      try reason(of: Promise.resolved(Data()).decoded(as: Fault.self), as: DecodingError.self))
  }

  func testOtherValuesAreATypeMismatch() throws {
    for promise in [Promise.resolved(7).validate(), Promise.resolved(7).decoded(as: User.self)] {
      let error: PromiseError = try reason(of: promise)
      XCTAssertEqual(error.failureReason?.hasSuffix(", found Int"), true, "\(error)")
    }
  }
}
