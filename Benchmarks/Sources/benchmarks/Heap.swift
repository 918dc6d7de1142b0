import CHeap

/// The process's memory.
enum Heap {
  static var bytesInUse: Int { Int(heap_bytes_in_use()) }
  static var peakKiB: Int { Int(peak_resident_kib()) }
}
