import ImageWire

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The files in memory through which images reach the terminal, which deletes each file that it has read.
struct TerminalFiles {
  /// The process that writes to the files, and is in their names.
  private let decoderID: pid_t
  /// The files that the terminal may not have read yet. They are deleted when the gallery ends.
  private var files: [String] = []
  private var current: (path: String, descriptor: Int32, staysAfterEnd: Bool)?

  init(decoderID: pid_t) { self.decoderID = decoderID }

  /// Returns the path of the file of a request by its number. By the name, the terminal knows that it may delete the file.
  static func path(_ number: UInt32, decoderID: pid_t) -> String {
    "/dev/shm/tintype-tty-graphics-protocol-\(decoderID)-\(number)"
  }

  /// Makes the file of a request. Returns a descriptor that the caller closes, or nil if the request's format uses no file
  /// or there is no memory.
  mutating func open(for request: ImageRequest) -> Int32? {
    guard case .kitty(let transfer)? = request.rendition?.specification.screen.format, transfer.isLocal else {
      return nil
    }
    files.removeAll { access($0, F_OK) != 0 }
    let path = Self.path(request.number, decoderID: decoderID)
    let descriptor = openat(AT_FDCWD, path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return nil }
    // In the shell, the terminal may read the file after the program has ended.
    current = (path, dup(descriptor), request.isForCommand)
    return descriptor
  }

  /// Deletes the last file if nothing has been written to it.
  mutating func finish() {
    guard let (path, descriptor, staysAfterEnd) = current else { return }
    current = nil
    var status = stat()
    if fstat(descriptor, &status) != 0 || status.st_size == 0 {
      unlink(path)
    } else if !staysAfterEnd {
      files.append(path)
    }
    close(descriptor)
  }

  /// Deletes the files that the terminal has not read.
  mutating func end() {
    finish()
    for file in files { unlink(file) }
  }
}
