/// The timeline of records: tracks with slices that do not overlap, and arrows between slices.
struct Timeline {
  /// A span of time on a track.
  struct Slice {
    let record: PromiseRecord
    let kind: Kind
    let track: Int
    let start: Duration
    let end: Duration
  }

  enum Kind {
    /// A handler ran.
    case handler
    /// A promise was settled outside any recorded handler.
    case settlement
  }

  /// Connects the slice in which a promise settled to a handler that waited for it.
  struct Arrow {
    let from: Slice
    let to: Slice
    let settled: Duration
  }

  private(set) var tracks: [String] = []
  private(set) var slices: [Slice] = []
  private(set) var arrows: [Arrow] = []
  let records: [PromiseRecord]
  /// The end of the recording.
  let end: Duration
  private var byNumber: [Int: PromiseRecord] = [:]
  private var handlers: [Int: Slice] = [:]
  private var settlements: [Int: Slice] = [:]
  /// The results of ``source(of:)``.
  private var sources: [Int: Slice?] = [:]

  init(_ records: [PromiseRecord], until end: Duration) {
    self.records = records
    self.end = end
    byNumber = Dictionary(uniqueKeysWithValues: records.map { ($0.number, $0) })
    place()
    connect()
  }

  // MARK: Slices

  private mutating func place() {
    var planned: [(record: PromiseRecord, kind: Kind, name: String, start: Duration, end: Duration)] = []
    for record in records {
      if let began = record.handlerBegan {
        planned.append((record, .handler, record.context, began, record.handlerEnded ?? end))
      }
      if let settled = record.settled, isSettledFromOutside(record) {
        planned.append((record, .settlement, "settled outside of contexts", settled, settled))
      }
    }
    planned.sort { $0.start < $1.start }
    // The time until which each track of a context is occupied.
    var names: [String] = []
    var lanes: [String: [Duration]] = [:]
    let placed = planned.map { plan in
      // A slice lasts at least 100 ns, because viewers do not show a slice of width zero. Slices that overlap
      // have different tracks, because viewers require it.
      let end = max(plan.end, plan.start + .nanoseconds(100))
      if lanes[plan.name] == nil { names.append(plan.name) }
      let taken = lanes[plan.name, default: []]
      let lane = taken.firstIndex { $0 < plan.start } ?? taken.count
      if lane == taken.count {
        lanes[plan.name, default: []].append(end)
      } else {
        lanes[plan.name]![lane] = end
      }
      return (plan, lane: lane, end: end)
    }
    var firstTracks: [String: Int] = [:]
    for name in names {
      firstTracks[name] = tracks.count
      tracks += (0..<lanes[name]!.count).map { $0 == 0 ? name : "\(name) (\($0 + 1))" }
    }
    for (plan, lane, end) in placed {
      let slice = Slice(
        record: plan.record, kind: plan.kind, track: firstTracks[plan.name]! + lane, start: plan.start,
        end: end)
      slices.append(slice)
      switch plan.kind {
      case .handler: handlers[plan.record.number] = slice
      case .settlement: settlements[plan.record.number] = slice
      }
    }
  }

  private func isSettledFromOutside(_ record: PromiseRecord) -> Bool {
    record.settledDuring == nil && !isSettledByItsHandler(record) && cause(of: record) == nil
  }

  private func isSettledByItsHandler(_ record: PromiseRecord) -> Bool {
    guard let ended = record.handlerEnded, let settled = record.settled else { return false }
    return ended <= settled && record.follows == nil
  }

  /// The promise whose settlement settled this one.
  private func cause(of record: PromiseRecord) -> PromiseRecord? {
    guard let settled = record.settled else { return nil }
    if let followed = record.follows.flatMap({ byNumber[$0] }), let time = followed.settled, time <= settled {
      return followed
    }
    let inputs = record.inputs.compactMap { byNumber[$0] }.filter {
      $0.settled.map { $0 <= settled } ?? false
    }
    if let last = inputs.max(by: { $0.settled! < $1.settled! }) { return last }
    // A promise without a handler for the outcome adopts its parent's outcome. If the promise was
    // cancelled, its parent is the cause only if the parent was cancelled too.
    if record.handlerBegan == nil, let parent = record.parent.flatMap({ byNumber[$0] }),
      let time = parent.settled, time <= settled, record.state != .cancelled || parent.state == .cancelled
    {
      return parent
    }
    return nil
  }

  // MARK: Arrows

  private mutating func connect() {
    for record in records {
      guard let to = handlers[record.number], let parent = record.parent.flatMap({ byNumber[$0] }),
        let settled = parent.settled, settled <= to.start, let from = source(of: parent)
      else { continue }
      arrows.append(Arrow(from: from, to: to, settled: settled))
    }
  }

  /// The slice in which a promise settled. Not recursive, because an outcome may pass through a chain of any
  /// length. The result is stored for every promise on the way.
  private mutating func source(of promise: PromiseRecord) -> Slice? {
    var way: Set<Int> = []
    var current = promise
    var found: Slice?
    while way.insert(current.number).inserted {
      if let known = sources[current.number] {
        found = known
        break
      }
      if isSettledByItsHandler(current) {
        found = handlers[current.number]
        break
      }
      if let slice = settlements[current.number] {
        found = slice
        break
      }
      guard let next = cause(of: current) else {
        found = current.settledDuring.flatMap { handlers[$0] }
        break
      }
      current = next
    }
    for number in way { sources[number] = .some(found) }
    return found
  }
}

extension Duration {
  /// The time in milliseconds, with three digits after the point.
  var milliseconds: String { Self.thousandths(nanoseconds / 1000) }

  private var nanoseconds: Int64 {
    components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
  }

  private static func thousandths(_ number: Int64) -> String {
    let fraction = "\(number % 1000)"
    return "\(number / 1000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
  }
}
