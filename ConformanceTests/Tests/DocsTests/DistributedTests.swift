import Distributed
import DynamicPromise
import Foundation
import TestSupport
import XCTest

/// The examples of the chapter on distributed actors.
final class DistributedTests: XCTestCase {
  private let system = LocalTestingDistributedActorSystem()
  private let desk = Desk()
  private lazy var actor = Renderer(desk: desk, actorSystem: system)

  private func renderer() throws -> Renderer { try Renderer.resolve(id: actor.id, using: system) }

  private func assertEndsWithACancellation(_ promise: Promise, line: UInt = #line) async {
    do {
      let value = try await promise.timeout(20).value
      XCTFail("fulfilled with \(value)", line: line)
    } catch { XCTAssertTrue(error is CancellationError, "\(error)", line: line) }
  }

  func testAChainWhoseStepsRunOnADistributedActor() async throws {
    let id = actor.id
    // example: distributed-chain
    let renderer = try Renderer.resolve(id: id, using: system)

    let outline = Promise { try await renderer.outline(of: "map") }
    let picture =
      outline
      .then { (outline: String) in try await renderer.render(outline, as: UUID()) }
      .then { (picture: String) in try await renderer.sign(picture) }
    // end
    desk.dry.fulfill(())
    let text = try await picture.timeout(20).value(as: String.self)
    XCTAssertEqual(text, "outline of map, painted, signed")
    XCTAssertEqual(desk.note.lines, ["outline", "render", "sign"])
  }

  func testWhatADistributedCallThrowsIsTheReason() async throws {
    let renderer = try renderer()
    // example: distributed-error
    let outline = Promise { try await renderer.outline(of: "") }
      .catch { (_: Nameless) in try await renderer.outline(of: "untitled") }
    // end
    let text = try await outline.value(as: String.self)
    XCTAssertEqual(text, "outline of untitled")
  }

  func testCancelledFromTheRoot() async throws {
    let renderer = try renderer()
    let outline = Promise { try await renderer.outline(of: "map") }
    // example: distributed-cancel
    let picture =
      outline
      .then { (outline: String) in rendering(outline, on: renderer) }
      .then { (picture: String) in try await renderer.sign(picture) }

    desk.isPainting.then { outline.cancel() }  // from the root, in the middle of the second step
    // end
    await assertEndsWithACancellation(picture)
    XCTAssertTrue(picture.isCancelled)
    // The stop message ended the work. The caller's cancel alone does not cancel the task of the work.
    let end = try await desk.end.timeout(20).value(as: String.self)
    XCTAssertEqual(end, "stopped")
    XCTAssertEqual(desk.note.lines, ["outline", "render"], "`sign` must not be called")
  }

  func testAStopThatOvertakesItsJob() async throws {
    let (renderer, job) = (try renderer(), UUID())
    try await renderer.stop(job)
    let late = Promise { try await renderer.render("outline", as: job) }
    await assertEndsWithACancellation(late)
    XCTAssertTrue(desk.isPainting.isPending)
  }

  func testAHandlerOnTheActorItself() async throws {
    let (renderer, desk) = (try renderer(), desk)
    // example: distributed-local
    let counted = await renderer.whenLocal { local in
      load("greeting").thenOn(.actor(local.asLocalActor)) { _ in desk.note("here") }
    }
    // end
    _ = try await XCTUnwrap(counted).value
    XCTAssertEqual(desk.note.lines, ["here"])
  }
}

/// The state that a test shares with the actor.
private final class Desk: Sendable {
  let note = Log()
  /// The painting waits for this promise, which a test settles.
  let dry = Promise()
  let isPainting = Promise()
  /// The end of the painting: "painted" or "stopped".
  let end = Promise()

  func paint(_ outline: String) async throws -> String {
    isPainting.fulfill(())
    do {
      _ = try await dry.value
      end.fulfill("painted")
      return outline + ", painted"
    } catch {
      end.fulfill("stopped")
      throw error
    }
  }
}

private struct Nameless: Error, Codable {}

// example: distributed-actor
private distributed actor Renderer {
  typealias ActorSystem = LocalTestingDistributedActorSystem

  private let desk: Desk
  private var jobs: [UUID: Task<String, any Error>] = [:]
  private var stopped: Set<UUID> = []

  init(desk: Desk, actorSystem: ActorSystem) {
    self.desk = desk
    self.actorSystem = actorSystem
  }

  distributed func outline(of name: String) throws -> String {
    if name.isEmpty { throw Nameless() }
    desk.note("outline")
    return "outline of \(name)"
  }

  distributed func render(_ outline: String, as job: UUID) async throws -> String {
    if stopped.remove(job) != nil { throw CancellationError() }
    desk.note("render")
    let painting = Task { try await desk.paint(outline) }
    jobs[job] = painting
    defer { jobs[job] = nil }
    return try await painting.value
  }

  distributed func stop(_ job: UUID) {
    if let painting = jobs[job] { painting.cancel() } else { stopped.insert(job) }
  }

  distributed func sign(_ picture: String) -> String {
    desk.note("sign")
    return picture + ", signed"
  }
}
// end

// example: distributed-stop
private func rendering(_ outline: String, on renderer: Renderer) -> Promise {
  let job = UUID()
  return Promise {
    try await withTaskCancellationHandler {
      try await renderer.render(outline, as: job)
    } onCancel: {
      Task { try await renderer.stop(job) }
    }
  }
}
// end
