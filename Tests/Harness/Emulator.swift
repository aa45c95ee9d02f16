import CVTerm

/// A terminal emulator on libvterm. It is not safe to use from two threads at the same time.
final class Emulator {
  private(set) var size: Size
  private let terminal: OpaquePointer
  private let screenLayer: OpaquePointer
  private let callbacks: UnsafeMutablePointer<VTermScreenCallbacks>
  private let widths = WidthTable()
  private var filter = ControlSequenceFilter()
  private var unfinished: [UInt8] = []
  private var answers: [UInt8] = []
  private var title = ""
  private var isCursorVisible = true
  private var isAlternateScreen = false
  private var mouseMode = 0

  init(size: Size) {
    self.size = size
    terminal = vterm_new(Int32(size.rows), Int32(size.columns))
    screenLayer = vterm_obtain_screen(terminal)
    callbacks = .allocate(capacity: 1)
    callbacks.initialize(to: VTermScreenCallbacks())
    callbacks.pointee.settermprop = { property, value, user in
      guard let value, let user else { return 0 }
      Unmanaged<Emulator>.fromOpaque(user).takeUnretainedValue().set(property, to: value)
      return 1
    }
    // The pointer is unretained, because `deinit` frees the terminal that uses it.
    let user = Unmanaged.passUnretained(self).toOpaque()
    vterm_set_utf8(terminal, 1)
    vterm_output_set_callback(
      terminal,
      { bytes, count, user in
        guard let bytes, let user else { return }
        let emulator = Unmanaged<Emulator>.fromOpaque(user).takeUnretainedValue()
        emulator.answers += UnsafeRawBufferPointer(start: bytes, count: count)
      }, user)
    vterm_screen_set_callbacks(screenLayer, callbacks, user)
    vterm_screen_enable_altscreen(screenLayer, 1)
    vterm_screen_reset(screenLayer, 1)
  }

  deinit {
    vterm_free(terminal)
    callbacks.deinitialize(count: 1)
    callbacks.deallocate()
  }

  /// The private modes that the program has set or reset.
  var modes: [Int: Bool] { filter.modes }

  /// Feeds output of the program to the terminal, and returns the terminal's answers.
  func feed(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    // libvterm 0.1 loses a character whose bytes arrive in two pieces.
    let pending = unfinished + filter.filter(bytes)
    let whole = pending.dropLast(pending.unfinishedCharacter)
    unfinished = Array(pending[whole.endIndex...])
    whole.withUnsafeBytes { buffer in
      _ = vterm_input_write(terminal, buffer.bindMemory(to: CChar.self).baseAddress, buffer.count)
    }
    return takeAnswers()
  }

  /// Feeds output to the terminal, drops the answers, and returns the cursor.
  func write(_ bytes: [UInt8]) -> Screen.Cursor {
    _ = feed(bytes)
    return cursor
  }

  /// Changes the size.
  func resize(to size: Size) {
    self.size = size
    vterm_set_size(terminal, Int32(size.rows), Int32(size.columns))
  }

  /// Returns the bytes that a key sends in the current modes.
  func bytes(of key: Key, modifiers: KeyModifiers) -> [UInt8] {
    let held = VTermModifier(UInt32(modifiers.rawValue))
    switch key {
    case .ctrl(let character):
      guard let code = character.asciiValue else { return [] }
      return [character == "?" ? 0x7F : code & 0x1F]
    case .alt(let character): return [0x1B] + Array(String(character).utf8)
    case .escape where modifiers.isEmpty: return [0x1B]
    case .backTab: vterm_keyboard_key(terminal, VTERM_KEY_TAB, VTERM_MOD_SHIFT)
    default: vterm_keyboard_key(terminal, key.code, held)
    }
    return takeAnswers()
  }

  /// Returns the bytes that pasting `text` sends, between the brackets of mode 2004 if the program has set it.
  func bytes(ofPaste text: String) -> [UInt8] {
    vterm_keyboard_start_paste(terminal)
    answers += Array(text.utf8)
    vterm_keyboard_end_paste(terminal)
    return takeAnswers()
  }

  /// Returns the cells and modes that the terminal shows.
  func screen() -> Screen {
    let reader = RowReader(screen: screenLayer, columns: size.columns, widths: widths)
    return Screen(
      size: size, cells: (0..<size.rows).map(reader.cells),
      cursor: cursor, isAlternateScreen: isAlternateScreen, mouseMode: mouseMode, title: title, modes: modes)
  }

  private var cursor: Screen.Cursor {
    var position = VTermPos()
    vterm_state_get_cursorpos(vterm_obtain_state(terminal), &position)
    return Screen.Cursor(row: Int(position.row), column: Int(position.col), visible: isCursorVisible)
  }

  private func takeAnswers() -> [UInt8] {
    defer { answers = [] }
    return answers
  }

  private func set(_ property: VTermProp, to value: UnsafePointer<VTermValue>) {
    switch property {
    case VTERM_PROP_CURSORVISIBLE: isCursorVisible = cvterm_value_boolean(value) != 0
    case VTERM_PROP_ALTSCREEN: isAlternateScreen = cvterm_value_boolean(value) != 0
    case VTERM_PROP_MOUSE: mouseMode = Int(cvterm_value_number(value))
    case VTERM_PROP_TITLE: title = cvterm_value_string(value).map { String(cString: $0) } ?? ""
    default: break
    }
  }
}

extension Key {
  fileprivate var code: VTermKey {
    switch self {
    case .up: VTERM_KEY_UP
    case .down: VTERM_KEY_DOWN
    case .left: VTERM_KEY_LEFT
    case .right: VTERM_KEY_RIGHT
    case .home: VTERM_KEY_HOME
    case .end: VTERM_KEY_END
    case .pageUp: VTERM_KEY_PAGEUP
    case .pageDown: VTERM_KEY_PAGEDOWN
    case .insert: VTERM_KEY_INS
    case .delete: VTERM_KEY_DEL
    case .backspace: VTERM_KEY_BACKSPACE
    case .enter: VTERM_KEY_ENTER
    case .tab, .backTab: VTERM_KEY_TAB
    case .escape: VTERM_KEY_ESCAPE
    case .function(let number): cvterm_function_key(Int32(number))
    case .ctrl, .alt: VTERM_KEY_NONE
    }
  }
}

extension [UInt8] {
  /// The number of bytes at the end that belong to an incomplete UTF-8 character.
  fileprivate var unfinishedCharacter: Int {
    for (index, byte) in suffix(3).reversed().enumerated() where byte & 0xC0 != 0x80 {
      let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
      return length > index + 1 ? index + 1 : 0
    }
    return 0
  }
}
