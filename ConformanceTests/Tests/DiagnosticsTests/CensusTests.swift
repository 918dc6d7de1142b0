// The census of unsettled promises.

import Dispatch
import DynamicPromise
import DynamicPromiseDiagnostics
import DynamicPromiseTesting
import XCTest

final class CensusTests: XCTestCase {
  private func texts(_ census: Census) -> [String] { census.unsettled.map(\.description) }

  func testUnsettledPromisesAreListed() {
    let root = Promise(on: .serial("model"))
    let census = Census(of: root)
    XCTAssertEqual(texts(census), ["#1: pending on model"])
    let place = "made at DiagnosticsTests/CensusTests.swift"
    let line = #line + 1
    let child = root.then { $0 }
    let other = root.thenOn(.immediate) { $0 }
    let grandchild = child.then { $0 }
    XCTAssertEqual(
      texts(census),
      [
        "#1: pending on model", "#2: pending on model, \(place):\(line)",
        "#3: pending on immediate, \(place):\(line + 1)", "#4: pending on model, \(place):\(line + 2)",
      ])
    other.cancel()
    XCTAssertEqual(census.unsettled.map(\.number), [1, 2, 4])
    XCTAssertEqual(census.unsettled.map(\.parent), [nil, 1, 2])
    root.cancel()
    XCTAssertEqual(texts(census), [])
    withExtendedLifetime(grandchild) {}
  }

  func testFreedPromisesAreNotListed() {
    var bare: Promise? = Promise()
    let own = Census(of: bare!)
    XCTAssertEqual(own.unsettled.count, 1)
    bare = nil
    XCTAssertEqual(own.unsettled.count, 0)
  }

  func testOriginsAndLabels() {
    let line = #line + 1
    let (root, resolver) = Promise.pending()
    let census = Census(of: root)
    let place = "DiagnosticsTests/CensusTests.swift"
    let child = root.shielded()
    let page = child.then { $0 }.named("page")
    let title = page.shielded().shielded()
    XCTAssertEqual(
      texts(census),
      [
        "#1: pending on default, made at \(place):\(line)",
        "#2: pending on default, 1 step below the one made at \(place):\(line)",
        "page: pending on default, made at \(place):\(line + 4)",
        "#4: pending on default, 1 step below page",
        "#5: pending on default, 2 steps below page",
      ])
    XCTAssertEqual(census.unsettled.map(\.label), [nil, nil, "page", nil, nil])
    root.named("root")
    XCTAssertEqual(texts(census)[0], "root: pending on default, made at \(place):\(line)", "the origin stays")
    resolver.fulfill(1)
    _ = try? title.get(timeout: 30)
    XCTAssertEqual(texts(census), [])
  }

  func testACensusOfEverythingSeesEveryRoot() {
    let census = Census()
    let label = "a root of \(#function)"
    let line = #line + 1
    let (promise, resolver) = Promise.pending()
    promise.named(label)
    XCTAssertEqual(census.unsettled.filter { $0.label == label }.map { $0.origin?.line }, [line])
    census.end()
    let later = Promise().named(label)
    XCTAssertEqual(census.unsettled.filter { $0.label == label }.count, 1, "an ended census is unchanged")
    withExtendedLifetime((later, resolver)) {}
  }

  func testACensusThatBeginsWithANamedPromiseHasItsName() {
    let promise = Promise()
    XCTAssertTrue(promise.named("early") === promise)
    let census = Census(of: promise)
    XCTAssertEqual(texts(census), ["early: pending on default"])
    promise.named("")
    XCTAssertEqual(census.unsettled.map(\.label), [nil])
  }

  // Spec: H10.2
  func testACensusOfOnePromiseNamedTwice() {
    let promise = Promise()
    let census = Census(of: promise, promise)
    XCTAssertEqual(texts(census), ["#1: pending on default"])
    promise.fulfill(1)
    XCTAssertEqual(texts(census), [])
    census.end()
    census.end()
  }

  func testACensusForgetsFreedPromises() {
    let context = TestContext()
    let root = Promise(on: context)
    let census = Census(of: root)
    var promise = root.then { $0 }
    root.fulfill(0)
    for _ in 0..<2000 {
      promise = promise.then { $0 }
      context.drain()
    }
    XCTAssertEqual(census.unsettled.count, 0)
    XCTAssertLessThan(census.known, 10)
    XCTAssertEqual(promise.isFulfilled, true)
  }

  func testManyThreadsMakeAndFreePromises() {
    for _ in 0..<8 {
      let root = Promise()
      let census = Census(of: root)
      let lanes = DispatchGroup()
      for lane in 0..<4 {
        DispatchQueue.global().async(group: lanes) {
          for number in 0..<50 {
            let child = root.then { $0 }.then { $0 }
            if (number + lane) % 2 == 0 { child.cancel() }
            child.named("\(number)")
            XCTAssertTrue(root.treeDescription.contains("Promise"))
            let passing = Census(of: child)
            passing.end()
          }
        }
      }
      XCTAssertEqual(lanes.wait(timeout: .now() + 30), .success)
      let last = root.then { $0 }
      XCTAssertGreaterThan(census.unsettled.count, 200)
      root.cancel()
      _ = try? last.get(timeout: 30)
      XCTAssertEqual(census.unsettled.count, 0)
    }
  }
}
