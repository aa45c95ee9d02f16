import Gallery

// The movie inside of a photo, which a phone took around the moment of the photo: the Motion Photo format 1.0 of Android, the
// MicroVideo before it, and the trailer of Samsung's cameras.
extension Container {
  /// The movie's bytes in the file, or nil if there is none.
  func movie(in file: ImageFile) -> Range<Int>? {
    guard file.format == .jpeg || file.format == .heif else { return nil }
    let packet = xmp.isEmpty ? exif?.xmp ?? [] : xmp
    let place = MotionPhoto(packet)?.place(in: file) ?? SamsungTrailer(file)?.movie ?? boxOfMovie(in: file)
    return place.flatMap { file.typeName(at: $0.lowerBound + 4) == "ftyp" ? $0 : nil }
  }

  private func boxOfMovie(in file: ImageFile) -> Range<Int>? {
    guard file.format == .heif else { return nil }
    let box = file.boxes(atMost: Self.mostParts).first { $0.type == "mpvd" }
    return box.map { $0.content.clamped(to: 0..<file.size) }
  }
}

/// The video in a file: all of the file, the movie inside of a photo, or a sequence of images.
public struct FoundVideo: Sendable {
  /// The video's bytes in the file.
  public let place: Range<Int>
  /// The orientation by which its frames are shown.
  public let orientation: ImageOrientation
  /// The number of a sequence's frames, or 0 if it is not known.
  public let frames: Int
  /// Whether the file ends before the video does.
  public let isCutOff: Bool

  /// Finds the video in a file; nil if there is none.
  public init?(in file: ImageFile) {
    let container = Container(file)
    if file.format.isVideo || file.isSequence {
      place = 0..<file.size
      // The images of a sequence have the orientation of its track. libjxl turns them itself.
      let turned = file.format == .heif ? QuickTimeMovie(file).video.orientation : container.formatOrientation
      orientation = file.format == .jxl ? .upright : turned ?? .upright
      frames = container.frames.count
      isCutOff = container.isCutOff
    } else {
      guard let movie = container.movie(in: file) else { return nil }
      place = movie
      orientation = QuickTimeMovie(file, in: movie).video.orientation ?? .upright
      frames = 0
      isCutOff = false
    }
  }
}

extension ImageFile {
  /// Whether the file is an animation in a format of which the libraries for images decode the first frame only: an animated PNG, a
  /// sequence of HEIF or AVIF, or an animated JPEG XL.
  public var isSequence: Bool {
    switch format {
    case .png: PNGColors(self).isAnimation
    case .heif: boxes(atMost: Container.mostParts).contains { $0.type == "moov" }
    case .jxl: Container(self).isAnimation
    default: false
    }
  }
}

/// What XMP says about the movie behind an image.
private struct MotionPhoto {
  /// The number of bytes from the start of the movie to the end of the file.
  let length: Int

  init?(_ packet: ArraySlice<UInt8>) {
    guard packet.contains("MicroVideoOffset") || packet.contains("MotionPhoto") else { return nil }
    let old = XMPScanner.properties(of: packet, wanted: Self.offset)
    if let length = old.values.first?.first.flatMap({ Int($0) }) {
      self.length = length
      return
    }
    // The directory has several items, of which the movie is the one with its own name.
    let items = XMPScanner.attributes(of: packet, wanted: Self.item)
    guard let item = items.first(where: { $0["Item:Semantic"] == "MotionPhoto" }),
      let length = item["Item:Length"].flatMap({ Int($0) })
    else { return nil }
    self.length = length
  }

  private static let offset = WantedNames(["GCamera:MicroVideoOffset"])
  private static let item = WantedNames(["Item:Semantic", "Item:Length"])

  func place(in file: ImageFile) -> Range<Int>? {
    (1..<file.size).contains(length) ? file.size - length..<file.size : nil
  }
}

/// The blocks that Samsung's cameras write behind an image, with a directory at the end of the file.
private struct SamsungTrailer {
  /// The movie's bytes in the file, or nil if there is none.
  private(set) var movie: Range<Int>?

  private static let movieType = 0x0A30
  /// The bytes of a block before its name, and of an entry of the directory.
  private static let (headSize, entrySize) = (8, 12)
  private static let mostEntries = 1000

  init?(_ file: ImageFile) {
    // Most files end with the image, whose last bytes were looked at before.
    guard file.size > 32, file.bytes(at: file.size - 2, count: 2).elementsEqual("FT".utf8),
      file.typeName(at: file.size - 4) == "SEFT"
    else { return nil }
    func number(_ offset: Int, _ count: Int = 4) -> Int { file.number(at: offset, count: count, .littleEndian) }
    let start = file.size - 8 - number(file.size - 8)
    guard start > 0, file.typeName(at: start) == "SEFH" else { return nil }
    for index in 0..<min(number(start + 8), Self.mostEntries) {
      let entry = start + 12 + index * Self.entrySize
      guard number(entry + 2, 2) == Self.movieType else { continue }
      let block = start - number(entry + 4)
      let head = Self.headSize + number(block + 4)
      let size = number(entry + 8)
      if block > 0, head < size, block + size <= file.size { movie = block + head..<block + size }
    }
  }
}
