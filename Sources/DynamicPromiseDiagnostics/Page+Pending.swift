// The parts of the page about pending promises, and the scale of its timeline.

extension Page {
  /// The largest number of pending promises that the timeline shows. The tree shows all of them.
  private static let mostPendingRows = 50

  /// Root causes come first.
  private var pending: [PromiseRecord] {
    let all = timeline.records.filter { $0.state == .pending }
    return all.filter { causes.contains($0.number) } + all.filter { !causes.contains($0.number) }
  }

  /// The height of all rows of the timeline.
  var rowsHeight: Double {
    let rows = min(pending.count, Self.mostPendingRows + 1)
    return Self.rowHeight * Double(max(timeline.tracks.count + rows, 1))
  }

  /// A bar for each pending promise, from its creation to the end.
  var pendingRows: [String] {
    let pending = pending
    var rows = pending.prefix(Self.mostPendingRows).enumerated().map { index, record in
      let y = Double(timeline.tracks.count + index) * Self.rowHeight
      let title = "\(record.name): \(picture.says(of: record)), since \(record.made.milliseconds) ms"
      let kind = causes.contains(record.number) ? "pending cause" : "pending"
      return #"<g class="slice \#(kind)" data-promise="\#(record.number)">"#
        + rect(record.made, timeline.end, y) + inside("pending", record.made, timeline.end, y)
        + label(record.name, y) + "<title>\(title.html)</title></g>"
    }
    if pending.count > rows.count {
      let y = Double(timeline.tracks.count + rows.count) * Self.rowHeight
      rows.append("<g>\(label("\(pending.count - rows.count) more pending", y))</g>")
    }
    return rows
  }

  /// A text in a bar, shortened to the bar's width. Empty if neither the whole text nor four characters fit.
  func inside(_ name: String, _ start: Duration, _ end: Duration, _ y: Double) -> String {
    let room = Int((x(end) - x(start) - 8) / Self.characterWidth)
    guard room >= min(name.count, 4) else { return "" }
    let shown = name.count > room ? name.prefix(room - 1) + "…" : name
    return "<text class=\"inside\" x=\"\(text(x(start) + 4))\" y=\"\(text(y + 17))\">\(shown.html)</text>"
  }

  func label(_ name: String, _ y: Double) -> String {
    let shown = name.count > 28 ? name.prefix(27) + "…" : name
    return #"<text class="label" x="4" y="\#(text(y + 17))">\#(shown.html)</text>"#
  }

  /// The list of the wait paths of pending promises; empty if no promise is pending.
  var waits: String {
    let items = waitPaths.map { "<li>\($0.html)</li>\n" }
    return items.isEmpty ? "" : "<h2>Pending</h2>\n<ul>\n\(items.joined())</ul>\n"
  }

  /// Vertical lines at round times, at most eleven.
  var scale: [String] {
    let end = Int(timeline.end / .microseconds(1))
    var step = 1
    while end > 10 * step {
      // 1, 2, 5, 10, 20, 50, ...
      step = "\(step)".hasPrefix("2") ? step / 2 * 5 : step * 2
    }
    return stride(from: 0, through: end, by: step).map { time in
      let x = text(x(.microseconds(time)))
      let name = time % 1000 == 0 ? "\(time / 1000)" : "\(Double(time) / 1000)"
      return "<g class=\"scale\"><line x1=\"\(x)\" x2=\"\(x)\" y1=\"0\" y2=\"\(text(rowsHeight + 6))\"/>"
        + "<text x=\"\(x)\" y=\"\(text(rowsHeight + 18))\">\(name)\(time == 0 ? "" : " ms")</text></g>"
    }
  }
}
