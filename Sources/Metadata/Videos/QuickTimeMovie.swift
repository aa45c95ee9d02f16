/// A video in the boxes of QuickTime and MPEG-4 (ISO/IEC 14496-12; Apple, "QuickTime File Format").
///
/// The boxes are visited in the order of the file, and only their heads and the short ones are read. The tables of frames can
/// have megabytes.
struct QuickTimeMovie {
  private let file: ImageFile
  private var tracks: [QuickTimeTrack] = []
  /// The duration, with that of the fragments or without.
  private var duration: MediaDuration?
  /// The units of the duration with that of the fragments, or 0.
  private var unitsOfAll = 0
  private var createdAt: Double?
  private var items = QuickTimeItems()
  private var fragments = QuickTimeFragments()
  private var xmp: ArraySlice<UInt8> = []
  private var hasMovie = false
  private var isCutOff = false

  /// The most boxes of a file. A video of an hour may have thousands of fragments, each of which has ten boxes.
  private static let mostBoxes = 10 * Container.mostParts
  private static let containers: Set<String> = [
    "moov", "trak", "mdia", "minf", "stbl", "mvex", "moof", "traf", "udta", "meta", "ilst",
  ]
  /// The type of a box with XMP (XMP Specification, part 3, "ISO base media").
  private static let xmpIdentifier: [UInt8] = [
    0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF, 0xAC,
  ]

  /// - Parameter place: The bytes of the video; nil for all of the file.
  init(_ file: ImageFile, in place: Range<Int>? = nil) {
    self.file = file
    // The places that are left to visit, the innermost last, with the types of their boxes.
    var stack = [Box(type: "", content: place ?? 0..<file.size)]
    for _ in 0..<Self.mostBoxes {
      while stack.last?.content.isEmpty == true { stack.removeLast() }
      guard let outer = stack.popLast() else { break }
      guard let box = file.box(in: outer.content) else { continue }
      // Nothing behind the number of frames is wanted of the tables.
      let end = box.content.upperBound
      let isDone = ["stsz", "stz2"].contains(box.type)
      if end < outer.content.upperBound, !isDone {
        stack.append(Box(type: outer.type, content: end..<outer.content.upperBound))
      }
      if let inner = visit(box, in: outer) { stack.append(Box(type: box.type, content: inner)) }
    }
  }

  /// Reads a box, or returns the place of the boxes in it.
  private mutating func visit(_ box: Box<Range<Int>>, in outer: Box<Range<Int>>) -> Range<Int>? {
    if outer.type.isEmpty { checkEnd(of: box) }
    let content = box.content.clamped(to: outer.content)
    guard Self.containers.contains(box.type), outer.type != "ilst" else {
      read(Box(type: box.type, content: content), in: outer.type)
      return nil
    }
    switch (outer.type, box.type) {
    case (_, "moov"): hasMovie = true
    case (_, "trak"): tracks.append(QuickTimeTrack())
    // The user data of a track are about it alone.
    case ("trak", "udta"): return nil
    case (_, "minf") where tracks.last?.isOfImages == false: return nil
    // The head of the box is shorter in QuickTime's files.
    case (_, "meta"):
      items.removeKeys()
      let isShort = file.typeName(at: content.lowerBound + 4) == "hdlr"
      return min(content.lowerBound + (isShort ? 0 : 4), content.upperBound)..<content.upperBound
    default: break
    }
    return content
  }

  /// Other boxes than these may be bytes that a camera appends.
  private mutating func checkEnd(of box: Box<Range<Int>>) {
    if ["moov", "mdat", "moof"].contains(box.type), box.content.upperBound > file.size { isCutOff = true }
  }

  private mutating func read(_ box: Box<Range<Int>>, in outer: String) {
    switch (outer, box.type) {
    case ("moov", "mvhd"): readHeader(box.content)
    case ("trak", _), ("mdia", _), ("stbl", _):
      guard let last = tracks.indices.last else { return }
      tracks[last].read(box, of: file)
    case ("mvex", "mehd"): readDuration(box.content)
    case ("mvex", _), ("traf", _), ("", "sidx"): fragments.read(box, of: file)
    case (_, "XMP_"): readXMP(box.content)
    case (_, "uuid") where file.bytes(at: box.content.lowerBound, count: 16).elementsEqual(Self.xmpIdentifier):
      readXMP(box.content.dropFirst(16))
    case ("udta", _), ("meta", _), ("ilst", _): items.read(box, in: outer, of: file)
    default: break
    }
  }

  private mutating func readHeader(_ place: Range<Int>) {
    var reader = ByteReader(file.bytes(at: place.lowerBound, count: min(place.count, 32)))
    guard let version = reader.version()?.version else { return }
    createdAt = reader.number(version == 1 ? 8 : 4).flatMap(Self.time)
    reader.skip(version == 1 ? 8 : 4)
    duration = reader.duration(version: version)
  }

  private mutating func readDuration(_ place: Range<Int>) {
    var reader = ByteReader(file.bytes(at: place.lowerBound, count: min(place.count, 12)))
    guard let version = reader.version()?.version else { return }
    unitsOfAll = reader.number(version == 1 ? 8 : 4) ?? 0
  }

  /// Returns the seconds since 1970 of a time, which has the seconds since 1904. Some cameras count from 1970 themselves, and
  /// one whose clock was never set writes 0 or the seconds since it was switched on.
  private static func time(_ seconds: Int) -> Double? {
    let (epoch, year1990) = (2_082_844_800, 631_152_000)
    if seconds >= epoch { return seconds > epoch ? Double(seconds) - Double(epoch) : nil }
    return seconds > year1990 ? Double(seconds) : nil
  }

  private mutating func readXMP(_ place: Range<Int>) {
    guard xmp.isEmpty else { return }
    xmp = file.bytes(at: place.lowerBound, count: min(place.count, Container.longestPacket))
  }

  /// The video, which is the first track of images that is not switched off, as those with the images of chapters are.
  var video: Video {
    let images = tracks.filter { $0.isOfImages == true }
    let track = images.first(where: \.isEnabled) ?? images.first
    // The head of a movie in fragments gives the duration of all of them, of none, or of its own frames.
    let longest = max(
      duration?.seconds ?? 0, Double(unitsOfAll) / (duration?.scale ?? 1), track.map(fragments.duration) ?? 0)
    var video = Video(createdAt: createdAt, tags: items.tags, xmp: xmp, isCutOff: isCutOff || !hasMovie)
    video.size = track?.shownSize ?? (0, 0)
    video.orientation = track?.orientation
    video.codec = track?.codec
    video.duration = longest > 0 ? longest : track?.duration?.seconds
    video.frameRate = track.flatMap { $0.frameRate ?? fragments.frameRate(of: $0) }
    return video
  }

  /// The number of frames in the track of images.
  var frameCount: Int { tracks.first { $0.isOfImages == true }?.frames ?? 0 }
}
