/// Returns `"; did you mean 'x'?"` for the nearest word of `known`, or an empty string if no word is near
/// enough.
func suggestion(for typed: String, among known: [String]) -> String {
  let ranked = known.map { (name: $0, distance: editDistance(typed, $0)) }
  guard let best = ranked.min(by: { $0.distance < $1.distance }),
    best.distance <= max(1, typed.count / 3)
  else { return "" }
  return "; did you mean '\(best.name)'?"
}

/// Returns the number of insertions, deletions and replacements that turn one word into the other.
func editDistance(_ left: String, _ right: String) -> Int {
  let right = Array(right)
  var row = Array(0...right.count)
  for (i, l) in left.enumerated() {
    var diagonal = row[0]
    row[0] = i + 1
    for (j, r) in right.enumerated() {
      let replaced = diagonal + (l == r ? 0 : 1)
      diagonal = row[j + 1]
      row[j + 1] = min(replaced, row[j] + 1, row[j + 1] + 1)
    }
  }
  return row[right.count]
}
