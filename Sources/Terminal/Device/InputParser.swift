/// Turns the bytes that a terminal sends into events. A pure state machine: it keeps incomplete sequences, however the
/// bytes are split, and knows neither time nor files.
///
/// It understands sequences of ECMA-48 and XTerm Control Sequences (legacy, SS3, CSI `~`, CSI u, SGR mouse, bracketed
/// paste). A malformed or unknown sequence is dropped as a whole and never becomes a key.
public struct InputParser {
  /// The continuation that the parser waits for while bytes are incomplete.
  public enum Wait: Sendable {
    /// Bytes that may follow an Escape. If none come within some tens of milliseconds, it was the key.
    case sequence
    /// The end of a sequence, of a string or of a paste. It may be broken, and must not hold back keys for ever.
    case end
  }

  private var pending: [UInt8] = []
  private var isPasting = false
  /// The number of bytes of a paste in which its end has been searched for.
  private var searched = 0

  /// Whether the pending sequence is longer than the bytes that are kept of it.
  private var isOverlong = false

  /// The longest sequence or control string (CSI, OSC, DCS, …) that is kept, in bytes. The end of a longer one is still
  /// found.
  private static let longestString = 4096

  /// Creates a parser that has received nothing.
  public init() {}

  /// The continuation that the parser waits for; nil if nothing is incomplete. Call ``flush()`` if it does not come in time.
  public var wait: Wait? {
    if isPasting { return isPasteHeld ? nil : .end }
    guard let first = pending.first else { return nil }
    return first == escape && pending.count <= 2 && !isOverlong ? .sequence : .end
  }

  /// Whether an Escape is kept, and nothing else.
  var isEscape: Bool { pending == [escape] }

  /// Whether no more is kept than the longest answer. A paste has no limit.
  var isBounded: Bool { isPasting || pending.count <= Self.longestString + 2 }

  /// Takes in bytes, and returns the events that they complete.
  public mutating func feed(_ bytes: some Sequence<UInt8>) -> [InputEvent] {
    pending.append(contentsOf: bytes)
    var events: [InputEvent] = []
    var parsed = 0
    loop: while parsed < pending.count || isPasting {
      switch isPasting ? parsePaste(from: parsed) : parse(pending[parsed...]) {
      case .event(let event, let count):
        if let event { events.append(event) }
        parsed += count
        isPasting = false
        isOverlong = false
      case .pasteBegins(let count):
        parsed += count
        isPasting = true
      case .incomplete: break loop
      }
    }
    pending.removeFirst(parsed)
    boundPending()
    return events
  }

  /// Drops the bytes of a sequence that is too long to be a key or an answer, but not the fact that it has not ended.
  private mutating func boundPending() {
    let end = pending.last == escape ? [escape] : []
    guard !isPasting, pending.count - 2 - end.count >= Self.longestString else { return }
    pending = pending[..<2] + end
    isOverlong = true
  }

  /// Ends the wait, and returns the events of the incomplete bytes. An Escape was the key, or Alt if a letter follows it. A
  /// paste is returned as far as it has come. Any other sequence is dropped.
  public mutating func flush() -> [InputEvent] {
    if isPasting { return flushPaste() }
    let waited = wait
    let bytes = pending
    pending = []
    isOverlong = false
    guard waited == .sequence else { return [] }
    guard bytes.count == 2, bytes[1] < 0x80 else { return [.key(Key(.escape))] }
    return [.key(Key(.character(Character(Unicode.Scalar(bytes[1]))), .alt))]
  }
}

private let escape: UInt8 = 0x1B
private let bell: UInt8 = 0x07
private let pasteEnd = Array("\u{1B}[201~".utf8)

extension InputParser {
  private enum Parsed {
    /// An event, or nil for bytes without one, and the number of bytes.
    case event(InputEvent?, Int)
    case pasteBegins(Int)
    case incomplete

    static func key(_ key: Key, _ count: Int) -> Parsed { .event(.key(key), count) }
  }

  private func parse(_ bytes: ArraySlice<UInt8>) -> Parsed {
    let first = bytes[bytes.startIndex]
    switch first {
    case escape: return parseEscape(bytes)
    case 0x00: return .key(Key(.character(" "), .control), 1)
    case 0x0D, 0x0A: return .key(Key(.enter), 1)
    case 0x09: return .key(Key(.tab), 1)
    case 0x08, 0x7F: return .key(Key(.backspace), 1)
    case 0x01...0x1A: return .key(.control(Character(Unicode.Scalar(first + 0x60))), 1)
    case 0x1C...0x1F: return .key(.control(Character(Unicode.Scalar(first + 0x40))), 1)
    default: return parseCharacter(bytes)
    }
  }

  private func parseCharacter(_ bytes: ArraySlice<UInt8>) -> Parsed {
    let first = bytes[bytes.startIndex]
    let length =
      switch first {
      case ..<0x80: 1
      case 0xC2...0xDF: 2
      case 0xE0...0xEF: 3
      case 0xF0...0xF4: 4
      default: 0
      }
    guard length > 0 else { return .event(nil, 1) }
    let sequence = bytes.prefix(length)
    if let stray = sequence.dropFirst().firstIndex(where: { $0 & 0xC0 != 0x80 }) {
      return .event(nil, stray - bytes.startIndex)
    }
    guard sequence.count == length else { return .incomplete }
    guard let text = String(validating: sequence, as: UTF8.self), let character = text.first else {
      return .event(nil, length)
    }
    // No key sends C1 controls in UTF-8.
    if let scalar = text.unicodeScalars.first, (0x80...0x9F).contains(scalar.value) { return .event(nil, length) }
    return .key(.character(character), length)
  }

  private func parseEscape(_ bytes: ArraySlice<UInt8>) -> Parsed {
    guard let second = bytes.dropFirst().first else { return .incomplete }
    switch second {
    case UInt8(ascii: "["): return parseControlSequence(bytes)
    case UInt8(ascii: "O"): return parseSingleShift(bytes)
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"), UInt8(ascii: "X"):
      return parseString(bytes)
    case escape: return .key(Key(.escape), 1)
    default:
      guard case .event(let event, let count) = parse(bytes.dropFirst()) else { return .incomplete }
      guard case .key(var key) = event else { return .event(nil, count + 1) }
      key.modifiers.insert(.alt)
      return .key(key, count + 1)
    }
  }

  private func parseSingleShift(_ bytes: ArraySlice<UInt8>) -> Parsed {
    guard let final = bytes.dropFirst(2).first else { return .incomplete }
    if final == UInt8(ascii: "M") { return .key(Key(.enter), 3) }
    return .event(Self.keyByFinal[final].map { .key(Key($0)) }, final == escape ? 2 : 3)
  }

  // ESC [ parameters (0x30-0x3F) intermediates (0x20-0x2F) final (0x40-0x7E)
  private func parseControlSequence(_ bytes: ArraySlice<UInt8>) -> Parsed {
    let body = bytes.dropFirst(2)
    // The Linux console sends F1 to F5 as ESC [ [ A to E.
    if body.first == UInt8(ascii: "["), !isOverlong {
      guard let letter = body.dropFirst().first else { return .incomplete }
      let number = Int(letter) - Int(UInt8(ascii: "A")) + 1
      return .event((1...5).contains(number) ? .key(Key(.function(number))) : nil, letter == escape ? 3 : 4)
    }
    guard let end = body.firstIndex(where: { !(0x20...0x3F).contains($0) }) else { return .incomplete }
    let count = end - bytes.startIndex + 1
    let final = bytes[end]
    // Any other byte ends the sequence early. An Escape there begins the next sequence.
    guard (0x40...0x7E).contains(final) else { return .event(nil, final == escape ? count - 1 : count) }
    guard !isOverlong, end - body.startIndex < Self.longestString else { return .event(nil, count) }
    if final == UInt8(ascii: "M"), body.startIndex == end {
      // In the first mouse protocol three bytes follow.
      return bytes.count >= count + 3 ? .event(nil, count + 3) : .incomplete
    }
    if final == UInt8(ascii: "~"), body[..<end].elementsEqual("200".utf8) { return .pasteBegins(count) }
    return .event(event(final: final, parameters: body[..<end]), count)
  }

  private func event(final: UInt8, parameters: ArraySlice<UInt8>) -> InputEvent? {
    // No known sequence of a key has intermediate bytes (0x20 to 0x2F), which include signs. Answers may.
    guard parameters.allSatisfy({ $0 >= 0x30 }) else {
      guard parameters.first == UInt8(ascii: "?") else { return nil }
      // DECRPM: mode ; state $ y. The state is 1 to 3 if the terminal knows the mode.
      let mode = String(decoding: parameters, as: UTF8.self).dropFirst().split(separator: ";", maxSplits: 1)
      guard mode.count == 2, final == UInt8(ascii: "y") else { return .reply(.other) }
      let isKnown = ["1", "2", "3"].contains { mode[1].hasPrefix($0) }
      switch mode[0] {
      case "2026": return .reply(.synchronizesUpdates(isKnown))
      case "5522": return .reply(.takesClipboardData(isKnown))
      default: return .reply(.other)
      }
    }
    let text = String(decoding: parameters, as: UTF8.self)
    let numbers = text.drop { "<=>?".contains($0) }.split(separator: ";", omittingEmptySubsequences: false)
      .map { Int($0.prefix { $0 != ":" }) ?? 0 }
    let modifiers = Key.Modifiers(rawValue: UInt8(clamping: max(0, (numbers.count > 1 ? numbers[1] : 1) - 1)) & 7)

    switch (text.first, final) {
    case ("<", UInt8(ascii: "M")), ("<", UInt8(ascii: "m")):
      return mouse(numbers, isRelease: final == UInt8(ascii: "m"))
    case ("?", UInt8(ascii: "c")): return .reply(.deviceAttributes(numbers))
    case (nil, UInt8(ascii: "I")): return .reply(.focus)
    case (nil, UInt8(ascii: "O")): return .reply(.other)
    // DSR: 0 is the only status that terminals report.
    case (nil, UInt8(ascii: "n")), ("0", UInt8(ascii: "n")): return .reply(.status)
    case ("?", UInt8(ascii: "S")) where numbers.count == 3 && numbers[0] == 1 && numbers[1] == 0:
      return .reply(.sixelColors(numbers[2]))
    case (_, UInt8(ascii: "t")):
      guard numbers.count == 3 else { return .reply(.other) }
      switch numbers[0] {
      case 4: return .reply(.windowPixels)
      case 6: return .reply(.cellPixels(width: numbers[2], height: numbers[1]))
      default: return .reply(.other)
      }
    case ("?", _), (">", _), ("=", _), ("<", _): return .reply(.other)
    case (_, UInt8(ascii: "~")):
      return Self.keyByNumber[numbers[0]].map { .key(Key($0, modifiers)) }
    case (_, UInt8(ascii: "Z")): return .key(Key(.tab, .shift))
    case (_, UInt8(ascii: "u")): return unicodeKey(numbers[0], modifiers).map { .key($0) }
    case (_, UInt8(ascii: "R")) where numbers.count > 1 && numbers[0] != 1: return .reply(.other)
    default: return Self.keyByFinal[final].map { .key(Key($0, modifiers)) }
    }
  }

  private func unicodeKey(_ code: Int, _ modifiers: Key.Modifiers) -> Key? {
    switch code {
    case 27: return Key(.escape, modifiers)
    case 13: return Key(.enter, modifiers)
    case 9: return Key(.tab, modifiers)
    case 127, 8: return Key(.backspace, modifiers)
    case 0x20...:
      guard let scalar = UInt32(exactly: code).flatMap(Unicode.Scalar.init), !(0x7F..<0xA0).contains(scalar.value)
      else { return nil }
      return Key(.character(Character(scalar)), modifiers.subtracting(.shift))
    default: return nil
    }
  }

  // XTerm Control Sequences, "SGR (1006)": button ; column ; row, counted from 1.
  private func mouse(_ numbers: [Int], isRelease: Bool) -> InputEvent? {
    guard numbers.count == 3, numbers[1] > 0, numbers[2] > 0 else { return nil }
    let button = numbers[0]
    let action: Mouse.Action? =
      switch button & ~0b1_1100 {
      case 0: isRelease ? .release : .press
      case 32: .drag
      case 64: .wheelUp
      case 65: .wheelDown
      default: nil
      }
    return action.map { .mouse(Mouse($0, column: numbers[1] - 1, row: numbers[2] - 1)) }
  }

  // ESC ] … up to BEL, ESC \ or a byte that ends the string early.
  private func parseString(_ bytes: ArraySlice<UInt8>) -> Parsed {
    let body = bytes.dropFirst(2)
    guard let end = body.firstIndex(where: { $0 == escape || $0 == bell || $0 == 0x18 || $0 == 0x1A }) else {
      return .incomplete
    }
    let reply = isOverlong ? .other : Self.reply(introducer: bytes[bytes.startIndex + 1], body[..<end])
    let count = end - bytes.startIndex
    guard bytes[end] == escape else { return .event(.reply(reply), count + 1) }
    guard let after = bytes[end...].dropFirst().first else { return .incomplete }
    return .event(.reply(reply), after == UInt8(ascii: "\\") ? count + 2 : count)
  }

  private static func reply(introducer: UInt8, _ body: ArraySlice<UInt8>) -> TerminalReply {
    guard body.count < longestString else { return .other }
    let text = String(decoding: body, as: UTF8.self)
    switch introducer {
    case UInt8(ascii: "]"):
      if text.hasPrefix("5522;") { return Clipboard.answer(text).map { .clipboard($0) } ?? .other }
      return text.hasPrefix("1337;ReportCellSize=") ? .itermCellSize : color(text)
    case UInt8(ascii: "P") where text.hasPrefix(">|"): return .version(String(text.dropFirst(2)))
    case UInt8(ascii: "P"): return Questions.isTruecolor(text) ? .showsTruecolor : .other
    case UInt8(ascii: "_") where text.hasPrefix("Gi="):
      let parts = text.dropFirst(3).split(separator: ";", maxSplits: 1)
      guard parts.count == 2, let id = Int(parts[0].prefix { $0 != "," }) else { return .other }
      return .kitty(id: id, isAccepted: parts[1] == "OK")
    default: return .other
    }
  }

  /// `11;rgb:RRRR/GGGG/BBBB` for the background, `4;N;rgb:…` for a color of the palette, each part of one to four
  /// hexadecimal digits (XParseColor).
  private static func color(_ text: String) -> TerminalReply {
    let fields = text.split(separator: ";", omittingEmptySubsequences: false)
    guard let value = fields.last, value.hasPrefix("rgb") else { return .other }
    let parts = value.drop { $0 != ":" }.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    let values = parts.compactMap { part -> Double? in
      // `Int` would accept a sign.
      guard (1...4).contains(part.count), part.allSatisfy(\.isHexDigit), let value = Int(part, radix: 16) else {
        return nil
      }
      return Double(value) / Double(1 << (4 * part.count) - 1)
    }
    guard values.count == parts.count, values.count >= 3 else { return .other }
    let (red, green, blue) = (values[0], values[1], values[2])
    if fields.count == 2, fields[0] == "11" { return .background(red: red, green: green, blue: blue) }
    guard fields.count == 3, fields[0] == "4", let index = Int(fields[1]), index >= 0 else { return .other }
    return .paletteColor(index, red: red, green: green, blue: blue)
  }

  /// - Parameter start: The index in the pending bytes at which the paste begins.
  private mutating func parsePaste(from start: Int) -> Parsed {
    guard let mark = pending[(start + searched)...].firstRange(of: pasteEnd) else {
      searched = max(0, pending.count - start - pasteEnd.count)
      return .incomplete
    }
    searched = 0
    let text = String(decoding: pending[start..<mark.lowerBound], as: UTF8.self)
    return .event(.paste(text), mark.upperBound - start)
  }

  /// The last bytes of a paste that may be the beginning of its end.
  private var beginningOfEnd: ArraySlice<UInt8> {
    guard let start = pending.lastIndex(of: escape), pasteEnd.starts(with: pending[start...]) else { return [] }
    return pending[start...]
  }

  /// Whether nothing is pending but the beginning of a paste's end. A single Escape is the key.
  private var isPasteHeld: Bool { pending.count != 1 && pending.count == beginningOfEnd.count }

  /// Returns a paste as far as it has come. What a slow line brings later belongs to it, and must not become keys. An
  /// Escape ends a paste whose end never comes.
  private mutating func flushPaste() -> [InputEvent] {
    let end = beginningOfEnd
    let text = String(decoding: pending.dropLast(end.count), as: UTF8.self)
    let isEscape = end.count == 1
    pending = isEscape ? [] : Array(end)
    searched = 0
    isPasting = !isEscape
    return (text.isEmpty ? [] : [.paste(text)]) + (isEscape ? [.key(Key(.escape))] : [])
  }

  private static let keyByFinal: [UInt8: Key.Code] = [
    UInt8(ascii: "A"): .up, UInt8(ascii: "B"): .down, UInt8(ascii: "C"): .right, UInt8(ascii: "D"): .left,
    UInt8(ascii: "H"): .home, UInt8(ascii: "F"): .end,
    UInt8(ascii: "P"): .function(1), UInt8(ascii: "Q"): .function(2),
    UInt8(ascii: "R"): .function(3), UInt8(ascii: "S"): .function(4),
  ]

  private static let keyByNumber: [Int: Key.Code] = [
    1: .home, 2: .insert, 3: .delete, 4: .end, 5: .pageUp, 6: .pageDown, 7: .home, 8: .end,
    11: .function(1), 12: .function(2), 13: .function(3), 14: .function(4), 15: .function(5),
    17: .function(6), 18: .function(7), 19: .function(8), 20: .function(9), 21: .function(10),
    23: .function(11), 24: .function(12),
  ]
}
