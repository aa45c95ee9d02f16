/// The directory of tags that a camera's maker defines (Exif 2.32, tag 0x927C).
///
/// The makers don't publish their tags. ExifTool's documentation of tag names describes what others have found out.
struct MakerNote {
  /// The makers whose notes say where the camera focused.
  enum Maker {
    case canon, fujifilm, nikon, olympus, panasonic, sony

    /// Recognizes a maker by the text of Exif's tag 0x010F.
    init?(_ make: String) {
      let names: [(String, Maker)] = [
        ("canon", .canon), ("fujifilm", .fujifilm), ("nikon", .nikon), ("olympus", .olympus),
        ("om digital", .olympus), ("panasonic", .panasonic), ("sony", .sony),
      ]
      let make = make.lowercased()
      guard let maker = names.first(where: { make.hasPrefix($0.0) })?.1 else { return nil }
      self = maker
    }
  }

  /// The camera's model, as Exif names it.
  let model: String
  private let maker: Maker
  private let fields: [TIFFReader.Field]
  /// The reader of the values.
  let reader: TIFFReader

  /// - Parameters:
  ///   - place: The offset of the note in the structure that `reader` reads.
  init?(maker: Maker, model: String, at place: Int, by reader: TIFFReader) {
    guard let (reader, directory) = Self.directory(of: maker, at: place, by: reader) else { return nil }
    self.init(maker: maker, model: model, directory: directory, by: reader)
  }

  /// - Parameters:
  ///   - directory: The offset of the note's directory in the structure that `reader` reads.
  init?(maker: Maker, model: String, directory: Int, by reader: TIFFReader) {
    (self.maker, self.model, self.reader) = (maker, model, reader)
    fields = reader.fields(at: directory).fields
    if fields.isEmpty { return nil }
  }

  /// Returns the entry with a tag, or nil if there is none.
  func field(_ tag: Int) -> TIFFReader.Field? { fields.first { $0.tag == tag } }

  /// The point that the camera focused on.
  ///
  /// - Parameter size: The size that Exif gives the image, which the points of some makers refer to.
  func focus(size: (width: Int, height: Int)) -> StoredFocus? {
    switch maker {
    case .canon: canonFocus
    case .fujifilm: fujifilmFocus(size: size)
    case .nikon: nikonFocus(size: size)
    case .olympus: olympusFocus(size: size)
    case .panasonic: panasonicFocus(size: size)
    case .sony: sonyFocus
    }
  }

  /// Returns the place of a note's directory behind the mark with which it starts, and a reader that counts offsets from
  /// where the maker counts them.
  private static func directory(
    of maker: Maker, at place: Int, by reader: TIFFReader
  ) -> (reader: TIFFReader, directory: Int)? {
    let head = reader.bytes(at: place, count: 16)
    func hasMark(_ mark: String) -> Bool { head.starts(with: mark.utf8) }
    switch maker {
    case .canon: return (reader, place)
    case .fujifilm:
      guard hasMark("FUJIFILM") else { return nil }
      let own = reader.moved(by: place, order: .littleEndian)
      return (own, own.uint32(at: 8))
    case .nikon:
      guard hasMark("Nikon\0") else { return (reader, place) }
      // Version 1 has other tags.
      guard hasMark("Nikon\0\u{2}"), let own = reader.structure(at: place + 10) else { return nil }
      return (own, own.start)
    case .olympus:
      let start = hasMark("OLYMPUS\0") ? 12 : hasMark("OM SYSTEM\0") ? 16 : 0
      guard start > 0, head.count == 16 else { return nil }
      let order = head.dropFirst(start - 4).prefix(2).elementsEqual("MM".utf8) ? ByteOrder.bigEndian : .littleEndian
      return (reader.moved(by: place, order: order), start)
    case .panasonic: return hasMark("Panasonic\0") ? (reader, place + 12) : nil
    case .sony: return (reader, hasMark("SONY DSC ") || hasMark("SONY CAM ") ? place + 12 : place)
    }
  }
}

extension MakerNote {
  /// Returns the place of a note that Adobe's DNG Converter has moved, and a reader that counts offsets as in the file from
  /// which the note was moved. Returns nil if there is no note.
  ///
  /// - Parameter field: The field 0xC634 (DNG 1.6, `DNGPrivateData`). After its mark follow parts with a name of four
  ///   characters and a length. The part "MakN" starts with the order of the bytes and with the note's former place.
  static func moved(_ field: TIFFReader.Field, by reader: TIFFReader) -> (place: Int, reader: TIFFReader)? {
    guard reader.bytes(at: field.place, count: 6).elementsEqual("Adobe\0".utf8) else { return nil }
    var place = field.place + 6
    // The part comes first, or behind a few others.
    for _ in 0..<8 {
      let head = reader.bytes(at: place, count: 14)
      guard head.count == 14 else { return nil }
      guard head.starts(with: "MakN".utf8) else {
        place += 8 + head[4..<8].number(.bigEndian)
        continue
      }
      let former = head[10..<14].number(.bigEndian)
      let order = head[8..<10].elementsEqual("MM".utf8) ? ByteOrder.bigEndian : .littleEndian
      return (former, reader.moved(by: place + 14 - former, order: order))
    }
    return nil
  }
}
