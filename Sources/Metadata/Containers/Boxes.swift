/// A box: a part of a file with the name of its type before it (ISO/IEC 14496-12, "Object structure").
struct Box<Content> {
  let type: String
  let content: Content
}

extension ImageFile {
  /// Returns the outermost boxes of the file with their places, at most `most` of them. The last one may claim more bytes
  /// than the file has.
  func boxes(atMost most: Int) -> [Box<Range<Int>>] {
    var boxes: [Box<Range<Int>>] = []
    var offset = 0
    while boxes.count < most, offset < size, let box = box(in: offset..<size) {
      boxes.append(box)
      offset = box.content.upperBound
    }
    return boxes
  }

  /// Returns the first box in a place of the file, or nil if there is none. The box may claim more bytes than the place has.
  func box(in place: Range<Int>) -> Box<Range<Int>>? {
    let start = place.lowerBound
    guard let head = BoxHead(bytes(at: start, count: min(place.count, BoxHead.longest)), rest: place.count) else {
      return nil
    }
    return Box(type: head.type, content: start + head.count..<start + head.size)
  }
}

extension ByteReader {
  /// Reads the name of a type: four characters, which are ASCII but for QuickTime's ©.
  mutating func type() -> String? {
    bytes(4).map {
      String(validating: $0, as: UTF8.self) ?? String(String.UnicodeScalarView($0.map(Unicode.Scalar.init)))
    }
  }

  /// Reads a box. Returns nil, and reads nothing, if no complete box is left.
  mutating func box() -> Box<ArraySlice<UInt8>>? {
    guard let head = BoxHead(rest, rest: rest.count), let box = bytes(head.size) else { return nil }
    return Box(type: head.type, content: box.dropFirst(head.count))
  }

  /// Reads the version and the flags with which a full box starts.
  mutating func version() -> (version: Int, flags: Int)? {
    number(4).map { ($0 >> 24, $0 & 0xFF_FFFF) }
  }
}

/// The size and the name before a box's content.
struct BoxHead {
  static let longest = 16

  let type: String
  /// The size of the head, in bytes.
  let count: Int
  /// The size of the whole box, in bytes.
  let size: Int

  /// - Parameter rest: The number of bytes that are left in the file, all of which belong to a box without a size.
  init?(_ bytes: ArraySlice<UInt8>, rest: Int) {
    var reader = ByteReader(bytes)
    guard let short = reader.number(4), let type = reader.type() else { return nil }
    self.type = type
    if short == 1 {
      guard let long = reader.number(8) else { return nil }
      count = 16
      size = long
    } else {
      count = 8
      size = short == 0 ? rest : short
    }
    // No file is larger, and sums of two such sizes don't overflow.
    guard size >= count, size <= 1 << 48 else { return nil }
  }
}
