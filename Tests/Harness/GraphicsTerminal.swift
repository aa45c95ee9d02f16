import Foundation

/// The parts of a terminal that libvterm lacks: images, and answers to the questions about them.
public struct GraphicsTerminal: Sendable {
  /// A terminal, by the format of the images that it shows.
  public enum Kind: String, CaseIterable, Sendable {
    case kitty
    /// A kitty that knows no placeholders, so that all images lie over the cells.
    case oldKitty
    case sixel, iterm, symbols

    var isKitty: Bool { self == .kitty || self == .oldKitty }
  }

  /// The images that arrived completely, in this order.
  public private(set) var images: [SentImage] = []
  /// The images that the terminal has stored, by their ids (kitty).
  public private(set) var stored: [UInt32: SentImage] = [:]
  /// The stored images that lie over the cells (kitty).
  public private(set) var placements = Placements()
  /// The data that the clipboard has of each MIME type (kitty, "Copying all data types to the clipboard").
  public private(set) var clipboard: [String: [UInt8]] = [:]
  /// The number of images that ended before they were complete.
  public private(set) var cutCount = 0
  /// Sequences that a terminal would not understand, or that were cut in a way that leaves text on the screen.
  public private(set) var faults: [String] = []

  private let kind: Kind
  /// The image that is arriving in pieces (kitty).
  private var arriving: SentImage?
  /// The data that is arriving for the clipboard; nil if none is.
  private var arrivingData: [String: [UInt8]]?
  /// The beginning of a sequence whose end has not arrived, and the number of its bytes that have been searched.
  private var pending: [UInt8] = []
  private var searched = 0

  /// Whether a frame is held back until it is complete.
  private var isHolding = false

  private static let escape: UInt8 = 0x1B

  /// Creates a terminal of a kind.
  public init(_ kind: Kind) { self.kind = kind }

  /// The number of bytes of the image whose end has not arrived; 0 if there is none.
  public var arrivingByteCount: Int {
    let isImage = Self.imageBeginnings.contains { pending.starts(with: $0) }
    return (arriving?.byteCount ?? 0) + (isImage ? pending.count : 0)
  }

  private static let imageBeginnings = ["\u{1B}_G", "\u{1B}P0;0;0q", "\u{1B}]1337;File="].map { Array($0.utf8) }

  /// Takes in output of a program.
  /// - Parameter write: Takes the output without images and questions, for libvterm, and returns the cursor after it.
  /// - Returns: The answers to the questions.
  mutating func receive(_ bytes: [UInt8], write: (_ text: [UInt8]) -> Screen.Cursor) -> [UInt8] {
    var (text, answers): ([UInt8], [UInt8]) = ([], [])
    func cursor() -> Screen.Cursor {
      defer { text = [] }
      return write(text)
    }
    pending += bytes
    while !pending.isEmpty {
      guard let start = pending.firstIndex(of: Self.escape) else {
        text += pending
        pending = []
        break
      }
      text += pending[..<start]
      pending.removeFirst(start)
      guard let end = endOfSequence() else { break }
      let sequence = Array(pending[..<end])
      pending.removeFirst(end)
      searched = 0
      noteHeldCommand(sequence)
      if let answer = answer(to: sequence) ?? answer(toData: sequence) {
        answers += answer
      } else if !takeImage(sequence, at: cursor) {
        text += sequence
        if Self.clearing.contains(sequence) { placements.removeAll() }
      }
    }
    _ = cursor()
    return answers
  }

  /// Takes note of a command about images in a frame that is held back. kitty before 0.33 loses it if its bytes arrive in two parts.
  private mutating func noteHeldCommand(_ sequence: [UInt8]) {
    if sequence == Self.holding { isHolding = true }
    if sequence == Self.showing { isHolding = false }
    guard kind == .oldKitty, isHolding, sequence.starts(with: Self.imageBeginnings[0]) else { return }
    faults.append("held back: \(String(decoding: sequence.prefix(40), as: UTF8.self).debugDescription)")
  }

  private static let (holding, showing) = (Array("\u{1B}[?2026h".utf8), Array("\u{1B}[?2026l".utf8))

  /// The sequences that clear the screen, or show the other one.
  private static let clearing = Set(
    ["[2J", "[3J", "[?47h", "[?47l", "[?1047h", "[?1047l", "[?1049h", "[?1049l", "c"].map { Array("\u{1B}\($0)".utf8) })

  /// Returns the length of the sequence at the beginning of the pending bytes, or nil if its end has not arrived.
  private mutating func endOfSequence() -> Int? {
    guard pending.count > 1 else { return nil }
    switch pending[1] {
    case UInt8(ascii: "["):
      return pending.dropFirst(2).firstIndex { !(0x20...0x3F).contains($0) }.map { $0 + 1 }
    case UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "]"):
      let isSystemCommand = pending[1] == UInt8(ascii: "]")
      var index = max(2, searched)
      while index < pending.count {
        if pending[index] == 0x07, isSystemCommand { return index + 1 }
        if pending[index] == Self.escape {
          guard index + 1 < pending.count else { break }
          if pending[index + 1] == UInt8(ascii: "\\") { return index + 2 }
          faults.append("cut: \(String(decoding: pending[..<index].prefix(40), as: UTF8.self).debugDescription)")
          return index
        }
        index += 1
      }
      searched = index
      return nil
    default: return 2
    }
  }

  // MARK: Questions

  private func answer(to question: [UInt8]) -> [UInt8]? {
    guard question.count < 200 else { return nil }
    let question = String(decoding: question, as: UTF8.self)
    if question.hasPrefix("\u{1B}_Gi=31,"), kind.isKitty { return Array("\u{1B}_Gi=31;OK\u{1B}\\".utf8) }
    // The terminal does not read this machine's files.
    if question.hasPrefix("\u{1B}_Gi=3") { return kind.isKitty ? Array("\u{1B}_Gi=32;ENOENT:\u{1B}\\".utf8) : [] }
    let answer: String? =
      switch question {
      case "\u{1B}]11;?\u{1B}\\": "\u{1B}]11;rgb:1010/1010/1010\u{1B}\\"
      case "\u{1B}[>0q", "\u{1B}[>q": "\u{1B}P>|\(name)\u{1B}\\"
      case "\u{1B}[>c": "\u{1B}[>1;4000;41c"
      case "\u{1B}[?1;1;0S": kind == .sixel ? "\u{1B}[?1;0;256S" : ""
      case "\u{1B}[16t": "\u{1B}[6;\(Placements.cell.height);\(Placements.cell.width)t"
      case "\u{1B}]1337;ReportCellSize\u{07}": kind == .iterm ? "\u{1B}]1337;ReportCellSize=20.0;10.0;1.0\u{07}" : ""
      case "\u{1B}[?2026$p": "\u{1B}[?2026;2$y"
      // kitty has the mode since 0.45.
      case "\u{1B}[?5522$p": "\u{1B}[?5522;0$y"
      case "\u{1B}[5n": "\u{1B}[0n"
      case "\u{1B}[14t": "\u{1B}[4;\(Placements.cell.height * 24);\(Placements.cell.width * 80)t"
      case "\u{1B}[c": kind == .sixel ? "\u{1B}[?62;4;22c" : "\u{1B}[?62;22c"
      default: nil
      }
    return answer.map { Array($0.utf8) }
  }

  private var name: String {
    switch kind {
    case .kitty: "kitty(0.41.1)"
    case .oldKitty: "kitty(0.26.5)"
    case .sixel: "foot(1.16.2)"
    case .iterm: "iTerm2 3.5.0"
    case .symbols: "XTerm(390)"
    }
  }

  // MARK: The clipboard

  /// Takes in a sequence of a transfer to the clipboard, and returns the answer; nil if it is none.
  private mutating func answer(toData sequence: [UInt8]) -> [UInt8]? {
    guard kind.isKitty, sequence.starts(with: Array("\u{1B}]5522;".utf8)) else { return nil }
    let text = String(decoding: sequence[7..<(sequence.count - 2)], as: UTF8.self)
    let fields = text.prefix { $0 != ";" }.split(separator: ":")
    let payload = Data(base64Encoded: String(text.drop { $0 != ";" }.dropFirst()))
    guard let type = fields.first(where: { $0.hasPrefix("mime=") })?.dropFirst(5) else {
      if fields == ["type=write"] { arrivingData = [:] }
      guard fields == ["type=wdata"], let data = arrivingData else { return [] }
      clipboard = data
      arrivingData = nil
      return Array("\u{1B}]5522;type=write:status=DONE\u{1B}\\".utf8)
    }
    guard let name = Data(base64Encoded: String(type)), let payload, payload.count <= 4096, arrivingData != nil else {
      faults.append("\(text.prefix(60))")
      return []
    }
    arrivingData?[String(decoding: name, as: UTF8.self), default: []] += payload
    return []
  }

  // MARK: Images

  /// Takes in an image, a part of one, or a command about images.
  /// - Returns: Whether the sequence was one of these.
  private mutating func takeImage(_ sequence: [UInt8], at cursor: () -> Screen.Cursor) -> Bool {
    if sequence.starts(with: Self.imageBeginnings[0]) {
      takeKitty(sequence, at: cursor)
    } else if sequence.starts(with: Self.imageBeginnings[1]) {
      take(SentImage(encoding: .sixel, data: Array(sequence[8..<(sequence.count - 2)]), byteCount: sequence.count))
    } else if sequence.starts(with: Self.imageBeginnings[2]) {
      let data = sequence.firstIndex(of: UInt8(ascii: ":")).map { Data(sequence[($0 + 1)...].dropLast()) } ?? Data()
      let jpeg = Data(base64Encoded: data) ?? Data()
      take(SentImage(encoding: .jpeg, data: [UInt8](jpeg), byteCount: sequence.count))
    } else {
      return false
    }
    return true
  }

  private mutating func take(_ image: SentImage) {
    var image = image
    image.decode()
    guard image.pixels != nil else {
      cutCount += 1
      return
    }
    images.append(image)
    if image.id > 0 {
      stored[image.id] = image
      placements.remove(image.id)
    }
  }

  /// Takes in a command of kitty's protocol (kitty, "Terminal graphics protocol").
  private mutating func takeKitty(_ sequence: [UInt8], at cursor: () -> Screen.Cursor) {
    let end = sequence.firstIndex(of: UInt8(ascii: ";")) ?? sequence.count - 2
    let text = String(decoding: sequence[3..<max(3, end)], as: UTF8.self)
    let pairs = text.split(separator: ",").map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
    let keys = Dictionary(pairs.filter { $0.count == 2 }.map { ($0[0], $0[1]) }) { $1 }
    let isPiece = keys["a"] == nil && keys["m"] != nil
    // The program ends an image that may be in transmission.
    if isPiece, arriving == nil, keys["m"] == "0", end == sequence.count - 3 { return }
    if (arriving != nil) != isPiece { faults.append("\(text) \(arriving == nil ? "without" : "in") an image") }
    if let action = keys["a"], !["t", "T"].contains(action) { return command(action, keys, at: cursor) }
    if !isPiece {
      if keys["f"] != "100" { faults.append("\(text) is no PNG") }
      arriving = SentImage(id: keys["i"].flatMap(UInt32.init) ?? 0, encoding: .png)
    }
    let payload = Data(sequence[min(end + 1, sequence.count - 2)..<(sequence.count - 2)])
    arriving?.data += [UInt8](Data(base64Encoded: payload) ?? Data())
    arriving?.byteCount += sequence.count
    guard keys["m"] != "1", let image = arriving else { return }
    arriving = nil
    take(image)
  }

  private mutating func command(_ action: String, _ keys: [String: String], at cursor: () -> Screen.Cursor) {
    let id = keys["i"].flatMap(UInt32.init) ?? 0
    switch action {
    case "p": if let pixels = stored[id]?.pixels { placements.place(id, of: pixels, at: cursor(), keys) }
    case "d": delete(keys["d"] ?? "a", id, keys)
    default: break
    }
  }

  /// Deletes placements. With a capital letter the images are released too.
  private mutating func delete(_ what: String, _ id: UInt32, _ keys: [String: String]) {
    switch what {
    case "i", "I": placements.remove(id, number: keys["p"].flatMap(UInt32.init) ?? 0)
    case "a", "A": placements.removeAll()
    case "z", "Z": placements.remove(layer: keys["z"].flatMap { Int($0) } ?? 0)
    case "r", "R":
      let (first, last) = (keys["x"].flatMap(UInt32.init) ?? 0, keys["y"].flatMap(UInt32.init) ?? 0)
      placements.remove(from: first, to: last)
      if what == "R" { stored = stored.filter { $0.key < first || $0.key > last } }
    default: break
    }
    if what == "I" { stored[id] = nil }
    if what == "A" { stored = [:] }
  }
}
