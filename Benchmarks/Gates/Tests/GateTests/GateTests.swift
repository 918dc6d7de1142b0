import GateKit
import Testing

@Test func gatesAreReadAsTheyAreWritten() throws {
  var gate = Gate()
  gate.add("allocations, W1", 3000)
  gate.add("bytes", 0)
  #expect(try Gate(text: "# a comment: 1\n" + gate.text).text == gate.text)
  #expect(throws: Gate.Mistake.self) { try Gate(text: "bytes: many") }
  #expect(throws: Gate.Mistake.self) { try Gate(text: "bytes") }
}

@Test func onlyARiseFails() throws {
  let known = try Gate(text: "same: 5\nfallen: 5\nrisen: 5\ngone: 5\n")
  let comparison = known.compared(with: try Gate(text: "same: 5\nfallen: 4\nrisen: 6\nnew: 5\n"))
  #expect(comparison.improvements == ["fallen: 4, was 5"])
  #expect(
    comparison.failures == ["risen: 6, was 5", "gone: not counted any more", "new: 5, not known yet"])
  #expect(known.compared(with: known) == Gate.Comparison())
}

@Test func aFigurePerThousandMayBeOffByWhatTheSystemKeeps() throws {
  let known = try Gate(text: "per 1000 steps: 6000\n")
  #expect(known.compared(with: try Gate(text: "per 1000 steps: 6005\n")) == Gate.Comparison())
  #expect(
    known.compared(with: try Gate(text: "per 1000 steps: 6006\n")).failures
      == ["per 1000 steps: 6006, was 6000"])
}
