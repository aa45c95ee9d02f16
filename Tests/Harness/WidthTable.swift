import CVTerm

/// The widths that libvterm gives characters, measured on a separate emulator with one row.
final class WidthTable {
  private let terminal: OpaquePointer
  private var wide: [UInt32: Bool] = [:]

  init() {
    terminal = vterm_new(1, 8)
    vterm_set_utf8(terminal, 1)
    vterm_state_reset(vterm_obtain_state(terminal), 1)
  }

  deinit { vterm_free(terminal) }

  /// Whether the character takes two columns.
  func isWide(_ scalar: UInt32) -> Bool {
    // No character before the Hangul letters is wide.
    if scalar < 0x1100 { return false }
    if let known = wide[scalar] { return known }
    let text = "\r" + String(Character(Unicode.Scalar(scalar) ?? " "))
    var position = VTermPos()
    var bytes = Array(text.utf8).map(CChar.init(bitPattern:))
    _ = vterm_input_write(terminal, &bytes, bytes.count)
    vterm_state_get_cursorpos(vterm_obtain_state(terminal), &position)
    wide[scalar] = position.col == 2
    return position.col == 2
  }
}
