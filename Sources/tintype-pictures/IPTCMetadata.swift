import Gallery

/// What IPTC's Information Interchange Model 4.2 says, as Photoshop embeds it.
struct IPTCMetadata {
  var metadata = PhotoMetadata()

  /// No more keywords are kept.
  private static let mostKeywords = 1000

  /// - Parameter bytes: Data sets, one after another.
  init(_ bytes: ArraySlice<UInt8>) {
    var rest = bytes
    var (date, time): (String?, String?)
    // 0x1C, the record, the data set, a length of two bytes, the data. Longer ones no program writes.
    while let start = rest.firstIndex(of: 0x1C), rest.endIndex - start >= 5 {
      let head = Array(rest[start..<start + 5])
      let count = Int(head[3]) << 8 | Int(head[4])
      guard rest.endIndex - start - 5 >= count else { break }
      let data = rest[(start + 5)..<(start + 5 + count)]
      switch (head[1], head[2]) {
      case (2, 5): metadata.title = MetadataText.decode(data)
      case (2, 25):
        if metadata.keywords.count < Self.mostKeywords {
          metadata.keywords += [MetadataText.decode(data)].compactMap(\.self)
        }
      case (2, 55): date = MetadataText.decode(data)
      case (2, 60): time = MetadataText.decode(data)
      case (2, 120): metadata.caption = MetadataText.decode(data)
      default: break
      }
      rest = rest[(start + 5 + count)...]
    }
    metadata.takenAt = date.flatMap { CaptureTime(iptcDate: $0, time: time) }
  }

  /// - Parameter resources: Photoshop's image resources, of which number 0x0404 is IPTC's (Adobe Photoshop File Formats
  ///   Specification, "Image Resource Blocks").
  init(photoshop resources: ArraySlice<UInt8>) {
    var rest = resources
    func number(_ count: Int) -> Int { rest.prefix(count).reduce(0) { $0 << 8 | Int($1) } }
    while rest.starts(with: Array("8BIM".utf8)), rest.count >= 12 {
      rest.removeFirst(4)
      let id = number(2)
      rest.removeFirst(2)
      // A name with its length before it, both together of an even length; so are the data.
      let name = number(1)
      rest = rest.dropFirst((name + 2) / 2 * 2)
      let count = number(4)
      rest = rest.dropFirst(4)
      if id == 0x0404 {
        self.init(rest.prefix(count))
        return
      }
      rest = rest.dropFirst((count + 1) / 2 * 2)
    }
    self.init([])
  }
}
