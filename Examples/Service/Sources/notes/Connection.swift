import DynamicPromise
import Foundation
import NIOCore
import NIOHTTP1

/// One connection: reads a request, and writes the response of its route. Requests are handled one after
/// another, because SwiftNIO holds back pipelined requests. If the client disconnects, its request is
/// cancelled.
final class Connection: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let routes: Routes
  /// The maximum time for an answer.
  private let seconds: Double
  // These variables are used on the event loop only.
  private var head: HTTPRequestHead?
  private var body = Data()
  private var answering: Promise?

  init(_ routes: Routes, seconds: Double) { (self.routes, self.seconds) = (routes, seconds) }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): (self.head, body) = (head, Data())
    case .body(let piece): body.append(contentsOf: piece.readableBytesView)
    case .end:
      guard let head else { return }
      self.head = nil
      answer(head, context)
    }
  }

  private func answer(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    let response = routes.response(
      to: Request(head, body), within: seconds, on: .eventLoop(context.eventLoop))
    // Declares to the compiler that the connection, its context and the handler are all on the event loop.
    let bound = NIOLoopBound((connection: self, context: context), eventLoop: context.eventLoop)
    answering = response.then { (response: Response) in
      let (connection, context) = bound.value
      connection.write(response, for: head, context)
    }
  }

  private func write(_ response: Response, for request: HTTPRequestHead, _ context: ChannelHandlerContext) {
    answering = nil
    var head = HTTPResponseHead(version: request.version, status: response.status)
    head.headers.add(name: "content-type", value: response.type)
    head.headers.add(name: "content-length", value: "\(response.body.count)")
    if !request.isKeepAlive { head.headers.add(name: "connection", value: "close") }
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    if request.method != .HEAD {
      context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: response.body)))), promise: nil)
    }
    let isWritten = context.writeAndFlush(wrapOutboundOut(.end(nil)))
    let channel = context.channel
    if !request.isKeepAlive { isWritten.whenComplete { _ in channel.close(promise: nil) } }
  }

  func channelInactive(context: ChannelHandlerContext) {
    answering?.withdraw()
    answering = nil
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
