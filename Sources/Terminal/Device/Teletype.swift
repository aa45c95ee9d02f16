import CSystem
import CTerminalGuard
import Dispatch
import Foundation

/// The terminal's device: bytes in, bytes out. Neither reading nor writing blocks.
@MainActor
final class Teletype {
  let descriptor: Int32
  // Made when first needed: Dispatch traps if a source is released that never ran.
  private lazy var input = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
  private lazy var writable = DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: .main)
  private(set) var outbox = Outbox()
  private var isAwaitingRoom = false
  /// Runs while bytes wait for room on a slow line.
  private let pace = Alarm()
  private var isSending = false

  /// The most bytes that are written before keys are read.
  private static let mostAtOnce = 1 << 16
  /// The time for which the last bytes wait for the terminal.
  private static let mostPatience = Duration.milliseconds(200)

  /// Called with the bytes that have arrived.
  var onInput: ([UInt8]) -> Void = { _ in }
  /// Called when frames or images have left.
  var onSent: (Outbox.Event) -> Void = { _ in }
  /// Called with the number of bytes that the kernel has taken.
  var onWrite: (Int) -> Void = { _ in }
  /// Called when a question has been handed to the outbox that the terminal answers at once.
  var onQuestion: () -> Void = {}
  /// Returns the number of bytes that may be written now, and the time after which there may be more.
  var room: () -> (bytes: Int, wait: Duration) = { (.max, .zero) }
  /// Called once when the terminal has gone away.
  var onHangUp: () -> Void = {}

  /// Opens the terminal of the standard output.
  /// - Parameter isOutputElsewhere: Whether the standard output may be something else. The process's terminal is opened
  ///   then.
  init(isOutputElsewhere: Bool = false) throws(TerminalError) {
    guard isatty(STDOUT_FILENO) == 1 || isOutputElsewhere else { throw .outputIsNoTerminal }
    descriptor = try Self.open()
    guard isatty(descriptor) == 1 else { throw .outputIsNoTerminal }
  }

  /// Opens the terminal's device again if that is allowed: whether calls block is a property of the open file, and the
  /// shell's stays as it was. After `su` the terminal belongs to another user, and the inherited descriptor is used.
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

  /// Whether arriving bytes are read. It may change after ``start()``.
  var isReading = true {
    didSet {
      guard isReading != oldValue else { return }
      if isReading { input.resume() } else { input.suspend() }
    }
  }

  /// Whether bytes have arrived that were not read yet.
  var hasInput: Bool {
    var arriving = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&arriving, 1, 0) > 0
  }

  /// Begins to read and to write.
  func start() {
    input.setEventHandler { [unowned self] in MainActor.assumeIsolated { read() } }
    writable.setEventHandler { [unowned self] in MainActor.assumeIsolated { sendUnsent() } }
    input.activate()
  }

  /// The size in cells; 80×24 if the kernel does not know it.
  var size: Size {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return Size(columns: 80, rows: 24)
    }
    return Size(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }

  /// A cell's size; nil if the kernel does not know the terminal's size in pixels, or if that is implausible.
  var cellSize: CellSize? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_xpixel > 0, size.ws_ypixel > 0, size.ws_col > 0,
      size.ws_row > 0
    else { return nil }
    let cell = CellSize(
      width: Int(size.ws_xpixel) / Int(size.ws_col), height: Int(size.ws_ypixel) / Int(size.ws_row))
    return cell.isPlausible ? cell : nil
  }

  /// Whether the process may change the terminal's attributes. In the background, the kernel would stop it.
  var isInForeground: Bool { tcgetpgrp(descriptor) == getpgrp() }

  /// The number by which the kernel identifies this terminal.
  var deviceNumber: Int { Int(terminal_number(descriptor)) }

  /// Returns the device's attributes.
  func attributes() throws(TerminalError) -> termios {
    var attributes = termios()
    guard tcgetattr(descriptor, &attributes) == 0 else {
      throw .systemCallFailed("tcgetattr", reason: String(cString: strerror(errno)))
    }
    return attributes
  }

  /// Changes the outbox, and writes as much of it as the terminal takes.
  @discardableResult
  func send<Result>(_ change: (inout Outbox) -> Result) -> Result {
    let result = change(&outbox)
    if !isAwaitingRoom { sendUnsent() }
    return result
  }

  /// Sends the last bytes, and waits a short time for the terminal to take them.
  func sendLast(_ bytes: [UInt8]) {
    room = { (.max, .zero) }
    outbox.send(bytes)
    sendUnsent()
    let deadline = ContinuousClock.now + Self.mostPatience
    while isAwaitingRoom, case let left = deadline - .now, left > .zero {
      var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      guard poll(&room, 1, Int32(left / .milliseconds(1))) > 0 else { return }
      sendUnsent()
    }
  }

  private func sendUnsent() {
    // The handlers that are called from here may send more.
    guard !isSending else { return }
    isSending = true
    defer { isSending = false }
    // After a stop (Ctrl-Z) another program has the terminal. The rest is not for that program's screen.
    var left = Self.mostAtOnce
    while terminal_guard_is_entered(), !outbox.isEmpty {
      // Keys are read in between, however fast the terminal takes bytes.
      guard left > 0 else { return awaitRoom(true) }
      let room = outbox.isUrgent ? (.max, .zero) : room()
      guard room.bytes > 0 else {
        pace.set(after: .microseconds(Int(room.wait / .microseconds(1)))) { [unowned self] in sendUnsent() }
        return awaitRoom(false)
      }
      let front = outbox.front(min(left, room.bytes))
      let count = front.withUnsafeBytes { terminal_guard_write($0.baseAddress, $0.count) }
      if count >= 0 {
        left -= count
        onWrite(count)
        for event in outbox.remove(count) { onSent(event) }
      } else if errno == EAGAIN {
        return awaitRoom(true)
      } else if errno != EINTR {
        outbox.removeAll()
        onHangUp()
      }
    }
    if !terminal_guard_is_entered() { outbox.removeAll() }
    awaitRoom(false)
  }

  private func awaitRoom(_ isAwaiting: Bool) {
    guard isAwaiting != isAwaitingRoom else { return }
    isAwaitingRoom = isAwaiting
    if isAwaiting { writable.resume() } else { writable.suspend() }
  }

  private func read() {
    var bytes: [UInt8] = []
    while true {
      var count = 0
      let chunk = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, read in
        count = terminal_guard_read(descriptor, buffer.baseAddress, buffer.count)
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
  /// These attributes, changed to input byte by byte and without echo. Ctrl-C, Ctrl-\ and Ctrl-Z stay signals.
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
