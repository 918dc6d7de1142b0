import Foundation

/// The parts of the trace event format that viewers require:
/// https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU
public enum TraceFormat {
  /// An event as a JSON object.
  public typealias Event = [String: Any]

  /// The required keys of the events of each phase, in addition to `ph` and `pid`.
  private static let keys = [
    "M": ["name", "args"], "X": ["name", "ts", "dur", "tid", "args"], "i": ["name", "ts", "tid", "s"],
    "s": ["id", "ts", "tid", "name", "cat"], "f": ["id", "ts", "tid", "name", "cat", "bp"],
    "b": ["id", "ts", "name", "cat"], "e": ["id", "ts", "name", "cat"],
  ]

  /// The events of a trace. The list is empty if the JSON is no trace.
  public static func events(_ trace: String) throws -> [Event] {
    let root = try JSONSerialization.jsonObject(with: Data(trace.utf8))
    return (root as? Event)?["traceEvents"] as? [Event] ?? []
  }

  /// Descriptions of the parts that a viewer would not accept.
  public static func faults(in events: [Event]) -> [String] {
    var faults: [String] = events.isEmpty ? ["no events"] : []
    for event in events {
      guard let phase = event["ph"] as? String, let keys = keys[phase] else {
        faults.append("no known phase: \(event)")
        continue
      }
      for key in keys + ["pid"] where event[key] == nil { faults.append("no \(key): \(event)") }
    }
    let starts = Set(events.filter { $0["ph"] as? String == "s" }.compactMap { $0["id"] as? Int })
    for end in events where end["ph"] as? String == "f" {
      if let id = end["id"] as? Int, !starts.contains(id) {
        faults.append("an arrow without a start: \(end)")
      }
    }
    return faults
  }
}
