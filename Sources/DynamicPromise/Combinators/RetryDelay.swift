// The delay of `retry` between two attempts.

/// The delay between a failed attempt and the next attempt.
public struct RetryDelay: Sendable {
  /// The delay after an attempt, from its number (starting at 1) and its error.
  let seconds: @Sendable (_ attempt: Int, _ error: any Error) throws -> Double

  /// A delay that is computed after each failed attempt, from the number of the attempt (starting at 1) and
  /// its error, on the context of the attempts. If `seconds` throws, the result is rejected.
  public init(_ seconds: @escaping @Sendable (_ attempt: Int, _ error: any Error) throws -> Double) {
    self.seconds = seconds
  }

  /// A delay of `seconds` after each failed attempt. A literal means the same: `delay: 0.5`.
  public static func constant(_ seconds: Double) -> RetryDelay { RetryDelay { _, _ in seconds } }

  /// A delay of `first` seconds after the first attempt, and of `factor` times the previous delay after each
  /// further attempt, but never more than `ceiling`.
  ///
  /// - Parameters:
  ///   - first: The delay after the first attempt, in seconds.
  ///   - factor: The factor between two delays.
  ///   - ceiling: The longest delay, in seconds.
  ///   - jitter: The random share of the delay, from 0 to 1, so that simultaneous failures are not retried
  ///     simultaneously. With 0.5, the delay is between 50% and 100% of its full length.
  public static func exponential(
    _ first: Double, factor: Double = 2, ceiling: Double = 60, jitter: Double = 0
  ) -> RetryDelay {
    let share = jitter > 0 ? min(jitter, 1) : 0
    return RetryDelay { attempt, _ in
      let delay = min(first * power(factor, attempt - 1), ceiling)
      return share > 0 ? delay * (1 - share * Double.random(in: 0..<1)) : delay
    }
  }

  /// `base` to the power of `exponent`, with few multiplications. (`pow` needs an import.)
  private static func power(_ base: Double, _ exponent: Int) -> Double {
    var (result, square, left) = (1.0, base, exponent)
    while left > 0 {
      if left & 1 == 1 { result *= square }
      square *= square
      left >>= 1
    }
    return result
  }
}

extension RetryDelay: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
  /// A delay of `seconds` after each failed attempt.
  public init(floatLiteral seconds: Double) { self = .constant(seconds) }

  /// A delay of `seconds` after each failed attempt.
  public init(integerLiteral seconds: Int) { self = .constant(Double(seconds)) }
}
