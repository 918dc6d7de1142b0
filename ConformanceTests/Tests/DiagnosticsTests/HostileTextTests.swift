// Names, labels and reasons from outside, in every text that diagnostics and errors make.

import Dispatch
import DynamicPromise
import DynamicPromiseDiagnostics
import Foundation
import TestSupport
import XCTest

final class HostileTextTests: XCTestCase {
  /// An error whose text is from outside.
  private struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// The texts about a small tree whose name, queue and reason are `text`.
  private func texts(_ text: String) throws -> [String: String] {
    let queue = DispatchQueue(label: text.replacing("\0", with: ""))
    let root = Promise(on: .immediate)
    let (census, recorder) = (Census(of: root), Recorder(of: root))
    root.named(text)
    let page = root.thenOn(queue) { $0 }
    let other = root.then { _ in throw Failure(description: text) }.named(text)
    let pending = Promise.all([page, other, Promise().named(text)])
    var texts = ["wait paths": census.waitPaths.joined(separator: "\n")]
    texts["tree"] = root.treeDescription
    let (losses, former) = (Recorded<[String]>([]), Promise.onUnhandledRejection)
    Promise.onUnhandledRejection = { loss in losses.change { $0.append("\(loss)") } }
    do {
      let lost = root.then { _ in throw Failure(description: text) }
      root.fulfill(text)
      _ = lost.isRejected
    }
    Promise.onUnhandledRejection = former
    texts["loss"] = losses.value.first
    _ = try page.get(timeout: 20)
    texts["debug"] = "\(root.debugDescription)"
    texts["description"] = "\(other)"
    recorder.end()
    texts["record"] = recorder.records.map(\.description).joined(separator: "\n")
    texts["text"] = recorder.text
    texts["html"] = recorder.html
    texts["mermaid"] = recorder.mermaid
    let errors: [any Error] = [
      Failure(description: text), PromiseError.noneFulfilled([Failure(description: text)]),
    ]
    texts["none"] = "\(PromiseError.noneFulfilled(errors))"
    let key = [text: 1 as Any]
    let mismatch =
      try reason(of: Promise.resolved(key).then { (value: [String: String]) in value }) as PromiseError
    texts["mismatch"] = "\(mismatch)"
    withExtendedLifetime(pending) {}
    return texts
  }

  func testEveryTextKeepsItsLinesAndItsSize() throws {
    func lines(_ text: String) -> [Substring] {
      // The marks of the scale depend on the time.
      text.split(separator: "\n", omittingEmptySubsequences: false).filter { !$0.contains("class=\"scale\"") }
    }
    let plain = try texts("name")
    for (index, text) in Hostile.texts.enumerated() {
      for (name, made) in try texts(text) {
        XCTAssertEqual(lines(made).count, lines(plain[name] ?? "").count, "text \(index): \(name)")
        for line in lines(made) { XCTAssertEqual(Hostile.faults(in: line), [], "text \(index): \(name)") }
        XCTAssertLessThan(made.utf8.count, 400_000, "text \(index): \(name)")
      }
      let made = try texts(text)
      XCTAssertFalse(made["mermaid"]!.contains("%"), "text \(index)")
      XCTAssertFalse(made["html"]!.contains("<script>alert"), "text \(index)")
    }
  }

  func testDeeplyNestedErrorsHaveAText() {
    var error: any Error = Failure(description: "inner")
    for _ in 0..<4000 { error = PromiseError.noneFulfilled([error]) }
    XCTAssertLessThan("\(error)".count, 1000)
    XCTAssertLessThan(error.localizedDescription.count, 1000)
    let wide = PromiseError.noneFulfilled(Array(repeating: Failure(description: "inner"), count: 1000))
    XCTAssertTrue("\(wide)".hasSuffix(", inner, 990 more]"), "\(wide)")
  }

  #if DEBUG
    func testALossOfARejectionSurvivesAClosedStandardError() {
      var ends: [Int32] = [0, 0]
      XCTAssertEqual(pipe(&ends), 0)
      let former = dup(2)
      dup2(ends[1], 2)
      close(ends[0])
      close(ends[1])
      _ = Promise.rejected(Failure(description: "lost"))
      dup2(former, 2)
      close(former)
    }
  #endif
}
