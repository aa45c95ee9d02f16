import Gallery

/// The segment of a Matroska file (RFC 9559), of which the elements before the frames are read, and the tags wherever they are.
struct MatroskaSegment {
  private let file: ImageFile
  private var tracks: [MatroskaTrack] = []
  private var tags = VideoTags()
  /// The number of nanoseconds in a unit of the duration.
  private var scale = 1_000_000
  private var duration: Double?
  /// The time at which the file was written, in nanoseconds since 2001 UTC.
  private var date: Int?
  /// The place of the segment's content, or nil if there is no segment.
  private var segment: Range<Int>?
  private var isCutOff = false
  /// The identifier of the last element that the list of places names, and the place of the tags.
  private var (sought, tagsPlace): (Int?, Int?)
  /// The name of the current tag, and whether it is about a part of the file.
  private var (tagName, isTagOfPart): (String?, Bool) = (nil, false)

  private enum ID {
    static let (segment, cluster, tags, tag) = (0x1853_8067, 0x1F43_B675, 0x1254_C367, 0x7373)
    static let (track, video, projection) = (0xAE, 0xE0, 0x7670)
    /// The elements whose content is elements, apart from the blocks of frames.
    static let containers: Set<Int> = [
      segment, tags, tag, track, video, projection, 0x1549_A966, 0x1654_AE6B, 0x114D_9B74, 0x4DBB, 0x67C8, 0x63C0,
    ]
  }

  init(_ file: ImageFile) {
    self.file = file
    var stack = [0..<file.size]
    for _ in 0..<Container.mostParts {
      while stack.last?.isEmpty == true { stack.removeLast() }
      guard let outer = stack.popLast() else { break }
      guard let element = EBMLElement(file, in: outer) else { continue }
      let content = element.content.clamped(to: outer)
      if content.upperBound < outer.upperBound { stack.append(content.upperBound..<outer.upperBound) }
      if element.id == ID.cluster {
        stack = placeOfTags(behind: element).map { [$0] } ?? []
      } else if ID.containers.contains(element.id) {
        begin(element)
        stack.append(content)
      } else {
        read(element.id, content)
      }
    }
  }

  /// Returns the place from the tags on, if they are behind the frames. It is returned once, as a file may name any place.
  private mutating func placeOfTags(behind cluster: EBMLElement) -> Range<Int>? {
    defer { tagsPlace = nil }
    guard let segment, let start = tagsPlace, start < file.size - segment.lowerBound,
      segment.lowerBound + start > cluster.content.lowerBound
    else { return nil }
    return segment.lowerBound + start..<max(segment.lowerBound + start, min(segment.upperBound, file.size))
  }

  private mutating func begin(_ element: EBMLElement) {
    switch element.id {
    case ID.segment:
      segment = segment ?? element.content
      isCutOff = isCutOff || element.content.upperBound > file.size
    case ID.track: tracks.append(MatroskaTrack())
    case ID.tag: isTagOfPart = false
    default: break
    }
  }

  private mutating func read(_ id: Int, _ place: Range<Int>) {
    switch id {
    case 0x2AD7B1: scale = file.ebmlNumber(place) ?? scale
    case 0x4489: duration = file.ebmlReal(place)
    case 0x4461: date = place.count == 8 ? file.wholeNumber(at: place.lowerBound, count: 8, .bigEndian) : nil
    case 0x7BA9: tags.add(file.ebmlText(place), as: "title")
    case 0x53AB: sought = file.ebmlNumber(place)
    case 0x53AC: if sought == ID.tags { tagsPlace = file.ebmlNumber(place) }
    // A track, an edition, a chapter, or an attachment.
    case 0x63C5, 0x63C9, 0x63C4, 0x63C6: isTagOfPart = isTagOfPart || file.ebmlNumber(place) != 0
    case 0x45A3: tagName = file.ebmlText(place)
    case 0x4487: if !isTagOfPart, let tagName { tags.add(file.ebmlText(place), as: tagName) }
    default:
      guard let last = tracks.indices.last else { return }
      tracks[last].read(id, place, of: file)
    }
  }

  /// The video, which is the first track of images.
  var video: Video {
    let track = tracks.first(where: \.isOfImages)
    var video = Video(tags: tags, isCutOff: isCutOff || segment == nil)
    // 2001-01-01.
    video.createdAt = date.flatMap { $0 == 0 ? nil : Double($0) / 1e9 + 978_307_200 }
    video.duration = duration.map { $0 * Double(scale) / 1e9 }
    video.size = track?.shownSize ?? (0, 0)
    video.orientation = track?.orientation
    video.codec = track?.codecName(in: file)
    video.frameRate = track?.frameRate
    return video
  }
}
