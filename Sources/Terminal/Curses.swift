import CNcurses
import Foundation

/// ncurses' screen, drawn into memory.
///
/// ncurses keeps the cells and works out the shortest way from one frame to the next; what it writes is collected
/// here, so that a frame is a value the console can send, delay or wrap as one piece. ncurses neither reads the keys
/// nor sets the terminal's modes.
@MainActor
final class Curses {
  private(set) var size: Size
  let depth: ColorDepth
  private let memory: Int32
  private let stream: UnsafeMutablePointer<FILE>
  private let screen: OpaquePointer
  private var pairs: [ColorPair: Int32] = [:]

  private struct ColorPair: Hashable {
    let foreground: Int32
    let background: Int32
  }

  init(_ kind: TerminalKind, size: Size) throws(TerminalError) {
    self.size = size
    depth = kind.depth
    guard let stream = cncurses_memory_file() else {
      throw .systemCallFailed("memfd_create", reason: String(cString: strerror(errno)))
    }
    self.stream = stream
    memory = fileno(stream)
    guard let screen = cncurses_new_screen(kind.name, stream, Int32(size.rows), Int32(size.columns)) else {
      throw .terminalTypeUnknown(kind.name)
    }
    self.screen = screen
    nonl()
    curs_set(0)
    if depth != .monochrome {
      start_color()
      use_default_colors()
    }
  }

  func resize(to size: Size) {
    self.size = size
    resizeterm(Int32(max(1, size.rows)), Int32(max(1, size.columns)))
  }

  func erase() {
    werase(cncurses_stdscr())
  }

  /// Forgets what the terminal shows: the next frame draws every cell.
  func invalidate() {
    clearok(cncurses_curscr(), true)
  }

  /// The bytes that bring the terminal from the last frame to what is drawn now.
  func frame() -> [UInt8] {
    wnoutrefresh(cncurses_stdscr())
    doupdate()
    fflush(stream)
    let count = Int(lseek(memory, 0, SEEK_END))
    defer {
      ftruncate(memory, 0)
      lseek(memory, 0, SEEK_SET)
    }
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, read in
      read = max(0, pread(memory, buffer.baseAddress, count, 0))
    }
  }

  func put(_ cluster: Cluster, column: Int, row: Int, style: Style) {
    withUnsafeTemporaryAllocation(of: wchar_t.self, capacity: cluster.scalars.count + 1) { text in
      for (index, scalar) in cluster.scalars.enumerated() { text[index] = wchar_t(bitPattern: scalar.value) }
      text[cluster.scalars.count] = 0
      _ = cncurses_put(Int32(row), Int32(column), text.baseAddress, attributes(of: style), pair(for: style))
    }
  }

  /// A capability's bytes, free of padding; empty where the terminal has none.
  static func capability(_ name: String) -> String {
    guard let value = cncurses_string_capability(name) else { return "" }
    // Padding is written as in $<5>.
    let parts = String(cString: value).split(separator: "$<", omittingEmptySubsequences: false)
    return parts.dropFirst().reduce(String(parts[0])) { $0 + $1.drop { $0 != ">" }.dropFirst() }
  }

  private func attributes(of style: Style) -> attr_t {
    var attributes: attr_t = 0
    if style.attributes.contains(.bold) { attributes |= cncurses_bold() }
    if style.attributes.contains(.dim) { attributes |= cncurses_dim() }
    if style.attributes.contains(.underline) { attributes |= cncurses_underline() }
    if style.attributes.contains(.reverse) { attributes |= cncurses_reverse() }
    return attributes
  }

  private func pair(for style: Style) -> Int32 {
    guard depth != .monochrome else { return 0 }
    let colors = ColorPair(
      foreground: style.foreground.map(depth.number) ?? -1, background: style.background.map(depth.number) ?? -1)
    if colors == ColorPair(foreground: -1, background: -1) { return 0 }
    if let pair = pairs[colors] { return pair }
    let pair = max(0, alloc_pair(colors.foreground, colors.background))
    pairs[colors] = pair
    return pair
  }
}
