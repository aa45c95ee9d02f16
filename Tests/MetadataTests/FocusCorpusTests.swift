import Gallery
import Metadata
import TestLimit
import TestPhotos
import Testing

/// Compares focus points with the tags that exiftool reads from photos of many cameras.
@Suite(.limited) struct FocusCorpusTests {
  private static let tags = [
    "Make", "Model", "ExifImageWidth", "ExifImageHeight", "FocusLocation", "FocusPixel", "AFPointPosition",
    "AFPointSelected", "AFAreaXPosition", "AFAreaYPosition", "AFImageWidth", "AFImageHeight", "AFAreaXPositions",
    "AFAreaYPositions", "AFPointsInFocus", "PrimaryAFPoint", "AFPoint", "SubjectArea",
  ]

  @Test(.enabled(if: Exiftool.canCompare, "SKIPPED: no test corpora, or no exiftool"))
  func eachPointIsOneThatExiftoolFinds() throws {
    let photos = try Exiftool.photos(["-n", "-IFD0:Orientation"] + Self.tags.map { "-\($0)" })
    #expect(photos.count >= 10)
    var count = 0
    for photo in photos {
      let path = photo["SourceFile"]?.text ?? ""
      guard case .success(let metadata) = MetadataReader().metadata(of: FoundPhoto(path: FilePath(path))),
        let focus = metadata.focus
      else { continue }
      let points = candidates(photo).map { upright($0, orientation: photo["Orientation"]?.numbers.first) }
      // The exiftool of Debian 12 does not know the area of all Nikons whose image it knows.
      if points.isEmpty, photo["AFImageWidth"] != nil { continue }
      let isFound = points.contains {
        abs($0.0 * 65_536 - Double(focus.x)) <= 1 && abs($0.1 * 65_536 - Double(focus.y)) <= 1
      }
      #expect(isFound, "\(path): \(focus) is none of \(points)")
      count += 1
    }
    print("\(count) of \(photos.count) photos have a focus point.")
  }

  /// The points that one of the tags gives, as parts of the stored image's sides.
  private func candidates(_ photo: [String: Exiftool.Value]) -> [(Double, Double)] {
    func values(_ tag: String) -> [Double] { photo[tag]?.numbers ?? [] }
    func divided(_ point: ArraySlice<Double>, by size: [Double]) -> [(Double, Double)] {
      guard point.count >= 2, size.count >= 2 else { return [] }
      return [(point[point.startIndex] / size[0], point[point.startIndex + 1] / size[1])]
    }
    let size = values("ExifImageWidth") + values("ExifImageHeight")
    let area = values("AFImageWidth") + values("AFImageHeight")
    var points = divided(values("FocusLocation").dropFirst(2), by: values("FocusLocation"))
    points += divided(values("FocusPixel")[...], by: size) + divided(values("SubjectArea")[...], by: size)
    points += divided((values("AFAreaXPosition") + values("AFAreaYPosition"))[...], by: area)
    points += divided(values("AFPointPosition")[...], by: [1, 1])
    let sides = values("AFPointSelected")
    if sides.count == 4 { points.append(((sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2)) }
    // The center of a viewfinder.
    if values("PrimaryAFPoint").first == 1 || values("AFPoint").first == 0 { points.append((0.5, 0.5)) }
    let sign: Double = photo["Model"]?.text.contains("EOS") == true ? -1 : 1
    let bits = values("AFPointsInFocus").map { UInt16(truncatingIfNeeded: Int($0)) }
    for (index, place) in zip(values("AFAreaXPositions"), values("AFAreaYPositions")).enumerated()
    where area.count == 2 && index / 16 < bits.count && bits[index / 16] >> UInt16(index % 16) & 1 == 1 {
      points.append((0.5 + place.0 / area[0], 0.5 + sign * place.1 / area[1]))
    }
    return points
  }

  private func upright(_ point: (Double, Double), orientation: Double?) -> (Double, Double) {
    let (x, y) = point
    return switch orientation {
    case 3: (1 - x, 1 - y)
    case 6: (1 - y, x)
    case 8: (y, 1 - x)
    default: (x, y)
    }
  }
}
