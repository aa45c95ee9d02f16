import CNcurses

/// The terminal's modes that the program sets and resets (XTerm Control Sequences; DEC private modes).
@MainActor
enum Modes {
  /// Clicks and the wheel (1000), moves with a button held (1002), coordinates as numbers instead of bytes (1006), and
  /// bracketed pastes (2004).
  private static let wanted = [1000, 1002, 1006, 2004]
  /// Reports of the focus, by which a multiplexer may tell that it shows the program again.
  private static let focus = 1004

  /// The beginning of a synchronized update. Until its end the terminal shows nothing new, so no frame is seen half drawn.
  static let beginUpdate = Array("\u{1B}[?2026h".utf8)
  /// The end of a synchronized update.
  static let endUpdate = Array("\u{1B}[?2026l".utf8)

  /// Returns the bytes that set the modes.
  /// - Parameters:
  ///   - isAlternateScreenSet: Whether the alternate screen is already set. ncurses sets it once itself.
  ///   - reportsFocus: Whether the terminal is to report the focus.
  static func enter(isAlternateScreenSet: Bool, isSimple: Bool, reportsFocus: Bool) -> [UInt8] {
    let screen = isAlternateScreenSet ? "" : capability("smcup") + capability("civis")
    let modes = (wanted + (reportsFocus ? [focus] : [])).map { "\u{1B}[?\($0)h" }.joined()
    return Array((isSimple ? screen : screen + modes).utf8)
  }

  /// Returns the bytes that reset the modes, even in the middle of a sequence (ESC \ ends every one).
  /// - Parameter deletion: The command that deletes the images of the screen.
  static func leave(isSimple: Bool, deletion: [UInt8]) -> [UInt8] {
    // If there is no other screen to return to, the shell gets an empty one.
    let screen = capability("rmcup")
    let modes = "\u{1B}[?2026l" + (wanted + [focus]).reversed().map { "\u{1B}[?\($0)l" }.joined()
    let rest =
      capability("sgr0") + capability("op") + (screen.isEmpty ? capability("clear") : screen)
      + capability("cnorm")
    return (isSimple ? [] : Array("\u{1B}\\".utf8) + deletion + Array(modes.utf8)) + Array(rest.utf8)
  }

  /// Returns a capability's bytes without padding; none if the terminal lacks the capability.
  private static func capability(_ name: String) -> String {
    guard let value = cncurses_string_capability(name) else { return "" }
    // Padding looks like $<5>.
    let parts = String(cString: value).split(separator: "$<", omittingEmptySubsequences: false)
    return parts.dropFirst().reduce(String(parts[0])) { $0 + $1.drop { $0 != ">" }.dropFirst() }
  }
}
