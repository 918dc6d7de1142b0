import DynamicPromise
import NIOCore
import NIOHTTP1
import NIOPosix

/// A service that listens on a port.
struct Service: Sendable {
  private let channel: any Channel

  /// Starts a service. The promise is fulfilled with the service. If `port` is 0, the system chooses
  /// the service's ``port``.
  static func start(
    _ routes: Routes, port: Int, within seconds: Double = 30, host: String = "127.0.0.1"
  ) -> Promise {
    ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.configureHTTPServerPipeline(withErrorHandling: true)
          try channel.pipeline.syncOperations.addHandler(Connection(routes, seconds: seconds))
        }
      }
      .bind(host: host, port: port)
      .promise()
      .then { (channel: any Channel) in Service(channel: channel) }
  }

  /// The port on which the service listens.
  var port: Int { channel.localAddress?.port ?? 0 }

  /// A promise that is fulfilled when the service has stopped listening. Open connections continue.
  func stop() -> Promise { channel.close().promise() }

  /// A promise that is fulfilled when the service has been stopped.
  var stopped: Promise { channel.closeFuture.promise() }
}
