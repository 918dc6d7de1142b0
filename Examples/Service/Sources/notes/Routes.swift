import DynamicPromise
import NIOHTTP1

/// The functions that answer requests. A function returns a value, or a promise for a value.
struct Routes: Sendable {
  typealias Answer = @Sendable (Request) throws -> Any?

  private var routes: [(method: HTTPMethod, path: [Substring], answer: Answer)] = []

  /// Answers requests for `path`, in which `:name` matches any one part.
  mutating func on(_ method: HTTPMethod, _ path: String, _ answer: @escaping Answer) {
    routes.append((method, path.split(separator: "/"), answer))
  }

  /// A promise for the response, on `context`. An error also becomes a response. Cancelling the promise
  /// cancels the chain.
  func response(to request: Request, within seconds: Double, on context: EventLoopContext) -> Promise {
    Promise.task(on: context) { [self] in try answer(request) }
      .timeout(seconds, cancelling: true)
      .then { (value: Any) in try Response(of: value) }
      .catch { (error: any Error) in Response(for: error) }
  }

  private func answer(_ request: Request) throws -> Any? {
    let here = routes.compactMap { route in
      Self.match(route.path, request.path).map { (route.method, route.answer, $0) }
    }
    guard !here.isEmpty else { throw HTTPFailure(.notFound) }
    guard let (_, answer, parameters) = here.first(where: { $0.0 == request.method }) else {
      throw HTTPFailure(.methodNotAllowed)
    }
    var request = request
    request.parameters = parameters
    return try answer(request)
  }

  private static func match(_ pattern: [Substring], _ path: [String]) -> [String: String]? {
    guard pattern.count == path.count else { return nil }
    var parameters: [String: String] = [:]
    for (expected, part) in zip(pattern, path) {
      if expected.hasPrefix(":") {
        parameters[String(expected.dropFirst())] = part
      } else if expected != part {
        return nil
      }
    }
    return parameters
  }
}
