import Gallery

/// A track of a Matroska file (RFC 9559, "Tracks Element").
struct MatroskaTrack {
  private(set) var isOfImages = false
  private var codec: String?
  /// The place of the data of the format.
  private var header = 0..<0
  /// The nanoseconds of a frame.
  private var frameDuration: Int?
  private var (width, height) = (0, 0)
  /// The size at which the track is shown, whose unit may also be that of a ratio.
  private var (shownWidth, shownHeight) = (0, 0)
  /// The numbers of columns and of rows that are not shown.
  private var cropped = (columns: 0, rows: 0)
  /// The rotation against the clock, in degrees.
  private var roll = 0.0

  mutating func read(_ id: Int, _ place: Range<Int>, of file: ImageFile) {
    func side() -> Int { min(file.ebmlNumber(place) ?? 0, Int(Int32.max)) }
    switch id {
    case 0x83: isOfImages = file.ebmlNumber(place) == 1
    case 0x86: codec = file.ebmlText(place)
    case 0x63A2: header = place
    case 0x23E383: frameDuration = file.ebmlNumber(place)
    case 0xB0: width = side()
    case 0xBA: height = side()
    case 0x54B0: shownWidth = side()
    case 0x54BA: shownHeight = side()
    case 0x54CC, 0x54DD: cropped.columns += side()
    case 0x54BB, 0x54AA: cropped.rows += side()
    case 0x7675: roll = file.ebmlReal(place) ?? 0
    default: break
    }
  }

  /// The size of a frame with square pixels. The track's own size is often a ratio alone.
  var shownSize: (width: Int, height: Int) {
    let size = (width: max(0, width - cropped.columns), height: max(0, height - cropped.rows))
    guard shownWidth > 0, shownHeight > 0, size.width > 0 else { return size }
    let ratio = Double(shownWidth) / Double(shownHeight) * Double(size.height) / Double(size.width)
    return Video.squared(size, ratio: ratio)
  }

  /// The orientation by the rotation, of which only quarters make sense for a flat image.
  var orientation: ImageOrientation {
    ImageOrientation.upright.rotated(quarters: Int(exactly: (-roll / 90).rounded()) ?? 0)
  }

  /// The average number of frames in a second, which the file need not say.
  var frameRate: Double? { frameDuration.flatMap { $0 > 0 ? 1e9 / Double($0) : nil } }

  func codecName(in file: ImageFile) -> String? {
    codec.flatMap { VideoCodec.name(matroska: $0) { file.bytes(at: header.lowerBound, count: min(header.count, 40)) } }
  }
}
