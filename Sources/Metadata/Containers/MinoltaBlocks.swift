import Gallery

/// The blocks of a Minolta MRW: each has a name, a length and data. One of them holds a TIFF structure with Exif.
struct MinoltaBlocks {
  /// The place of the TIFF structure in the file, or nil if there is none.
  private(set) var tiff: Int?
  /// The size of the image as it is stored, or zeros.
  private(set) var size = (width: 0, height: 0)

  private let file: ImageFile

  /// The most blocks that are read. Cameras write less than ten.
  private static let mostBlocks = 64

  init(_ file: ImageFile) {
    self.file = file
    var place = 8
    let end = min(file.size, 8 + file.number(at: 4, count: 4, .bigEndian))
    for _ in 0..<Self.mostBlocks where place + 8 <= end {
      let data = place + 8
      switch file.typeName(at: place) {
      case "\0TTW": tiff = tiff ?? data
      case "\0PRD":
        size.height = file.number(at: data + 12, count: 2, .bigEndian)
        size.width = file.number(at: data + 14, count: 2, .bigEndian)
      default: break
      }
      place = data + file.number(at: place + 4, count: 4, .bigEndian)
    }
  }

  /// The place and the length of the preview, which Minolta's own tags give (ExifTool's "Minolta Tags", 0x0088 and 0x0089).
  var jpeg: (offset: Int, count: Int)? {
    guard let tiff, let reader = TIFFReader(file: file, base: tiff) else { return nil }
    func field(_ tag: Int, at directory: Int?) -> TIFFReader.Field? {
      directory.flatMap { reader.fields(at: $0).fields.first { $0.tag == tag } }
    }
    let note = field(0x927C, at: field(0x8769, at: reader.start).flatMap(reader.integer))?.place
    guard let offset = field(0x88, at: note).flatMap(reader.integer),
      let count = field(0x89, at: note).flatMap(reader.integer)
    else { return nil }
    return (tiff + offset, count)
  }
}
