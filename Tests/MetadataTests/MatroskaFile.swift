/// Writes elements of Matroska for the tests (RFC 8794, RFC 9559).
struct MatroskaFile: Sendable {
  var info: [UInt8] = []
  /// Elements of the track of images.
  var track: [UInt8] = []
  /// Elements of its settings.
  var settings: [UInt8] = []
  var tags: [UInt8] = []
  var isLive = false
  var areTagsLast = true

  static func element(_ id: Int, _ content: [UInt8]) -> [UInt8] {
    let idCount =
      (4..<8).contains((id.bitWidth - id.leadingZeroBitCount) / 8 + 3)
      ? (id.bitWidth - id.leadingZeroBitCount + 7) / 8 : 1
    return VideoFile.number(id, idCount) + VideoFile.number(1 << 28 | content.count, 4) + content
  }

  static func real(_ id: Int, _ value: Double) -> [UInt8] {
    element(id, VideoFile.number(Int(Int64(bitPattern: value.bitPattern)), 8))
  }

  static func number(_ id: Int, _ value: Int) -> [UInt8] { element(id, VideoFile.number(value, 8)) }

  static func text(_ id: Int, _ text: String) -> [UInt8] { element(id, Array(text.utf8)) }

  static func tag(_ name: String, _ value: String, track: Int = 0) -> [UInt8] {
    let target = track == 0 ? [] : element(0x63C0, number(0x63C5, track))
    return element(0x7373, target + element(0x67C8, text(0x45A3, name) + text(0x4487, value)))
  }

  var bytes: [UInt8] {
    let head = Self.element(0x1A45_DFA3, Self.text(0x4282, "webm"))
    let entry = Self.element(0xAE, Self.number(0x83, 1) + track + Self.element(0xE0, settings))
    let body = Self.element(0x1549_A966, info) + Self.element(0x1654_AE6B, entry)
    let tagList = tags.isEmpty ? [] : Self.element(0x1254_C367, tags)
    let cluster = Self.element(0x1F43_B675, [0xA3, 0x82, 1, 2])
    func seek(_ place: Int) -> [UInt8] {
      Self.element(0x114D_9B74, Self.element(0x4DBB, Self.number(0x53AB, 0x1254_C367) + Self.number(0x53AC, place)))
    }
    let start = seek(0).count + body.count + cluster.count
    let content = areTagsLast ? seek(start) + body + cluster + tagList : body + tagList + cluster
    if isLive { return head + VideoFile.number(0x1853_8067, 4) + [0x01] + [UInt8](repeating: 0xFF, count: 7) + content }
    return head + Self.element(0x1853_8067, content)
  }
}
