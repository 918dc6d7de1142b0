// The origin of promises that the library makes with a resolver.

import DynamicPromise
import DynamicPromiseFoundation
import Foundation
import TestSupport
import XCTest

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

final class PlaceTests: XCTestCase {
  func testTheOriginIsTheCallersLine() throws {
    let (session, center, url) = (URLSession.shared, NotificationCenter(), URL(fileURLWithPath: "/dev/null"))
    let (request, process) = (URLRequest(url: url), Process())
    process.executableURL = URL(fileURLWithPath: "/bin/true")
    let folder = FileManager.default.temporaryDirectory.appending(path: "place-\(UUID().uuidString)")
    let line = #line + 2
    let promises = [
      session.dataPromise(for: request),
      session.dataPromise(from: url),
      session.uploadPromise(for: request, from: Data()),
      session.uploadPromise(for: request, fromFile: url),
      session.downloadPromise(for: request, to: folder),
      session.downloadPromise(from: url, to: folder),
      session.request(url),
      session.request(request),
      center.notificationPromise(for: Notification.Name("never")),
      process.runPromise(),
    ]
    XCTAssertEqual(promises.map { $0.origin?.line }, Array(line..<(line + promises.count)))
    XCTAssertEqual(Set(promises.map { $0.origin?.fileID }), ["FoundationTests/PlaceTests.swift"])
    _ = try value(of: promises[9], as: ProcessResult.self)
    for promise in promises {
      promise.ignoreErrors()
      promise.cancel()
    }
  }
}
