import Gallery

// The makers' tags for brackets, bursts, and the parts of a panorama. Values that ExifTool's documentation of tag names
// does not explain have no meaning here, either.
extension MakerNote {
  /// The series that a photo belongs to, as a note names it.
  struct Series {
    /// The kind of the series, or nil if the note does not name it.
    var kind: PhotoSeries?
    /// The number of the shot in its series, or a number below 1 if it is unknown.
    var number: Int?
  }

  private func integer(_ tag: Int) -> Int? { field(tag).flatMap(reader.integer) }

  private func words(_ tag: Int) -> [Int] { field(tag).map { reader.words(of: $0, atMost: 256) } ?? [] }

  /// Reads Apple's tag 0x000B (BurstUUID).
  var appleSeries: Series { Series(kind: field(0x000B).flatMap(reader.text)?.isEmpty == false ? .burst : nil) }

  /// Reads Canon's tags 0x0093 (FileInfo), 0x0005 (Panorama), and 0x0001 (CameraSettings): rows of 16-bit numbers.
  var canonSeries: Series {
    let (shot, panorama, settings) = (canonRow(0x0093), words(0x0005), canonRow(0x0001))
    if shot.count > 5, (1...4).contains(shot[3]) {
      let number = Int(Int16(truncatingIfNeeded: shot[5]))
      return Series(kind: shot[3] == 1 ? .exposureBracket : .otherBracket, number: number)
    }
    if shot.count > 9, (1...2).contains(shot[9]) { return Series(kind: .otherBracket) }
    if settings.count > 50, settings[50] == 1 { return Series(kind: .focusSeries) }
    // The first number is always 1, and the sixth is the direction.
    if panorama.count > 5, panorama[0] == 1, (0...4).contains(panorama[5]) { return Series(kind: .panorama) }
    return Series(kind: settings.count > 5 && [1, 3, 4, 5, 8, 10].contains(settings[5]) ? .burst : nil)
  }

  /// Returns a row of Canon's whose first number is its length in bytes, or nothing if another program changed it.
  private func canonRow(_ tag: Int) -> [Int] {
    let words = words(tag)
    return words.first == 2 * words.count ? words : []
  }

  /// Reads Fujifilm's tags 0x1100 (AutoBracketing), 0x1101 (SequenceNumber), and 0x1103 (DriveSettings).
  ///
  /// Of automatic brackets, the camera says only that they are some. Exif says which are brackets of the exposure.
  var fujifilmSeries: Series {
    let number = integer(0x1101) ?? 0
    let isContinuous = number > 0 || integer(0x1103).map { (1...2).contains($0 & 0xFF) } ?? false
    return Series(kind: isContinuous && integer(0x1100) ?? 0 == 0 ? .burst : nil, number: number)
  }

  /// Reads the bits of Nikon's tag 0x0089 (ShootingMode).
  var nikonSeries: Series {
    guard let bits = integer(0x0089) else { return Series() }
    // Bit 4 is set in all brackets, together with bit 6 for white balance, or with bit 8 for Active D-Lighting.
    switch bits & 0x150 {
    case 0x010: return Series(kind: .exposureBracket)
    case 0x050, 0x110: return Series(kind: .otherBracket)
    case 0: return Series(kind: bits & 1 == 1 ? .burst : nil)
    default: return Series()
    }
  }

  /// Reads Olympus's tag 0x0200 (SpecialMode), and in the directory of the camera's settings the tags 0x0601
  /// (PanoramaMode) and 0x0600 (DriveMode).
  var olympusSeries: Series {
    let settings = olympusSettings
    let panorama = settings?.words(0x0601) ?? []
    if panorama.count > 1, (1...4).contains(panorama[0]) { return Series(kind: .panorama, number: panorama[1]) }
    if let drive = settings?.words(0x0600), drive.count > 1, let kind = Self.olympusKind(drive) {
      return Series(kind: kind, number: drive[1])
    }
    let special = field(0x0200).map { reader.bytes(of: $0) } ?? []
    guard special.count == 12 else { return Series() }
    func number(_ index: Int) -> Int { special.dropFirst(4 * index).prefix(4).number(reader.order) }
    let kinds: [Int: PhotoSeries] = [2: .burst, 3: .panorama]
    return kinds[number(0)].map { Series(kind: $0, number: number(1)) } ?? Series()
  }

  /// Returns the kind of series that DriveMode gives: the mode, the number of the shot, the bits of a bracket, and as
  /// the sixth number of newer cameras, the shooting mode.
  private static func olympusKind(_ drive: [Int]) -> PhotoSeries? {
    switch drive[0] {
    case 2, 4: return .exposureBracket
    case 3: return .otherBracket
    case 5 where drive.count > 2:
      // A bracket of the exposure may change the white balance, too.
      let kinds: [(Int, PhotoSeries)] = [(0x21, .exposureBracket), (0x40, .focusSeries), (0x16, .otherBracket)]
      return kinds.first { drive[2] & $0.0 != 0 }?.1
    case 1 where drive.count < 6 || drive[5] == 0: return .burst
    default: return drive.count > 5 && sequentialModes.contains(drive[5]) ? .burst : nil
    }
  }

  /// The shooting modes of Olympus in which the camera takes one shot after another.
  private static let sequentialModes: Set = [
    0x02, 0x03, 0x07, 0x12, 0x13, 0x17, 0x22, 0x23, 0x27, 0x28, 0x29, 0x41, 0x42, 0x43, 0x48, 0x49,
  ]

  /// Reads Panasonic's tags 0x002A (BurstMode), 0x002B (SequenceNumber), 0x0096 (TimerRecording), and 0x001F
  /// (ShootingMode).
  var panasonicSeries: Series {
    let kinds: [Int: PhotoSeries] = [
      1: .burst, 2: .exposureBracket, 3: .focusSeries, 4: .burst, 8: .otherBracket, 17: .burst, 18: .otherBracket,
    ]
    if let kind = integer(0x002A).flatMap({ kinds[$0] }) { return Series(kind: kind, number: integer(0x002B)) }
    if integer(0x0096) == 3 { return Series(kind: .focusSeries, number: integer(0x002B)) }
    return Series(kind: integer(0x001F) == 28 ? .panorama : nil)
  }

  /// Reads Pentax's tag 0x0034 (DriveMode). Only Exif says which shots are brackets.
  var pentaxSeries: Series {
    let drive = field(0x0034).map { Array(reader.bytes(of: $0)) } ?? []
    return Series(kind: drive.count == 4 && (1...5).contains(drive[0]) ? .burst : nil)
  }

  /// Reads Sony's tags 0xB049 (ReleaseMode) and 0xB04A (SequenceNumber).
  var sonySeries: Series {
    let kinds: [Int: PhotoSeries] = [2: .burst, 5: .exposureBracket, 6: .otherBracket, 8: .otherBracket]
    // A compact camera writes 65535 for what it does not know.
    let number = integer(0xB04A).flatMap { $0 == 65_535 ? nil : $0 }
    return Series(kind: integer(0xB049).flatMap { kinds[$0] }, number: number)
  }
}
