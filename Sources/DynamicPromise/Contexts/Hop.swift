// How the job of a promise gets onto a dispatch queue. A closure is a piece of memory, its block another one, and to make, copy and
// give back both takes longer than all the rest of a hop. A job of ours needs neither: it is a function, the same for all, and
// the word of a promise. Dispatch takes such jobs, but Swift's side of it does not offer them.
//
// Where the module of its C side can be imported (everywhere but on Apple systems, whose Dispatch could not be tried here),
// a queue of Swift's is a wrapper around the system's object, which no declaration leads to.

import Dispatch

#if canImport(CDispatch)
  internal import CDispatch
#endif

/// The way onto a queue: the system's object behind it, where that can be had. Does not hold the queue.
struct Hop: @unchecked Sendable {
  private typealias Job = @convention(c) (UnsafeMutableRawPointer?) -> Void

  /// The way to the main queue.
  static let toMain = Hop(onto: QueueMark.main)

  #if canImport(CDispatch)
    private let handle: OpaquePointer?

    init(onto queue: DispatchQueue) { handle = Self.isWrapper ? Self.inner(of: queue) : nil }

    /// Whether a queue begins, after the two words of every object, with what reflection calls the wrapped one. If another version of
    /// Dispatch had something else there, all jobs would be closures.
    private static let isWrapper: Bool = {
      let queue = DispatchQueue(label: "DynamicPromise.hop")
      let wrapped = Mirror(reflecting: queue).children.first { $0.label == "__wrapped" }?.value
      return (wrapped as? OpaquePointer).map { $0 == inner(of: queue) } ?? false
    }()

    private static func inner(of queue: DispatchQueue) -> OpaquePointer {
      Unmanaged.passUnretained(queue).toOpaque().load(fromByteOffset: 16, as: OpaquePointer.self)
    }
  #else
    init(onto queue: DispatchQueue) {}
  #endif

  /// Enqueues the job of `child`, which is held, on `queue`, behind a barrier if that is concurrent. The queue must stay until
  /// this returns; the child may be gone before.
  func enqueue(_ child: Unmanaged<Promise>, on queue: DispatchQueue) {
    enqueue(queue, child.toOpaque(), isBarrier: true) {
      Promise.work(.fromOpaque($0.unsafelyUnwrapped), continuesInPlace: false)
    }
  }

  /// Enqueues the job of `child`, which is held, on the main queue, where the mark of that queue cannot say which context runs: it
  /// would say so on every stack of the main thread.
  static func enqueueOnMain(_ child: Unmanaged<Promise>) {
    toMain.enqueue(QueueMark.main, child.toOpaque(), isBarrier: false) { child in
      Running.run(in: .passUnretained(ContextRef.mainBox)) {
        Promise.work(.fromOpaque(child.unsafelyUnwrapped), continuesInPlace: false)
      }
    }
  }

  /// Enqueues a worker of `relay`, which is never freed, on `queue`.
  func enqueue(_ relay: Relay, on queue: DispatchQueue) {
    enqueue(queue, Unmanaged.passUnretained(relay).toOpaque(), isBarrier: false) {
      Unmanaged<Relay>.fromOpaque($0.unsafelyUnwrapped)._withUnsafeGuaranteedRef { $0.work() }
    }
  }

  private func enqueue(
    _ queue: DispatchQueue, _ word: UnsafeMutableRawPointer, isBarrier: Bool, _ job: Job
  ) {
    #if canImport(CDispatch)
      if let handle {
        return isBarrier
          ? dispatch_barrier_async_f(handle, word, job) : dispatch_async_f(handle, word, job)
      }
    #endif
    nonisolated(unsafe) let word = word
    if isBarrier { queue.async(flags: .barrier) { job(word) } } else { queue.async { job(word) } }
  }
}
