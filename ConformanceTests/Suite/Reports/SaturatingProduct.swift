/// Returns the product of counts, or the highest count if the product overflows.
package func saturatingProduct(_ counts: Int...) -> Int {
  counts.reduce(1) { product, count in
    let (next, overflow) = product.multipliedReportingOverflow(by: count)
    return overflow ? .max : next
  }
}
