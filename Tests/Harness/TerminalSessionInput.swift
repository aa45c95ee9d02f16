extension TerminalSession {
  /// A button of the mouse, by its number in SGR reports.
  public enum MouseButton: Int, Sendable {
    case left, middle, right
  }

  /// A direction of the mouse wheel, by its number in SGR reports.
  public enum ScrollDirection: Int, Sendable {
    case up = 64
    case down = 65
  }

  /// Types the bytes of `text` as they are.
  public func type(_ text: String) { type(Array(text.utf8)) }

  /// Types bytes as they are. Bytes that the terminal can't take yet follow as soon as it can.
  public func type(_ bytes: [UInt8]) { core.monitor.withLock { core.send(bytes) } }

  /// Sends a text as the terminal's answer after `delay`, as over a slow line.
  public func answer(_ text: String, after delay: Duration) {
    core.monitor.withLock { core.send(Array(text.utf8), after: delay) }
  }

  /// Presses a key, in the encoding of xterm for the modes that the program has set.
  public func press(_ key: Key, modifiers: KeyModifiers = []) {
    core.monitor.withLock { core.press(key, modifiers: modifiers) }
  }

  /// Pastes text, between brackets if the program has set mode 2004.
  public func paste(_ text: String) { core.monitor.withLock { core.paste(text) } }

  /// Presses and releases a button over a cell, counted from 0, whether or not the program asked for the mouse.
  public func click(column: Int, row: Int, button: MouseButton = .left) {
    type(report(button.rawValue, column, row) + "M" + report(button.rawValue, column, row) + "m")
  }

  /// Moves the mouse from one cell to another with a button held, as a press, one motion and a release.
  public func drag(from start: (column: Int, row: Int), to end: (column: Int, row: Int), button: MouseButton = .left) {
    let code = button.rawValue
    type(
      report(code, start.column, start.row) + "M" + report(code + 32, end.column, end.row) + "M"
        + report(code, end.column, end.row) + "m")
  }

  /// Turns the wheel by one notch over a cell, counted from 0.
  public func scroll(_ direction: ScrollDirection, column: Int, row: Int) {
    type(report(direction.rawValue, column, row) + "M")
  }

  private func report(_ code: Int, _ column: Int, _ row: Int) -> String {
    "\u{1B}[<\(code);\(column + 1);\(row + 1)"
  }
}
