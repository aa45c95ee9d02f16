/// The directory of tags that a camera's maker defines (Exif 2.32, tag 0x927C).
///
/// The makers don't publish their tags. ExifTool's documentation of tag names describes what others have found out.
struct MakerNote {
  /// The place of a note in a file.
  struct Place {
    /// The offset in the structure that ``reader`` reads.
    let offset: Int
    /// The length in bytes.
    let count: Int
    let reader: TIFFReader
  }

  /// The makers whose notes are read.
  enum Maker {
    case apple, canon, fujifilm, nikon, olympus, panasonic, pentax, sony

    /// Recognizes a maker by the text of Exif's tag 0x010F.
    init?(_ make: String) {
      let names: [(String, Maker)] = [
        ("apple", .apple), ("canon", .canon), ("fujifilm", .fujifilm), ("nikon", .nikon), ("olympus", .olympus),
        ("om digital", .olympus), ("panasonic", .panasonic), ("pentax", .pentax), ("ricoh imaging", .pentax),
        ("sony", .sony),
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

  /// Returns nil if there is no note of this maker at the place.
  init?(maker: Maker, model: String, at place: Place) {
    guard let (reader, directory) = Self.directory(of: maker, at: place) else { return nil }
    self.init(maker: maker, model: model, directory: directory, by: reader)
  }

  /// - Parameter directory: The offset of the note's directory in the structure that `reader` reads.
  init?(maker: Maker, model: String, directory: Int, by reader: TIFFReader) {
    self.maker = maker
    self.model = model
    self.reader = reader
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
    case .apple, .pentax: nil
    }
  }

  /// The series that the photo belongs to, as the camera describes it.
  var series: Series {
    switch maker {
    case .apple: appleSeries
    case .canon: canonSeries
    case .fujifilm: fujifilmSeries
    case .nikon: nikonSeries
    case .olympus: olympusSeries
    case .panasonic: panasonicSeries
    case .pentax: pentaxSeries
    case .sony: sonySeries
    }
  }

  /// Returns the place of a note's directory behind the mark with which it starts, and a reader that counts offsets from
  /// where the maker counts them.
  private static func directory(
    of maker: Maker, at note: Place
  ) -> (reader: TIFFReader, directory: Int)? {
    let (place, reader) = (note.offset, note.reader)
    let head = reader.bytes(at: place, count: 16)
    func hasMark(_ mark: String) -> Bool { head.starts(with: mark.utf8) }
    func order(at index: Int) -> ByteOrder? {
      switch String(decoding: head.dropFirst(index).prefix(2), as: UTF8.self) {
      case "MM": .bigEndian
      case "II": .littleEndian
      default: nil
      }
    }
    switch maker {
    case .apple:
      guard hasMark("Apple iOS\0") else { return nil }
      return (reader.moved(by: place, order: order(at: 12)), 14)
    case .canon:
      // The note ends with the head of a structure whose offset is the note's place before a program moved it. The program
      // may have changed the order of the bytes around the note.
      guard note.count > 8, let end = reader.structure(at: place + note.count - 8), end.start > 0 else {
        return (reader, place)
      }
      return (reader.moved(by: place - end.start, order: end.order), end.start)
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
      if hasMark("OLYMP\0") { return (reader, place + 8) }
      let start = hasMark("OLYMPUS\0") ? 12 : hasMark("OM SYSTEM\0") ? 16 : 0
      guard start > 0, head.count == 16 else { return nil }
      return (reader.moved(by: place, order: order(at: start - 4) ?? .littleEndian), start)
    case .panasonic: return hasMark("Panasonic\0") ? (reader, place + 12) : nil
    case .pentax:
      // Offsets count from different places. Only values within the entries are read.
      let start = hasMark("PENTAX \0") ? 10 : hasMark("RICOH\0") ? 8 : hasMark("AOC\0") ? 6 : 0
      guard start > 0 else { return nil }
      return (reader.moved(by: place, order: order(at: start - 2)), start)
    case .sony: return (reader, hasMark("SONY DSC ") || hasMark("SONY CAM ") ? place + 12 : place)
    }
  }
}

extension MakerNote.Place {
  /// Finds a note that Adobe's DNG Converter has moved. Its offsets count as in the file from which it was moved.
  ///
  /// - Parameter field: The field 0xC634 (DNG 1.6, `DNGPrivateData`). After its mark follow parts with a name of four
  ///   characters and a length. The part "MakN" starts with the order of the bytes and with the note's former place.
  init?(moved field: TIFFReader.Field, by reader: TIFFReader) {
    guard reader.bytes(at: field.place, count: 6).elementsEqual("Adobe\0".utf8) else { return nil }
    var place = field.place + 6
    // The part comes first, or behind a few others.
    for _ in 0..<8 {
      let head = reader.bytes(at: place, count: 14)
      guard head.count == 14 else { return nil }
      let length = head[4..<8].number(.bigEndian)
      guard head.starts(with: "MakN".utf8) else {
        place += 8 + length
        continue
      }
      offset = head[10..<14].number(.bigEndian)
      count = length - 6
      let order = head[8..<10].elementsEqual("MM".utf8) ? ByteOrder.bigEndian : .littleEndian
      self.reader = reader.moved(by: place + 14 - offset, order: order)
      return
    }
    return nil
  }
}
