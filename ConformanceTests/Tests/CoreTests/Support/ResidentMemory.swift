// The memory of the test process.

import XCTest

/// The growth of this process's resident memory since `begin()`.
final class ResidentMemory: @unchecked Sendable {
  private let queue = DispatchQueue(label: "memory")
  private var start = 0
  private var highest = 0

  /// Skips the test if the resident memory is unknown or meaningless.
  init() throws {
    let isWatched = dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil
    try XCTSkipIf(isWatched, "a sanitizer keeps freed memory for a while")
    try XCTSkipIf(Self.residentBytes == nil, "this system has no /proc/self/statm")
  }

  var growth: Int { queue.sync { highest - start } }

  func begin() {
    Self.returnFreeMemory()
    queue.sync {
      start = Self.residentBytes ?? 0
      highest = start
    }
  }

  func look() { queue.sync { highest = max(highest, Self.residentBytes ?? 0) } }

  func lookAtTheEnd() {
    Self.returnFreeMemory()
    look()
  }

  /// Returns the free memory of earlier tests to the system, because it would hide growth in this test.
  private static func returnFreeMemory() {
    guard let trim = dlsym(nil, "malloc_trim") else { return }
    _ = unsafeBitCast(trim, to: (@convention(c) (Int) -> Int32).self)(0)
  }

  private static var residentBytes: Int? {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
    let fields = text.split(separator: " ")
    return fields.count > 1 ? Int(fields[1]).map { $0 * Int(getpagesize()) } : nil
  }
}
