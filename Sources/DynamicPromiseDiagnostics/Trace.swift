// The trace event format: https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU

extension Timeline {
  /// The JSON object form.
  var trace: String {
    var events = ["{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\",\"args\":{\"name\":\"promises\"}}"]
    for (index, name) in tracks.enumerated() {
      let track = "\"pid\":1,\"tid\":\(index + 1)"
      events.append("{\"ph\":\"M\",\(track),\"name\":\"thread_name\",\"args\":{\"name\":\(json(name))}}")
      events.append(
        "{\"ph\":\"M\",\(track),\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":\(index)}}")
    }
    events += slices.map(event)
    events += cancellations.map(cancellation)
    for (index, arrow) in arrows.enumerated() { events += flow(arrow, index + 1) }
    for record in records { events += life(of: record) }
    return "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n" + events.joined(separator: ",\n") + "\n]}\n"
  }

  private func event(_ slice: Slice) -> String {
    let record = slice.record
    let category = slice.kind == .handler ? "handler" : "settlement"
    let name = slice.kind == .handler ? record.name : "\(record.name) \(record.state)"
    return "{\"ph\":\"X\",\"cat\":\"\(category)\",\"name\":\(json(name)),\(place(slice, at: slice.start)),"
      + "\"dur\":\((slice.end - slice.start).microseconds),\"args\":{\(details(of: record))}}"
  }

  /// A mark at the time when a promise was cancelled: in its own handler, in another handler, or outside.
  private func cancellation(_ record: PromiseRecord, _ slice: Slice) -> String {
    "{\"ph\":\"i\",\"s\":\"t\",\"cat\":\"cancellation\",\"name\":\(json("\(record.name) cancelled")),"
      + "\(place(slice, at: record.settled ?? slice.start))}"
  }

  /// The two events of an arrow. A viewer binds each event to the slice that contains it.
  private func flow(_ arrow: Arrow, _ id: Int) -> [String] {
    let head = "\"cat\":\"settles\",\"name\":\"settles\",\"id\":\(id)"
    let start = min(max(arrow.settled, arrow.from.start), arrow.from.end - .nanoseconds(1))
    return [
      "{\"ph\":\"s\",\(head),\(place(arrow.from, at: start))}",
      "{\"ph\":\"f\",\"bp\":\"e\",\(head),\(place(arrow.to, at: arrow.to.start))}",
    ]
  }

  /// The time from a promise's creation to its settlement. The end event is missing if the promise has not
  /// settled.
  private func life(of record: PromiseRecord) -> [String] {
    let head =
      "\"cat\":\"promise\",\"name\":\(json(record.name)),\"id\":\"\(record.number)\",\"pid\":1,\"tid\":0"
    var events = [
      "{\"ph\":\"b\",\(head),\"ts\":\(record.made.microseconds),\"args\":{\(details(of: record))}}"
    ]
    if let settled = record.settled {
      events.append(
        "{\"ph\":\"e\",\(head),\"ts\":\(settled.microseconds),\"args\":{\"outcome\":\"\(record.state)\"}}")
    }
    return events
  }

  private func place(_ slice: Slice, at time: Duration) -> String {
    "\"pid\":1,\"tid\":\(slice.track + 1),\"ts\":\(time.microseconds)"
  }

  private func details(of record: PromiseRecord) -> String {
    var parts = [
      "\"promise\":\(record.number)", "\"outcome\":\"\(record.state)\"",
      "\"context\":\(json(record.context))",
    ]
    if let parent = record.parent { parts.append("\"parent\":\(parent)") }
    if let label = record.label { parts.append("\"label\":\(json(label))") }
    if let origin = record.origin { parts.append("\"origin\":\(json("\(origin)"))") }
    if let other = record.follows { parts.append("\"follows\":\(other)") }
    if let kind = record.combinator {
      parts.append(
        "\"combinator\":\"\(kind)\",\"inputs\":[\(record.inputs.map(String.init).joined(separator: ","))]")
    }
    if let reason = record.reason { parts.append("\"reason\":\(json("\(reason)"))") }
    if record.isUnhandled { parts.append("\"unhandled\":true") }
    return parts.joined(separator: ",")
  }
}

/// A string in JSON.
private func json(_ text: String) -> String {
  var result = "\""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"": result += "\\\""
    case "\\": result += "\\\\"
    case _ where scalar.value < 0x20:
      let digits = String(scalar.value, radix: 16)
      result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result + "\""
}
