import DynamicPromise
import Foundation
import TestSupport
import XCTest

/// The downloads of the gallery's images.
private let downloads = Recorded<[Download]>([])

private func image(_ name: String) -> Promise {
  Promise { resolver in
    let download = Download()
    downloads.change { $0.append(download) }
    download.start { text in resolver.fulfill(text) }
    resolver.onCancel { _ in download.stop() }
  }
}

/// The guide's examples: references between promises, owners, and promises that need a consumer.
final class GuideMemoryTests: XCTestCase {
  func testOwner() throws {
    // example: owner
    final class Gallery: @unchecked Sendable {
      private let bag = CancelBag()
      private(set) var shown: [String] = []

      func show(_ name: String) {
        image(name)
          .thenOn(.immediate) { [weak self] (image: String) in self?.shown.append(image) }
          .cancelled(with: bag)
      }
    }
    // end
    var gallery: Gallery? = Gallery()
    gallery?.show("first")
    gallery?.show("second")
    downloads.value[0].finish("a picture")
    XCTAssertEqual(gallery?.shown, ["a picture"])
    weak var former: Gallery?
    former = gallery
    gallery = nil
    XCTAssertNil(former)
    XCTAssertTrue(downloads.value[1].wasStopped)
  }

  func testCapture() {
    final class Counter: @unchecked Sendable {
      var total = 0
      private let numbers: Promise
      init(_ numbers: Promise) { self.numbers = numbers }
      // example: weak-self
      func start() {
        numbers.then { [weak self] (number: Int) in
          guard let self else { return }
          self.total += number
        }
      }
      // end
    }
    let numbers = Promise(on: .immediate)
    let kept = Counter(numbers)
    kept.start()
    weak var former: Counter?
    do {
      let counter = Counter(numbers)
      counter.start()
      former = counter
    }
    XCTAssertNil(former, "the pending chain does not retain the counter")
    numbers.fulfill(3)
    XCTAssertEqual(kept.total, 3)
  }

  func testWanted() throws {
    let download = Download()
    @Sendable func fetch(_ download: Download) -> Promise {
      Promise { resolver in
        download.start { text in resolver.fulfill(text) }
        resolver.onCancel { _ in download.stop() }
      }
    }
    // example: wanted
    let page = fetch(download).cancelsWhenUnwanted()
    let title = page.then { text in (text as! String).prefix(10) }
    let size = page.then { text in (text as! String).count }
    // end
    // example: wanted-cancel
    title.cancel()  // the download continues, for `size`
    size.cancel()  // now it stops
    // end
    XCTAssertTrue(page.isCancelled)
    XCTAssertTrue(download.wasStopped)
  }
}
