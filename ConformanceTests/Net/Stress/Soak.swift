// `--soak` runs the load in parts of ten seconds. After each part, when everything has ended, no object may
// be alive. After each minute, the soak also waits until idle threads end, because the library and the system
// keep some memory for each thread. The memory that remains allocated must not rise from minute to minute.

import Dispatch
import DynamicPromise
import Foundation

struct Soak {
  /// The length of a part in seconds.
  private static let part = 10.0
  /// The number of parts between two samples of the memory.
  private static let parts = 6
  /// The allowed rise of memory in KiB per minute, about one byte per hundred operations.
  private static let limit = 24.0

  private let options: Options

  init(_ options: Options) { self.options = options }

  /// Runs the load. Returns whether memory was flat. The rounds report other failures.
  func run() -> Bool {
    say("seed \(options.seed), \(options.threads) threads, \(options.seconds) s")
    Soak.fillSpares()
    say("seconds   operations   objects made   alive   threads   KiB allocated   KiB resident")
    let begin = DispatchTime.now()
    var samples: [(minutes: Double, kilobytes: Double)] = []
    var (seconds, operations, round, part) = (0.0, 0, 0, 0)
    func sample() -> Double? {
      seconds = Double(DispatchTime.now().uptimeNanoseconds - begin.uptimeNanoseconds) / 1e9
      let alive = Live.alive(Live.Kind.allCases).reduce(0) { $0 + $1.count }
      let memory = [Memory.threads.map(Double.init), Memory.allocated, Memory.resident]
      let figures = [Int(seconds), operations, Live.made, alive].map { "\($0)" }
      say((figures + memory.map { $0.map { "\(Int($0))" } ?? "unknown" }).joined(separator: "   "))
      return memory[1] ?? memory[2]
    }
    while seconds < options.seconds {
      let done = Run(options).rounds(from: round, seconds: Soak.part)
      (operations, round, part) = (operations + done.operations, done.next, part + 1)
      _ = sample()
      guard part % Soak.parts == 0 else { continue }
      waitForThreads()
      if let use = sample() { samples.append((seconds / 60, use)) }
    }
    guard samples.count > 2 else {
      say("too short to tell how memory grows")
      return true
    }
    let slope = Soak.slope(samples)
    say("with idle threads ended, memory grows by \(Int(slope.rounded())) KiB a minute")
    if slope > Soak.limit { say("FAILED: more than \(Int(Soak.limit)) KiB a minute") }
    return slope <= Soak.limit
  }

  /// Fills the spare memory of the core's locks. Each of the 256 locks keeps up to 64 spare nodes, and each
  /// thread uses eight random locks. Otherwise new threads would fill the spare memory slowly, which would
  /// look like a leak.
  private static func fillSpares() {
    let (made, end) = (DispatchGroup(), DispatchSemaphore(value: 0))
    let threads = (0..<400).map { _ in
      made.enter()
      return Thread {
        for _ in 0..<16 {
          let root = Promise()
          let all = (0..<80).map { _ in root.then { _ in } }
          root.cancel()
          withExtendedLifetime(all) {}
        }
        made.leave()
        end.wait()
      }
    }
    for thread in threads { thread.start() }
    made.wait()
    for _ in threads { end.signal() }
  }

  /// Waits until idle threads have ended, for half a minute at most. Polls, because no event reports the end
  /// of a thread.
  private func waitForThreads() {
    let never = DispatchSemaphore(value: 0)
    for _ in 0..<60 where Memory.threads.map({ $0 > 2 }) ?? false { _ = never.wait(timeout: .now() + 0.5) }
  }

  /// The slope of the line that fits best (least squares).
  private static func slope(_ samples: [(minutes: Double, kilobytes: Double)]) -> Double {
    let count = Double(samples.count)
    let x = samples.reduce(0) { $0 + $1.minutes } / count
    let y = samples.reduce(0) { $0 + $1.kilobytes } / count
    let products = samples.reduce(0) { $0 + ($1.minutes - x) * ($1.kilobytes - y) }
    return products / samples.reduce(0) { $0 + ($1.minutes - x) * ($1.minutes - x) }
  }
}

/// The memory of this process in KiB; `nil` if the system does not report it.
private enum Memory {
  /// The memory that has been allocated and not freed. Resident memory also includes free memory on pages
  /// that are partly in use.
  static var allocated: Double? {
    guard let pointer = dlsym(nil, "malloc_info") else { return nil }
    typealias Info = @convention(c) (Int32, UnsafeMutablePointer<FILE>) -> Int32
    let info = unsafeBitCast(pointer, to: Info.self)
    guard let file = tmpfile() else { return nil }
    defer { fclose(file) }
    guard info(0, file) == 0 else { return nil }
    rewind(file)
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let length = fread(&bytes, 1, bytes.count, file)
    let text = String(decoding: bytes[..<length], as: UTF8.self)
    // The totals of all heaps are last.
    func total(_ kind: String) -> Double? {
      guard let line = text.split(separator: "\n").last(where: { $0.hasPrefix("<\(kind)") }),
        let size = line.split(separator: "size=\"").last?.prefix(while: \.isNumber)
      else { return nil }
      return Double(size)
    }
    guard let system = total("system type=\"current\""), let mapped = total("total type=\"mmap\""),
      let fast = total("total type=\"fast\""), let free = total("total type=\"rest\"")
    else { return nil }
    return (system + mapped - fast - free) / 1024
  }

  static var threads: Int? {
    guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return nil }
    let line = text.split(separator: "\n").first { $0.hasPrefix("Threads:") }
    return line?.split(separator: "\t").last.flatMap { Int($0) }
  }

  /// The resident memory, without the free memory that the allocator could return.
  static var resident: Double? {
    if let trim = dlsym(nil, "malloc_trim") {
      _ = unsafeBitCast(trim, to: (@convention(c) (Int) -> Int32).self)(0)
    }
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
    let fields = text.split(separator: " ")
    return fields.count > 1 ? Double(fields[1]).map { $0 * Double(getpagesize()) / 1024 } : nil
  }
}
