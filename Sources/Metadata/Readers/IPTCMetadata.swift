import Gallery

/// The metadata of IPTC's Information Interchange Model 4.2, as Photoshop embeds it.
struct IPTCMetadata {
  private(set) var metadata = PhotoMetadata()
  /// The texts of the data sets of record 2 that have texts, by their numbers.
  private(set) var texts: [Int: [String]] = [:]

  private static let mostKeywords = 1000

  /// - Parameter bytes: Data sets, one after another.
  init(_ bytes: ArraySlice<UInt8>) {
    var rest = bytes
    var (date, time): (String?, String?)
    // A data set is a mark, the numbers of its record and of itself, a length of two bytes, and the data. The longer lengths
    // that the model allows are not in use.
    while let mark = rest.firstIndex(of: 0x1C) {
      var reader = ByteReader(rest[(mark + 1)...])
      guard let record = reader.number(1), let dataSet = reader.number(1), let count = reader.number(2),
        let data = reader.bytes(count)
      else { break }
      rest = reader.rest
      if record == 2, texts[dataSet, default: []].count < Self.mostKeywords, let text = MetadataText.decode(data) {
        texts[dataSet, default: []].append(text)
      }
      switch (record, dataSet) {
      case (2, 25):
        if metadata.keywords.count < Self.mostKeywords {
          metadata.keywords += [MetadataText.decode(data)].compactMap(\.self)
        }
      case (2, 55): date = MetadataText.decode(data)
      case (2, 60): time = MetadataText.decode(data)
      case (2, 120): metadata.caption = MetadataText.decode(data)
      default: break
      }
    }
    for text in IPTCText.all {
      text.set(text.dataSet.flatMap { texts[$0] }.flatMap(text.text), of: &metadata)
    }
    metadata.takenAt = date.flatMap { CaptureTime(iptcDate: $0, time: time) }
  }

  /// - Parameter resources: Photoshop's image resources, of which number 0x0404 is IPTC's (Adobe Photoshop File Formats
  ///   Specification, "Image Resource Blocks").
  init(photoshop resources: ArraySlice<UInt8>) {
    var reader = ByteReader(resources)
    while reader.rest.starts(with: Array("8BIM".utf8)) {
      reader.skip(4)
      guard let id = reader.number(2), let nameLength = reader.number(1) else { break }
      // A name and the byte of its length together have an even length. So do the data.
      reader.skip((nameLength + 2) / 2 * 2 - 1)
      guard let count = reader.number(4) else { break }
      if id == 0x0404 {
        self.init(reader.rest.prefix(count))
        return
      }
      reader.skip((count + 1) / 2 * 2)
    }
    self.init([])
  }
}
