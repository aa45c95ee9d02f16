import Gallery

/// What Exif says (Exif 2.32, CIPA DC-008; TIFF 6.0).
struct ExifFacts {
  var facts = PhotoFacts()
  /// As it is kept apart: what others say of these counts first.
  var caption: String?
  var rating: Int?
  /// 1 to 8.
  var orientation = 1
  /// Packets of the other kinds, which TIFF keeps in its first directory.
  var xmp: ArraySlice<UInt8> = []
  var iptc: ArraySlice<UInt8> = []

  private var (make, model): (String?, String?)
  private var (taken, digitized): (String?, String?)
  private var (takenOffset, digitizedOffset): (String?, String?)
  private var fraction: String?
  private var (latitude, longitude, altitude): (Double?, Double?, Double?)
  private var (isSouth, isWest, isBelowSea) = (false, false, false)

  /// - Parameters:
  ///   - bases: Where TIFF structures start; of each the first directory is read.
  ///   - placeBase: Where one starts that has the tags of the place there.
  init(_ file: PictureFile, at bases: [Int], placeAt placeBase: Int? = nil) {
    for reader in bases.compactMap({ TIFFReader(file: file, base: $0) }) {
      for field in reader.fields(at: reader.start).fields { readPicture(field, by: reader) }
    }
    if let reader = placeBase.flatMap({ TIFFReader(file: file, base: $0) }) {
      for field in reader.fields(at: reader.start).fields { readPlace(field, by: reader) }
    }
    finish()
  }

  private mutating func readPicture(_ field: TIFFReader.Field, by reader: TIFFReader) {
    switch field.tag {
    case 0x010E: caption = reader.text(of: field)
    case 0x010F: make = reader.text(of: field)
    case 0x0110: model = reader.text(of: field)
    case 0x0112: orientation = reader.integer(of: field).flatMap { (1...8).contains($0) ? $0 : nil } ?? 1
    case 0x02BC: xmp = reader.bytes(of: field)
    case 0x4746: rating = reader.integer(of: field).flatMap { (0...5).contains($0) ? $0 : nil }
    case 0x83BB: iptc = reader.bytes(of: field)
    case 0x8769, 0x8825:
      guard let offset = reader.integer(of: field) else { return }
      for inner in reader.fields(at: offset).fields {
        if field.tag == 0x8825 { readPlace(inner, by: reader) } else { readExposure(inner, by: reader) }
      }
    default: readExposure(field, by: reader)
    }
  }

  private mutating func readExposure(_ field: TIFFReader.Field, by reader: TIFFReader) {
    func positive() -> Double? { reader.value(of: field).flatMap { $0 > 0 && $0.isFinite ? $0 : nil } }
    switch field.tag {
    case 0x829A: facts.exposureTime = positive()
    case 0x829D: facts.fNumber = positive()
    // 65535 stands for more than it can hold, which is in one of the tags behind it then.
    case 0x8827: facts.iso = reader.integer(of: field).flatMap { (1..<65_535).contains($0) ? $0 : nil }
    case 0x8831, 0x8832, 0x8833: facts.iso = facts.iso ?? reader.integer(of: field).flatMap { $0 > 0 ? $0 : nil }
    case 0x9003: taken = reader.text(of: field)
    case 0x9004: digitized = reader.text(of: field)
    case 0x9011: takenOffset = reader.text(of: field)
    case 0x9012: digitizedOffset = reader.text(of: field)
    case 0x9291: fraction = reader.text(of: field)
    case 0x920A: facts.focalLength = positive()
    case 0xA434: facts.lens = reader.text(of: field)
    default: break
    }
  }

  private mutating func readPlace(_ field: TIFFReader.Field, by reader: TIFFReader) {
    switch field.tag {
    case 1: isSouth = reader.text(of: field)?.uppercased() == "S"
    case 2: latitude = degrees(field, by: reader)
    case 3: isWest = reader.text(of: field)?.uppercased() == "W"
    case 4: longitude = degrees(field, by: reader)
    case 5: isBelowSea = reader.integer(of: field) == 1
    case 6: altitude = reader.value(of: field)
    default: break
    }
  }

  /// From degrees, minutes and seconds, of which the last may be left out.
  private func degrees(_ field: TIFFReader.Field, by reader: TIFFReader) -> Double? {
    guard let degrees = reader.value(of: field) else { return nil }
    let (minutes, seconds) = (reader.value(of: field, at: 1) ?? 0, reader.value(of: field, at: 2) ?? 0)
    return degrees + minutes / 60 + seconds / 3600
  }

  private mutating func finish() {
    facts.camera = MetadataText.camera(make: make, model: model)
    let text = taken.map { time in fraction.map { "\(time).\($0)" } ?? time }
    facts.takenAt =
      text.flatMap { CaptureTime($0, offset: takenOffset) }
      ?? digitized.flatMap { CaptureTime($0, offset: digitizedOffset) }
    facts.place = PhotoFacts.Place(
      latitude: latitude.map { isSouth ? -$0 : $0 }, longitude: longitude.map { isWest ? -$0 : $0 },
      altitude: altitude.map { isBelowSea ? -$0 : $0 })
  }
}

extension PhotoFacts.Place {
  /// Nil where that is nowhere on earth.
  init?(latitude: Double?, longitude: Double?, altitude: Double?) {
    guard let latitude, let longitude, (-90...90).contains(latitude), (-180...180).contains(longitude) else {
      return nil
    }
    self.init(latitude: latitude, longitude: longitude, altitude: altitude)
  }
}
