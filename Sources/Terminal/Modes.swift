/// The terminal's modes that the program sets and takes back (XTerm Control Sequences; DEC private modes).
@MainActor
enum Modes {
  /// Clicks and the wheel (1000), numbers instead of bytes for the cells (1006), pastes in brackets (2004).
  private static let wanted = [1000, 1006, 2004]

  /// Between these the terminal shows nothing new, so that no frame is ever seen half drawn (synchronized output).
  static let beginUpdate = Array("\u{1B}[?2026h".utf8)
  static let endUpdate = Array("\u{1B}[?2026l".utf8)

  /// - Parameter isAlternateScreenSet: Whether ncurses has changed to the alternate screen itself, as it does once.
  static func enter(isAlternateScreenSet: Bool, isSimple: Bool) -> String {
    let screen = isAlternateScreenSet ? "" : Curses.capability("smcup") + Curses.capability("civis")
    return isSimple ? screen : screen + wanted.map { "\u{1B}[?\($0)h" }.joined()
  }

  /// Undoes all of it, whatever sequence was cut off in the middle (ESC \ ends every one).
  /// - Parameter deletion: What deletes the images of the screen.
  static func leave(isSimple: Bool, deletion: [UInt8]) -> [UInt8] {
    // Where there is no other screen to return to, the shell gets an empty one.
    let screen = Curses.capability("rmcup")
    let modes = "\u{1B}[?2026l" + wanted.reversed().map { "\u{1B}[?\($0)l" }.joined()
    let rest =
      Curses.capability("sgr0") + Curses.capability("op") + (screen.isEmpty ? Curses.capability("clear") : screen)
      + Curses.capability("cnorm")
    return (isSimple ? [] : Array("\u{1B}\\".utf8) + deletion + Array(modes.utf8)) + Array(rest.utf8)
  }
}
