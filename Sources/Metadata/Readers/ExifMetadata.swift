import Gallery

/// The metadata of Exif (Exif 2.32, CIPA DC-008; TIFF 6.0). A tag whose value has another type than Exif defines is ignored.
struct ExifMetadata {
  private(set) var metadata = PhotoMetadata()
  /// The caption, which is not part of `metadata` since XMP and IPTC come before it.
  private(set) var caption: String?
  /// The creator and the copyright notice, which are not part of `metadata` either. Many cameras are set up to write them.
  private(set) var (creator, copyright): (String?, String?)
  /// The rating, which is not part of `metadata` since XMP comes before it.
  private(set) var rating: Int?
  /// The orientation, from 1 to 8.
  private(set) var orientation = 1
  /// The XMP packet in the first directory, or nothing.
  private(set) var xmp: ArraySlice<UInt8> = []
  /// The IPTC data sets in the first directory, or nothing.
  private(set) var iptc: ArraySlice<UInt8> = []
  /// The readers of the structures with the image's and Exif's own tags.
  private(set) var readers: [TIFFReader] = []
  /// The reader of the structure that has only the tags of GPS; nil if they are not apart from the others.
  private(set) var placeReader: TIFFReader?
  /// The point that the camera focused on, which is not part of `metadata` since it depends on the image's orientation.
  private(set) var focus: StoredFocus?

  private var (make, model): (String?, String?)
  private var (taken, digitized): (String?, String?)
  private var (takenOffset, digitizedOffset): (String?, String?)
  private var fraction: String?
  private var (latitude, longitude, altitude): (Double?, Double?, Double?)
  private var (isSouth, isWest): (Bool?, Bool?)
  private var isBelowSea = false
  private var size = (width: 0, height: 0)
  /// The numbers of the subject's area.
  private var subject: [Int] = []
  private var note: MakerNote.Place?
  /// Whether the camera changed the exposure from shot to shot by itself.
  private var isExposureBracket = false

  /// - Parameters:
  ///   - bases: The places of TIFF structures. The first directory of each is read.
  ///   - placeBase: The place of a TIFF structure whose first directory has the tags of GPS.
  ///   - noteBase: The place of a TIFF structure whose first directory has the tags of the camera's maker.
  init(_ file: any ByteSource, at bases: [Int], placeAt placeBase: Int? = nil, noteAt noteBase: Int? = nil) {
    readers = bases.compactMap { TIFFReader(file: file, base: $0) }
    for reader in readers {
      for field in reader.fields(at: reader.start).fields { readImage(field, by: reader) }
    }
    placeReader = placeBase.flatMap { TIFFReader(file: file, base: $0) }
    if let reader = placeReader {
      for field in reader.fields(at: reader.start).fields { readPlace(field, by: reader) }
    }
    finish()
    let note = makerNote(noteBase.flatMap { TIFFReader(file: file, base: $0) })
    focus = note?.focus(size: size) ?? subjectCenter
    setSeries(note?.series)
  }

  private mutating func readImage(_ field: TIFFReader.Field, by reader: TIFFReader) {
    switch field.tag {
    case 0x010E: caption = reader.text(of: field)
    case 0x010F: make = reader.text(of: field)
    case 0x0110: model = reader.text(of: field)
    case 0x013B: creator = reader.text(of: field)
    case 0x8298: copyright = reader.text(of: field)
    // Panasonic's raw files have the sensitivity here. In other files, the tag means something else.
    case 0x0017 where reader.isPanasonic: metadata.iso = reader.integer(of: field).flatMap { $0 > 0 ? $0 : nil }
    case 0x0112: orientation = reader.integer(of: field).flatMap { (1...8).contains($0) ? $0 : nil } ?? 1
    case 0x02BC: xmp = reader.bytes(of: field)
    case 0x4746: rating = reader.integer(of: field).flatMap { (0...5).contains($0) ? $0 : nil }
    case 0x83BB: iptc = reader.bytes(of: field)
    case 0xC634: note = note ?? MakerNote.Place(moved: field, by: reader)
    case 0x8769, 0x8825:
      guard let offset = reader.integer(of: field) else { return }
      for inner in reader.fields(at: offset).fields {
        if field.tag == 0x8825 { readPlace(inner, by: reader) } else { readExposure(inner, by: reader) }
      }
    default: readExposure(field, by: reader)
    }
  }

  private mutating func readExposure(_ field: TIFFReader.Field, by reader: TIFFReader) {
    func positive() -> Double? { reader.real(of: field).flatMap { $0 > 0 && $0.isFinite ? $0 : nil } }
    switch field.tag {
    case 0x829A: metadata.exposureTime = positive()
    case 0x829D: metadata.fNumber = positive()
    // A value of 65535 means that the tag cannot hold the sensitivity. One of the tags behind it has it then.
    case 0x8827: metadata.iso = reader.integer(of: field).flatMap { (1..<65_535).contains($0) ? $0 : nil }
    case 0x8831, 0x8832, 0x8833: metadata.iso = metadata.iso ?? reader.integer(of: field).flatMap { $0 > 0 ? $0 : nil }
    case 0x9003: taken = reader.text(of: field)
    case 0x9004: digitized = reader.text(of: field)
    case 0x9011: takenOffset = reader.text(of: field)
    case 0x9012: digitizedOffset = reader.text(of: field)
    case 0x9291: fraction = reader.text(of: field)
    case 0x920A: metadata.focalLength = positive()
    case 0x9204:
      metadata.exposureBias = reader.real(of: field).flatMap { PhotoMetadata.exposureBiases.contains($0) ? $0 : nil }
    case 0x9214: subject = reader.words(of: field)
    // The note is read last, when the maker is known and the values before it have been read.
    case 0x927C where field.count > 4: note = MakerNote.Place(offset: field.place, count: field.count, reader: reader)
    case 0xA002: size.width = reader.integer(of: field) ?? 0
    case 0xA003: size.height = reader.integer(of: field) ?? 0
    case 0xA402: isExposureBracket = reader.integer(of: field) == 2
    case 0xA434: metadata.lens = reader.text(of: field)
    default: break
    }
  }

  private mutating func readPlace(_ field: TIFFReader.Field, by reader: TIFFReader) {
    switch field.tag {
    case 1: isSouth = isReverse(field, "N", "S", by: reader)
    case 2: latitude = degrees(field, by: reader)
    case 3: isWest = isReverse(field, "E", "W", by: reader)
    case 4: longitude = degrees(field, by: reader)
    case 5: isBelowSea = reader.integer(of: field) == 1
    case 6: altitude = reader.real(of: field)
    default: break
    }
  }

  /// Whether a reference names the half of the earth where degrees count down; nil if it names neither half.
  private func isReverse(
    _ field: TIFFReader.Field, _ positive: String, _ negative: String, by reader: TIFFReader
  ) -> Bool? {
    let name = reader.text(of: field)?.uppercased()
    return name == negative ? true : name == positive ? false : nil
  }

  /// Returns the sum of degrees, minutes, and seconds. The last ones may be missing.
  private func degrees(_ field: TIFFReader.Field, by reader: TIFFReader) -> Double? {
    guard let degrees = reader.real(of: field) else { return nil }
    let (minutes, seconds) = (reader.real(of: field, at: 1) ?? 0, reader.real(of: field, at: 2) ?? 0)
    guard degrees >= 0, (0...60).contains(minutes), (0...60).contains(seconds) else { return nil }
    return degrees + minutes / 60 + seconds / 3600
  }

  /// Returns the maker's own tags.
  ///
  /// - Parameter separate: The reader of a structure whose first directory has these tags, or nil if they are in a note.
  private func makerNote(_ separate: TIFFReader?) -> MakerNote? {
    guard let maker = make.flatMap(MakerNote.Maker.init) else { return nil }
    if let separate {
      return MakerNote(maker: maker, model: model ?? "", directory: separate.start, by: separate)
    }
    return note.flatMap { MakerNote(maker: maker, model: model ?? "", at: $0) }
  }

  /// Sets the series. Exif knows exposure brackets alone. A maker whose note does not name the bracket says only that the
  /// shutter did not pause.
  private mutating func setSeries(_ noted: MakerNote.Series?) {
    let isUnnamed = noted?.kind == nil || noted?.kind == .burst
    metadata.series = isExposureBracket && isUnnamed ? .exposureBracket : noted?.kind
    metadata.seriesNumber = metadata.series == nil ? nil : noted?.number.flatMap { $0 > 0 ? $0 : nil }
  }

  /// The center of the main subject, which is a point, a circle, or a rectangle (Exif 2.32, `SubjectArea`).
  private var subjectCenter: StoredFocus? {
    guard (2...4).contains(subject.count) else { return nil }
    return StoredFocus(x: subject[0], y: subject[1], width: size.width, height: size.height)
  }

  private mutating func finish() {
    metadata.camera = CameraName.joined(make: make, model: model)
    let text = taken.map { time in fraction.map { "\(time).\($0)" } ?? time }
    metadata.takenAt =
      text.flatMap { CaptureTime(metadata: $0, offset: takenOffset) }
      ?? digitized.flatMap { CaptureTime(metadata: $0, offset: digitizedOffset) }
    metadata.place = PhotoMetadata.Place(
      latitude: signed(latitude, isSouth), longitude: signed(longitude, isWest),
      altitude: altitude.map { isBelowSea ? -$0 : $0 })
  }
}

/// Returns the degrees with their sign, or nil without a reference, since either half of the earth could be meant.
private func signed(_ degrees: Double?, _ isReverse: Bool?) -> Double? {
  guard let degrees, let isReverse else { return nil }
  return isReverse ? -degrees : degrees
}

extension PhotoMetadata.Place {
  /// Returns nil for coordinates that are not on earth, and for 0° N 0° E, which cameras write if they don't know where they
  /// are.
  init?(latitude: Double?, longitude: Double?, altitude: Double?) {
    guard let latitude, let longitude, (-90...90).contains(latitude), (-180...180).contains(longitude),
      latitude != 0 || longitude != 0
    else {
      return nil
    }
    self.init(latitude: latitude, longitude: longitude, altitude: altitude)
  }
}
