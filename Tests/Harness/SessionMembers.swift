import CVTerm
import Glibc

/// Functions for the living processes of a session, which are found in `/proc`.
public enum SessionMembers {
  /// Returns the processes of the session of `leader`; with `device`, only those on that terminal.
  public static func find(leader: pid_t, device: Int? = nil) -> [pid_t] {
    guard let directory = opendir("/proc") else { return [] }
    defer { closedir(directory) }
    var members: [pid_t] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard let identifier = pid_t(name), let fields = statistics(of: identifier), fields.count > 4 else { continue }
      // The fields after the name are state, parent, group, session and terminal.
      guard fields[0] != "Z", fields[0] != "X", fields[3] == "\(leader)" else { continue }
      if let device, fields[4] != "\(device)" { continue }
      members.append(identifier)
    }
    return members.sorted()
  }

  /// Kills processes and waits until they have ended, for each at most `timeout` milliseconds.
  static func end(_ processes: [pid_t], timeout: Int32 = 5000) {
    let descriptors = processes.map(cvterm_pidfd_open)
    for process in processes { _ = kill(process, SIGKILL) }
    for descriptor in descriptors where descriptor >= 0 {
      var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      while poll(&request, 1, timeout) < 0, errno == EINTR {}
      close(descriptor)
    }
  }

  private static func statistics(of identifier: pid_t) -> [Substring]? {
    let file = open("/proc/\(identifier)/stat", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var buffer = [UInt8](repeating: 0, count: 1024)
    let count = read(file, &buffer, buffer.count)
    guard count > 0, let end = buffer[..<count].lastIndex(of: UInt8(ascii: ")")) else { return nil }
    return String(decoding: buffer[(end + 1)..<count], as: UTF8.self).split { $0 == " " || $0 == "\n" }
  }
}
