/// A web page in one file: the timeline, the wait paths of pending promises, and the tree. The page works
/// without scripts; a small script highlights related items, and zooms to a selected time.
struct Page {
  static let width = 1000.0
  static let rowHeight = 26.0
  static let labelWidth = 190.0
  /// An estimate of the width of a character. It is too small for wide ones, which are rare in names.
  static let characterWidth = 6.5

  let timeline: Timeline
  let picture: Picture
  let waitPaths: [String]
  /// The promises for which others wait in the end.
  let causes: Set<Int>

  init(_ records: [PromiseRecord], until end: Duration) {
    timeline = Timeline(records, until: end)
    picture = Picture(records)
    var paths = WaitPaths(records)
    (waitPaths, causes) = (paths.texts(), paths.causes())
  }

  var text: String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <title>Promises</title>
    <style>
    \(Self.style)</style>
    </head>
    <body>
    <h1>Promises</h1>
    <p>\(summary)</p>
    <h2>Time</h2>
    <div class="time">
    \(chart)</div>
    \(waits)<h2>Tree</h2>
    <div class="tree">
    \(tree)</div>
    <script>
    \(Self.script)</script>
    </body>
    </html>

    """
  }

  private var summary: String {
    let counts = Dictionary(grouping: timeline.records, by: \.state).mapValues(\.count)
    let states = PromiseRecord.State.allCases.compactMap { state in
      counts[state].map { "<span class=\"\(state)\">\($0) \(state)</span>" }
    }
    let unhandled = timeline.records.count(where: \.isUnhandled)
    let lost = unhandled == 0 ? [] : ["<span class=\"rejected\">\(unhandled) unhandled</span>"]
    return (["\(timeline.records.count) promises"] + states + lost).joined(separator: ", ")
      + ", \(timeline.end.milliseconds) ms"
  }

  // MARK: The timeline

  private var chart: String {
    let size = #"width="\#(Int(Self.labelWidth + Self.width + 10))" height="\#(Int(rowsHeight + 24))""#
    var lines = [
      #"<svg \#(size) role="img" aria-label="time line">"#,
      #"<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="6" markerHeight="6" "#
        + #"orient="auto"><path d="M0 0L8 4L0 8z"/></marker></defs>"#,
    ]
    lines += scale
    lines += timeline.tracks.indices.map { index in
      let (end, y) = (text(Self.labelWidth + Self.width), text(Double(index) * Self.rowHeight + 25))
      return #"<g class="track"><line x1="0" x2="\#(end)" y1="\#(y)" y2="\#(y)"/></g>"#
    }
    // A name is shown in its bar, or beside the bar if there is room. Otherwise the name is shortened, and
    // hovering over the bar shows it in full.
    var rightNeighbours: [Int: Double] = [:]
    let bars = timeline.slices.reversed().map { slice in
      defer { rightNeighbours[slice.track] = x(slice.start) }
      let room = (rightNeighbours[slice.track] ?? Self.labelWidth + Self.width) - x(slice.end) - 8
      return bar(slice, showsName: room > Double(slice.record.name.count) * Self.characterWidth)
    }
    lines += bars.reversed()
    lines += pendingRows
    lines += timeline.arrows.map(arrow)
    lines += timeline.tracks.enumerated().map { "<g>\(label($1, Double($0) * Self.rowHeight))</g>" }
    return (lines + ["</svg>\n"]).joined(separator: "\n")
  }

  private func bar(_ slice: Timeline.Slice, showsName: Bool) -> String {
    let record = slice.record
    let width = max(x(slice.end) - x(slice.start), 3)
    let y = Double(slice.track) * Self.rowHeight
    let time = "\(slice.start.milliseconds) to \(slice.end.milliseconds) ms"
    let title = "\(record.name): \(picture.says(of: record)), \(time)"
    let kind = slice.kind == .handler ? "handler" : "settlement"
    let isInside = !showsName || width > Double(record.name.count) * Self.characterWidth + 8
    let name =
      isInside
      ? inside(record.name, slice.start, slice.end, y)
      : #"<text x="\#(text(x(slice.start) + width + 3))" y="\#(text(y + 17))">\#(record.name.html)</text>"#
    return #"<g class="slice \#(kind) \#(record.state)" data-promise="\#(record.number)">"#
      + "\(rect(slice.start, slice.end, y))\(name)<title>\(title.html)</title></g>"
  }

  func rect(_ start: Duration, _ end: Duration, _ y: Double) -> String {
    let width = text(max(x(end) - x(start), 3))
    return #"<rect x="\#(text(x(start)))" y="\#(text(y + 4))" width="\#(width)" height="18" rx="2"/>"#
  }

  private func arrow(_ arrow: Timeline.Arrow) -> String {
    let settled = min(max(arrow.settled, arrow.from.start), arrow.from.end)
    let from = (x: x(settled), y: middle(of: arrow.from.track))
    let to = (x: x(arrow.to.start), y: middle(of: arrow.to.track))
    // The arrow is curved, so that it is visible within one track.
    let bend = from.y == to.y ? -14.0 : 0
    let middle = "\(text((from.x + to.x) / 2)) \(text((from.y + to.y) / 2 + bend))"
    let ends = #"data-from="\#(arrow.from.record.number)" data-to="\#(arrow.to.record.number)""#
    let way = "M\(text(from.x)) \(text(from.y))Q\(middle) \(text(to.x)) \(text(to.y))"
    return #"<path class="arrow" \#(ends) d="\#(way)" marker-end="url(#tip)"/>"#
  }

  private func middle(of track: Int) -> Double { Double(track) * Self.rowHeight + 13 }

  /// The horizontal position of a time. Leaves room on the right for the last name.
  func x(_ time: Duration) -> Double {
    let all = timeline.end > .zero ? timeline.end : .nanoseconds(1)
    return Self.labelWidth + time / all * (Self.width - 120)
  }

  /// A number with one digit after the point, which is finer than a pixel.
  func text(_ number: Double) -> String {
    let tenths = Int((number * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(Double(tenths) / 10)"
  }

  // MARK: The tree

  private var tree: String {
    picture.rows.map { row in
      let record = row.record
      let mark = row.mark.isEmpty ? "" : "<i>\(row.mark)</i>"
      return "<div class=\"\(record.state)\" data-promise=\"\(record.number)\" "
        + "style=\"padding-left:\(min(row.depth, 40) * 18)px\">\(mark)<b>\(record.name.html)</b> "
        + (causes.contains(record.number) ? "<em>root cause</em> " : "")
        + "\(picture.says(of: record).html)</div>\n"
    }.joined()
  }

  private static let style = """
    body { font: 14px system-ui, sans-serif; margin: 24px; color: #222; background: #fff; }
    h1 { font-size: 20px; } h2 { font-size: 15px; margin-top: 24px; } .track line { stroke: #eee; }
    .time { overflow-x: auto; } svg { font: 11px system-ui, sans-serif; cursor: crosshair; }
    .label { fill: #666; paint-order: stroke; stroke: #fff; stroke-width: 5px; translate: var(--left); }
    .scale line { stroke: #ddd; } .scale text { fill: #888; text-anchor: middle; }
    .slice rect { fill: #999; } .pending text { font-style: italic; } .slice .inside { fill: #fff; }
    .fulfilled rect { fill: #4a9a5b; } .rejected rect { fill: #c8453b; } .cancelled rect { fill: #d9932c; }
    .settlement rect { fill-opacity: .6; } .arrow { fill: none; stroke: #777; } marker path { fill: #777; }
    .tree div { padding: 1px 0; } .tree i { color: #999; font-style: normal; }
    .fulfilled b, span.fulfilled { color: #2f7d40; } .rejected b, span.rejected { color: #b3362c; }
    .cancelled b, span.cancelled { color: #a86a10; } .pending b, .abandoned b { color: #666; }
    .cause rect { stroke: #b3362c; stroke-width: 2; } em { color: #b3362c; } svg { user-select: none; }
    .lit rect { stroke: #111; stroke-width: 2; } div.lit { background: #fff3c4; } .arrow.lit { stroke: #111; }

    """

  private static let script = """
    for (const element of document.querySelectorAll("[data-promise]")) {
      const number = element.dataset.promise;
      const others = document.querySelectorAll(
        `[data-promise="${number}"], [data-from="${number}"], [data-to="${number}"]`);
      for (const [event, on] of [["mouseenter", true], ["mouseleave", false]])
        element.addEventListener(event, () => others.forEach((other) => other.classList.toggle("lit", on)));
    }
    // Dragging over a time zooms to it, and a double click shows all.
    const svg = document.querySelector("svg"), box = svg.parentElement, width = svg.width.baseVal.value;
    const parts = ["x", "x1", "x2", "width", "d"].flatMap((name) =>
      [...svg.querySelectorAll(`g [${name}], .arrow[${name}]`)].map((e) => [e, name, e.getAttribute(name)]));
    let zoom = 1, start = 0;
    const at = (x) => x < \(labelWidth) ? x : \(labelWidth) + (x - \(labelWidth)) * zoom;
    const d = (way) => way.replace(/([\\d.]+)( [\\d.]+)/g, (_, x, y) => at(x) + y);
    const scaled = {width: (size) => size * zoom, d};
    const time = (event) => (event.clientX - svg.getBoundingClientRect().left - \(labelWidth)) / zoom;
    const show = (factor, left) => {
      zoom = Math.min(factor, 1000);
      svg.setAttribute("width", at(width));
      for (const [e, name, value] of parts) e.setAttribute(name, (scaled[name] ?? at)(value));
      box.scrollLeft = left * zoom;
    };
    svg.addEventListener("pointerdown", (event) => { start = time(event); });
    svg.addEventListener("pointerup", (event) => {
      const end = time(event), size = Math.abs(end - start);
      if (size * zoom > 4) show((box.clientWidth - \(labelWidth)) / size, Math.min(start, end));
    });
    svg.addEventListener("dblclick", () => show(1, 0));
    box.addEventListener("scroll", () => svg.style.setProperty("--left", box.scrollLeft + "px"));

    """
}
