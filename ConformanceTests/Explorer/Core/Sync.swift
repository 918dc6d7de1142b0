// Takes the place of the core's `Machine/Sync.swift`: the same names, but every operation first asks the scheduler.

import Scheduler

/// One machine word that is both the state of an object and the lock of its fields.
struct LockedWord: ~Copyable {
  fileprivate let cell: Cell

  init(_ bits: UInt) {
    cell = Cell(bits)
    Scheduler.keep(cell)
  }

  deinit { cell.isGone = true }

  func peek() -> UInt {
    Scheduler.point("peek", cell)
    return cell.bits & ~1
  }

  func peekUnlocked() -> UInt? {
    Scheduler.point("peek", cell)
    return cell.bits & 1 == 0 ? cell.bits : nil
  }

  func tryLock() -> UInt? {
    Scheduler.point("try lock", cell)
    guard cell.bits & 1 == 0 else { return nil }
    Scheduler.take(cell)
    return cell.bits & ~1
  }

  func lock() -> UInt {
    Scheduler.point("lock", cell)
    Scheduler.take(cell)
    return cell.bits & ~1
  }

  func unlock(_ bits: UInt) {
    let cell = cell
    Scheduler.finePoint("unlock", cell)
    cell.bits = bits
    // What follows an unlock, mostly releases, is another step: somebody may come in between.
    Scheduler.point("unlocked", cell)
  }
}

/// Which object something belongs to, without holding it.
struct Owner: ~Copyable {
  private let cell = Cell(0)

  func set(_ object: AnyObject?) {
    Scheduler.finePoint("own", cell)
    cell.bits = object.map { UInt(bitPattern: Unmanaged.passUnretained($0).toOpaque()) } ?? 0
  }

  func isOwner(_ object: AnyObject) -> Bool {
    Scheduler.finePoint("owns", cell)
    return cell.bits == UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
  }
}

/// A flag that one of several threads wins.
struct Once: ~Copyable {
  private let cell = Cell(0)

  func claim() -> Bool {
    Scheduler.point("claim", cell)
    defer { cell.bits = 1 }
    return cell.bits == 0
  }

  var isClaimed: Bool {
    Scheduler.point("isClaimed", cell)
    return cell.bits != 0
  }
}

/// Something held by hand, which one of several threads takes.
struct Parcel: ~Copyable {
  private let cell: Cell

  init(_ promise: Unmanaged<Promise>) { cell = Cell(UInt(bitPattern: promise.toOpaque())) }

  func take() -> Unmanaged<Promise>? {
    Scheduler.point("take", cell)
    defer { cell.bits = 0 }
    return UnsafeRawPointer(bitPattern: cell.bits).map { .fromOpaque($0) }
  }
}

/// How often a thread looks again for something that is likely to come soon.
enum Spinning {
  static let rounds = 1
}

extension Promise: Watchable {
  package var cell: Cell { word.cell }
}
