#if canImport(Testing)
  import DynamicPromise
  import DynamicPromiseTesting
  import Testing

  /// The test context in Swift Testing, which runs tests in parallel on the threads of async code.
  struct SwiftTestingTests {
    @Test(arguments: 0..<50)
    func anAsyncLoadAndAHandlerOnTheMainQueue(number: Int) async throws {
      let context = TestContext()
      let loaded = Promise(on: context)
      let doubled = loaded.then { (x: Int) in x * 2 }
      let shown = doubled.thenOnMain { (x: Int) in "\(x)" }
      loaded.bind(Promise { () async throws -> Int in number })
      try await context.nextJob(timeout: 60)
      #expect(doubled.isPending)
      context.drain()
      #expect(try await shown.value(as: String.self) == "\(number * 2)")
    }
  }
#endif
