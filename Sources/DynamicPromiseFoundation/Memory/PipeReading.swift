// The C functions that read pipes. They receive their buffers by pointer.

#if os(macOS) || os(Linux)
  import Foundation

  /// Blocks until one of the files can be read or is at its end, and returns which ones. Negative numbers are
  /// skipped.
  func waitUntilReadable(_ files: [Int32]) -> [Bool] {
    var polled = files.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    while poll(&polled, nfds_t(polled.count), -1) < 0, errno == EINTR {}
    return polled.map { $0.revents != 0 }
  }

  /// Whether a child process has ended. It stays a zombie for Foundation, which waits for it.
  func hasEnded(_ process: Int32) -> Bool {
    var info = siginfo_t()
    let status = waitid(P_PID, id_t(process), &info, WEXITED | WNOWAIT | WNOHANG)
    return status != 0 || info.si_signo == SIGCHLD
  }

  /// Reads what a pipe contains, at most 64 KiB. `nil` at its end, or after an error.
  func readAvailable(_ file: Int32) -> Data? {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    var count = 0
    repeat { count = read(file, &bytes, bytes.count) } while count < 0 && errno == EINTR
    return count > 0 ? Data(bytes.prefix(count)) : nil
  }
#endif
