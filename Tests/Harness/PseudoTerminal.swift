import CVTerm
import Glibc

/// The two ends of a pseudo-terminal.
struct PseudoTerminal: Sendable {
  /// The emulator's end, which does not block; -1 once closed.
  private(set) var master: Int32
  /// An open descriptor of the program's end; -1 once closed.
  private(set) var slave: Int32
  /// The path of the program's end.
  let path: String
  /// The device number of the program's end, as `/proc` gives it.
  let device: Int

  /// Opens a pair of the given size, with UTF-8 input (IUTF8) as in terminal emulators.
  init(size: Size, pixelsPerCell: (Int, Int)?) throws {
    let master = try Self.check(posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC), "posix_openpt")
    self.master = master
    slave = -1
    do {
      try Self.check(grantpt(master), "grantpt")
      try Self.check(unlockpt(master), "unlockpt")
      var name = [CChar](repeating: 0, count: 128)
      let failure = ptsname_r(master, &name, name.count)
      if failure != 0 { throw HarnessError.systemCall("ptsname_r", failure) }
      path = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      let slave = try Self.check(open(path, O_RDWR | O_NOCTTY | O_CLOEXEC), "open \(path)")
      self.slave = slave
      var status = stat()
      device =
        try fstat(slave, &status) == 0 ? Int(status.st_rdev) : { throw HarnessError.systemCall("fstat", errno) }()
      var settings = termios()
      try Self.check(tcgetattr(slave, &settings), "tcgetattr")
      settings.c_iflag |= tcflag_t(IUTF8)
      try Self.check(tcsetattr(slave, TCSANOW, &settings), "tcsetattr")
      try Self.check(fcntl(master, F_SETFL, fcntl(master, F_GETFL) | O_NONBLOCK), "fcntl")
    } catch {
      Glibc.close(master)
      if slave >= 0 { Glibc.close(slave) }
      throw error
    }
    resize(to: size, pixelsPerCell: pixelsPerCell)
  }

  /// Sets the size in the kernel, which sends SIGWINCH to the foreground processes if the size has changed.
  func resize(to size: Size, pixelsPerCell: (Int, Int)?) {
    var window = winsize()
    window.ws_col = UInt16(clamping: size.columns)
    window.ws_row = UInt16(clamping: size.rows)
    if let pixelsPerCell {
      window.ws_xpixel = UInt16(clamping: size.columns * pixelsPerCell.0)
      window.ws_ypixel = UInt16(clamping: size.rows * pixelsPerCell.1)
    }
    _ = ioctl(master, UInt(TIOCSWINSZ), &window)
  }

  /// Closes both ends, and the kernel sends SIGHUP to the programs. A second call does nothing.
  mutating func close() {
    if slave >= 0 { Glibc.close(slave) }
    if master >= 0 { Glibc.close(master) }
    slave = -1
    master = -1
  }

  @discardableResult
  private static func check(_ result: Int32, _ call: String) throws -> Int32 {
    if result < 0 { throw HarnessError.systemCall(call, errno) }
    return result
  }
}

extension HarnessError {
  /// Returns the error for a system call that failed with an error number.
  static func systemCall(_ call: String, _ number: Int32) -> HarnessError {
    HarnessError(kind: .systemCall(number), description: "\(call): \(String(cString: strerror(number)))")
  }
}
