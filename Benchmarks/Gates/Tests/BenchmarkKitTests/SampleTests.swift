import BenchmarkKit
import Testing

@Test func medianIsTheMiddleWhateverTheOrder() {
  #expect(Sample([9, 1, 5]).median == 5)
  #expect(Sample([4, 1, 9, 2]).median == 3)
  #expect(Sample([7]).median == 7)
  #expect(Sample().median == nil)
}

@Test func quantilesAreFiguresThatWereMeasured() {
  let sample = Sample([5, 1, 4, 2, 3, 6, 7, 8, 9, 10, 11])
  #expect(sample.quantile(0) == 1)
  #expect(sample.quantile(0.1) == 2)
  #expect(sample.quantile(0.9) == 10)
  #expect(sample.quantile(1) == 11)
  #expect(Sample().quantile(0.5) == nil)
}

@Test(arguments: [
  (0.0, "0.00"), (0.4821, "0.48"), (0.999, "1.00"), (1.06, "1.06"), (48.24, "48.2"), (482.4, "482"),
  (-20.04, "-20.0"), (-0.001, "0.00"), (.infinity, "-"),
])
func numbersAreWrittenWithThreeDigits(_ value: Double, _ text: String) {
  #expect(Text.number(value) == text)
}
