import Gallery

/// A track of a movie (ISO/IEC 14496-12, 8.3 to 8.5).
struct QuickTimeTrack {
  private(set) var number = 0
  private(set) var isEnabled = false
  /// Whether the track has images; nil if that is not known yet.
  private(set) var isOfImages: Bool?
  /// The duration of the frames that are not in fragments.
  private(set) var duration: MediaDuration?
  /// The number of frames that are not in fragments.
  private(set) var frames = 0
  private(set) var codec: String?
  private(set) var orientation: ImageOrientation?
  /// The size at which the track is shown, which is 0 in some files.
  private var trackSize = (width: 0, height: 0)
  private var storedSize = (width: 0, height: 0)
  /// The width of a pixel divided by its height, if the file says that.
  private var pixelRatio: Double?

  /// The most bytes of the description of the frames that are read.
  private static let longestDescription = 4096

  mutating func read(_ box: Box<Range<Int>>, of file: ImageFile) {
    var reader = ByteReader(
      file.bytes(at: box.content.lowerBound, count: min(box.content.count, Self.longestDescription)))
    guard let (version, flags) = reader.version() else { return }
    switch box.type {
    case "tkhd": readHeader(&reader, version: version, flags: flags)
    case "mdhd":
      reader.skip(version == 1 ? 16 : 8)
      duration = reader.duration(version: version)
    case "hdlr":
      reader.skip(4)
      // AVIF's sequences have pictures.
      isOfImages = reader.type().map { ["vide", "pict"].contains($0) }
    case "stsd": readDescription(&reader)
    case "stsz", "stz2":
      reader.skip(4)
      frames = reader.number(4) ?? 0
    default: break
    }
  }

  private mutating func readHeader(_ reader: inout ByteReader, version: Int, flags: Int) {
    isEnabled = flags & 1 == 1
    reader.skip(version == 1 ? 16 : 8)
    number = reader.number(4) ?? 0
    reader.skip((version == 1 ? 12 : 8) + 16)
    let matrix = (0..<9).map { _ in Int(Int32(truncatingIfNeeded: reader.number(4) ?? 0)) }
    orientation = ImageOrientation(matrix: (matrix[0], matrix[1], matrix[3], matrix[4]))
    // The numbers have 16 bits of a fraction.
    trackSize = (((reader.number(4) ?? 0) + 0x8000) >> 16, ((reader.number(4) ?? 0) + 0x8000) >> 16)
  }

  /// Reads the first description, as nearly all files have only one.
  private mutating func readDescription(_ reader: inout ByteReader) {
    reader.skip(8)
    guard let code = reader.bytes(4) else { return }
    codec = VideoCodec.name(code)
    reader.skip(24)
    guard let width = reader.number(2), let height = reader.number(2) else { return }
    storedSize = (width, height)
    reader.skip(50)
    while let box = reader.box() {
      var content = ByteReader(box.content)
      guard box.type == "pasp", let width = content.number(4), let height = content.number(4), height > 0 else {
        continue
      }
      pixelRatio = Double(width) / Double(height)
    }
  }

  /// The size of a frame with square pixels. The size of the track has them already, unless it is the one of the stored frame.
  var shownSize: (width: Int, height: Int) {
    guard trackSize.width > 0, trackSize.height > 0, trackSize != storedSize else {
      return Video.squared(storedSize, ratio: pixelRatio ?? 1)
    }
    return trackSize
  }

  /// The average number of frames in a second.
  var frameRate: Double? {
    guard let duration, frames > 0, duration.units > 0 else { return nil }
    return Double(frames) / duration.seconds
  }
}

extension ImageOrientation {
  /// The orientation by the four numbers of a matrix that rotate and mirror: `(x, y)` becomes `(ax + cy, bx + dy)`. An angle
  /// between the quarters becomes one of them.
  fileprivate init(matrix: (a: Int, b: Int, c: Int, d: Int)) {
    let (a, b, c, d) = matrix
    if abs(b) + abs(c) > abs(a) + abs(d) {
      self = c < 0 ? (b < 0 ? .mirroredRotated90 : .rotated90) : (b < 0 ? .rotated270 : .mirroredRotated270)
    } else {
      self = a < 0 ? (d < 0 ? .rotated180 : .mirrored) : (d < 0 ? .mirroredRotated180 : .upright)
    }
  }
}
