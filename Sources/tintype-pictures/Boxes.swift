/// A part of a file with its kind's name before it (ISO/IEC 14496-12, "Object structure").
struct Box<Content> {
  let type: String
  let content: Content
}

extension ImageFile {
  /// The boxes of the file, each with its place, at most so many; the last may claim more than the file has.
  func boxes(atMost most: Int) -> [Box<Range<Int>>] {
    var boxes: [Box<Range<Int>>] = []
    var offset = 0
    while boxes.count < most, let head = BoxHead(bytes(at: offset, count: BoxHead.longest), rest: size - offset) {
      boxes.append(Box(type: head.type, content: offset + head.count..<offset + head.size))
      guard head.size < size - offset else { break }
      offset += head.size
    }
    return boxes
  }
}

/// Takes numbers and boxes from bytes in memory, as far as there are any.
struct BoxReader {
  private(set) var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  /// A number of so many bytes, the highest first.
  mutating func number(_ count: Int) -> Int? {
    guard rest.count >= count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count).reduce(0) { $0 << 8 | Int($1) }
  }

  mutating func type() -> String? {
    guard rest.count >= 4 else { return nil }
    defer { rest = rest.dropFirst(4) }
    return String(decoding: rest.prefix(4), as: UTF8.self)
  }

  /// A text that ends with a zero byte.
  mutating func text() -> String? {
    guard let end = rest.firstIndex(of: 0) else { return nil }
    defer { rest = rest[(end + 1)...] }
    return String(decoding: rest[..<end], as: UTF8.self)
  }

  mutating func skip(_ count: Int) { rest = rest.dropFirst(count) }

  /// The next box; nil where none is whole.
  mutating func box() -> Box<ArraySlice<UInt8>>? {
    guard let head = BoxHead(rest, rest: rest.count), head.size <= rest.count else { return nil }
    defer { rest = rest.dropFirst(head.size) }
    return Box(type: head.type, content: rest.prefix(head.size).dropFirst(head.count))
  }

  /// The version and the flags that a full box starts with.
  mutating func version() -> (version: Int, flags: Int)? {
    number(4).map { ($0 >> 24, $0 & 0xFF_FFFF) }
  }
}

private struct BoxHead {
  static let longest = 16

  let type: String
  /// In bytes: the head's, and that of the whole box.
  let count: Int
  let size: Int

  /// - Parameter rest: How many bytes there are, which a box of no size takes all.
  init?(_ bytes: ArraySlice<UInt8>, rest: Int) {
    var reader = BoxReader(bytes)
    guard let short = reader.number(4), let type = reader.type() else { return nil }
    self.type = type
    if short == 1 {
      guard let long = reader.number(8) else { return nil }
      (count, size) = (16, long)
    } else {
      (count, size) = (8, short == 0 ? rest : short)
    }
    // Of what is larger than any file, nothing can be added to.
    guard size >= count, size <= 1 << 48 else { return nil }
  }
}
