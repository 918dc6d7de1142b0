// A word that is read without a lock, and never freed. It orders no other memory.

#if canImport(CAtomicWord)
  internal import CAtomicWord

  /// For Apple systems, where `Atomic` needs macOS 15. Type-checked only, as in `SpinLock.swift`.
  struct AtomicWord: ~Copyable, @unchecked Sendable {
    private let word = UnsafeMutablePointer<UInt>.allocate(capacity: 1)

    init(_ value: UInt) { word.initialize(to: value) }

    func load() -> UInt { atomic_word_load(word) }
    func store(_ value: UInt) { atomic_word_store(word, value) }
  }
#else
  import Synchronization

  typealias AtomicWord = Atomic<UInt>

  extension AtomicWord {
    @inline(__always) func load() -> UInt { load(ordering: .relaxed) }
    @inline(__always) func store(_ value: UInt) { store(value, ordering: .relaxed) }
  }
#endif

extension AtomicWord {
  /// Whether the word is odd, which is one instruction. Flags are 0 or 1.
  @inline(__always) var isSet: Bool { load() & 1 == 1 }
}
