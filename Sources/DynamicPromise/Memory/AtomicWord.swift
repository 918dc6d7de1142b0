// What is read without a lock.

#if canImport(CAtomicWord)
  internal import CAtomicWord

  // For Apple systems, where `Atomic` needs macOS 15. Type-checked only, as in `SpinLock.swift`. Never freed.
  // Every load acquires, every store releases.
  enum AtomicOrdering { case relaxed, acquiring, releasing }

  struct AtomicWord: ~Copyable, @unchecked Sendable {
    private let word = UnsafeMutablePointer<UInt>.allocate(capacity: 1)

    init(_ value: UInt) { word.initialize(to: value) }
    func load(ordering: AtomicOrdering) -> UInt { atomic_word_load(word) }
    func store(_ value: UInt, ordering: AtomicOrdering) { atomic_word_store(word, value) }
  }

  struct AtomicFlag: ~Copyable {
    private let word: AtomicWord

    init(_ value: Bool) { word = AtomicWord(value ? 1 : 0) }
    func load(ordering: AtomicOrdering) -> Bool { word.load(ordering: ordering) != 0 }
    func store(_ value: Bool, ordering: AtomicOrdering) { word.store(value ? 1 : 0, ordering: ordering) }
  }
#else
  import Synchronization

  typealias AtomicWord = Atomic<UInt>
  typealias AtomicFlag = Atomic<Bool>
#endif
