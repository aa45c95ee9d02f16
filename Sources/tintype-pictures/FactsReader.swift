import Gallery

/// Reads what a photo's file says of the photo, without decoding the picture.
///
/// Of several that say the same, the sidecar counts first. For what the camera knows, Exif comes next, for what persons
/// write, XMP, then IPTC (as the Metadata Working Group's guidelines 2.0 have it, but for their checksums).
struct FactsReader {

  func facts(of subject: FoundPhoto) -> Result<PhotoFacts, PhotoFault> {
    do throws(PictureFailure) {
      let file = try PictureFile(path: subject.path)
      return .success(Self.facts(Container(file), sidecar: subject.sidecar.flatMap(Self.sidecar)))
    } catch {
      return .failure(PhotoFault(error))
    }
  }

  private static func facts(_ container: Container, sidecar: PhotoFacts?) -> PhotoFacts {
    let exif = container.exif
    let xmp = XMPFacts(container.xmp.isEmpty ? exif?.xmp ?? [] : container.xmp).facts
    let iptc = (container.iptc ?? exif.map { IPTCFacts($0.iptc) })?.facts ?? PhotoFacts()
    var facts = sidecar ?? PhotoFacts()
    for source in [exif?.facts ?? PhotoFacts(), xmp, iptc] { facts.add(source) }
    facts.caption = facts.caption ?? exif?.caption
    facts.rating = facts.rating ?? exif?.rating
    let sides = 0...Int(Int32.max)
    // What is larger than any picture is as good as not known.
    if sides.contains(container.size.width), sides.contains(container.size.height) {
      (facts.width, facts.height) = (container.size.width, container.size.height)
    }
    if let exif, exif.orientation > 4, container.isTurnedByExif { swap(&facts.width, &facts.height) }
    facts.isCutOff = container.isCutOff
    return facts
  }

  private static func sidecar(_ path: FilePath) -> PhotoFacts? {
    guard let bytes = PictureFile.contents(of: path, atMost: Container.longestPacket) else { return nil }
    return XMPFacts(bytes).facts
  }
}

extension PhotoFacts {
  /// Takes over what is not known yet.
  fileprivate mutating func add(_ other: PhotoFacts) {
    takenAt = takenAt ?? other.takenAt
    camera = camera ?? other.camera
    lens = lens ?? other.lens
    exposureTime = exposureTime ?? other.exposureTime
    fNumber = fNumber ?? other.fNumber
    focalLength = focalLength ?? other.focalLength
    iso = iso ?? other.iso
    place = place ?? other.place
    title = title ?? other.title
    caption = caption ?? other.caption
    if keywords.isEmpty { keywords = other.keywords }
    rating = rating ?? other.rating
    label = label ?? other.label
  }
}

extension PhotoFault {
  fileprivate init(_ failure: PictureFailure) {
    self =
      switch failure {
      case .missing: .missing
      case .unreadable(let reason): .unreadable(reason: reason)
      case .empty: .empty
      case .notAFile, .unknownFormat, .tooLarge, .incomplete, .damaged, .noPreview: .notAPicture
      }
  }
}
