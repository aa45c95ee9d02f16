import CTerminalGuard
import Dispatch
import Foundation

/// The terminal's device: bytes in, bytes out, neither ever waited for.
@MainActor
final class Teletype {
  let descriptor: Int32
  // Made when first needed: Dispatch traps where a source is let go that never ran.
  private lazy var input = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
  private lazy var room = DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: .main)
  private var unsent: ArraySlice<UInt8> = []
  private var isAwaitingRoom = false

  /// Called with what has arrived.
  var onInput: ([UInt8]) -> Void = { _ in }
  /// Called when all that was sent has left.
  var onDrained: () -> Void = {}
  /// Called once when the terminal has gone away.
  var onHangUp: () -> Void = {}

  init() throws(TerminalError) {
    guard isatty(STDOUT_FILENO) == 1 else { throw .outputIsNoTerminal }
    descriptor = try Self.open()
  }

  /// The terminal, opened anew where that is allowed: not to wait is a property of the opening, and the shell's stays
  /// as it was. After `su` the terminal belongs to somebody else, and is used as it was handed down.
  private static func open() throws(TerminalError) -> Int32 {
    let flags = O_RDWR | O_NOCTTY | O_CLOEXEC
    for path in [ttyname(STDOUT_FILENO).map { String(cString: $0) }, "/dev/tty"].compactMap(\.self) {
      let descriptor = Foundation.open(path, flags)
      if descriptor >= 0 { return descriptor }
    }
    let descriptor = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
    guard descriptor >= 0 else {
      throw .systemCallFailed("open", reason: String(cString: strerror(errno)))
    }
    return descriptor
  }

  func start() {
    input.setEventHandler { [unowned self] in MainActor.assumeIsolated { read() } }
    room.setEventHandler { [unowned self] in MainActor.assumeIsolated { send() } }
    input.activate()
  }

  /// The size in cells; 80×24 where the terminal does not know.
  var size: Size {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return Size(columns: 80, rows: 24)
    }
    return Size(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }

  /// A cell's size, where the kernel knows the terminal's in pixels and that makes sense.
  var cellSize: CellSize? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_xpixel > 0, size.ws_ypixel > 0, size.ws_col > 0,
      size.ws_row > 0
    else { return nil }
    let cell = CellSize(
      width: Int(size.ws_xpixel) / Int(size.ws_col), height: Int(size.ws_ypixel) / Int(size.ws_row))
    return cell.isPlausible ? cell : nil
  }

  func attributes() throws(TerminalError) -> termios {
    var attributes = termios()
    guard tcgetattr(descriptor, &attributes) == 0 else {
      throw .systemCallFailed("tcgetattr", reason: String(cString: strerror(errno)))
    }
    return attributes
  }

  var isDrained: Bool { unsent.isEmpty }

  func send(_ bytes: [UInt8]) {
    unsent += bytes
    if !isAwaitingRoom { send() }
  }

  /// Drops what has not been sent yet.
  func discardUnsent() {
    unsent = []
  }

  private func send() {
    // After a stop (Ctrl-Z) what is left is no longer for whoever has the terminal then.
    while !unsent.isEmpty, terminal_guard_is_entered() {
      let count = unsent.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        unsent.removeFirst(count)
      } else if errno == EAGAIN {
        return awaitRoom(true)
      } else if errno != EINTR {
        unsent = []
        onHangUp()
      }
    }
    unsent = []
    if isAwaitingRoom {
      awaitRoom(false)
      onDrained()
    }
  }

  private func awaitRoom(_ isAwaiting: Bool) {
    guard isAwaiting != isAwaitingRoom else { return }
    isAwaitingRoom = isAwaiting
    if isAwaiting { room.resume() } else { room.suspend() }
  }

  private func read() {
    var bytes: [UInt8] = []
    while true {
      var count = 0
      let chunk = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, read in
        count = Foundation.read(descriptor, buffer.baseAddress, buffer.count)
        read = max(0, count)
      }
      if count > 0 {
        bytes += chunk
        if count < 4096 { break }
      } else if count < 0, errno == EAGAIN {
        break
      } else if count == 0 || errno != EINTR {
        input.cancel()
        return onHangUp()
      }
    }
    if !bytes.isEmpty { onInput(bytes) }
  }
}

extension termios {
  /// Byte by byte and without echo; Ctrl-C, Ctrl-\ and Ctrl-Z stay signals.
  var raw: termios {
    var raw = self
    raw.c_iflag &= ~tcflag_t(IXON | ICRNL | INLCR | IGNCR | ISTRIP)
    raw.c_oflag &= ~tcflag_t(OPOST)
    raw.c_lflag &= ~tcflag_t(ECHO | ECHONL | ICANON | IEXTEN)
    raw.c_lflag |= tcflag_t(ISIG)
    withUnsafeMutableBytes(of: &raw.c_cc) { characters in
      characters[Int(VMIN)] = 1
      characters[Int(VTIME)] = 0
    }
    return raw
  }
}
