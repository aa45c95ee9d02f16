import Foundation
import Gallery
import Testing

@testable import Sidecars

/// A folder with a photo, and sidecars of it.
final class TestFolder {
  let path: String
  let photo: FilePath

  init(in parent: String? = nil) throws {
    path = (parent ?? FileManager.default.temporaryDirectory.path) + "/tintype-\(UUID().uuidString)"
    photo = FilePath(path + "/a.jpg")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try write([0xFF, 0xD8], "a.jpg")
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func write(_ bytes: some Sequence<UInt8>, _ name: String = "a.jpg.xmp") throws {
    try Data(bytes).write(to: URL(filePath: path + "/" + name))
  }

  func bytes(_ name: String = "a.jpg.xmp") throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: path + "/" + name)))
  }

  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }
}

/// The hand-written sidecars of other programs. Samples/README.md describes them.
enum Sample: String, CaseIterable {
  case darktable, digikam, lightroom, captureone, bridge, exiftool, unusual

  var bytes: [UInt8] {
    get throws {
      let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Samples")
      return Array(try Data(contentsOf: folder.appending(path: rawValue + ".xmp")))
    }
  }
}

extension SidecarChange {
  /// A change of every field.
  static var full: SidecarChange {
    var change = SidecarChange()
    change[.rating] = .set(2)
    change[.label] = .set("Yellow")
    change[.keywords] = .set(["Norway", "sea & \"sun\""])
    change[.hierarchicalKeywords] = .set(["Places|Norway", "<deep>|sea"])
    change[.caption] = .set("Two\nlines & <more>")
    change[.orientation] = .set(8)
    change[.crop] = .set("0.250000 0.125000 1.000000 0.875000")
    change[.takenAt] = .set("2026-05-03T14:03:20.25+05:30")
    change[.latitude] = .set("59,54.000000N")
    change[.longitude] = .set("10,45.250000W")
    change[.altitude] = .set("-35/10")
    return change
  }

  static func rating(_ rating: Int) -> SidecarChange {
    var change = SidecarChange()
    change[.rating] = .set(.number(rating))
    return change
  }

  static func caption(_ caption: String) -> SidecarChange {
    var change = SidecarChange()
    change[.caption] = .set(.text(caption))
    return change
  }
}

extension PhotoDecisions {
  static var full: PhotoDecisions {
    var decisions = PhotoDecisions()
    decisions.rating = 2
    decisions.label = "Yellow"
    decisions.keywords = ["Norway", "sea & \"sun\""]
    decisions.hierarchicalKeywords = ["Places|Norway", "<deep>|sea"]
    decisions.caption = "Two\nlines & <more>"
    decisions.orientation = .rotated270
    decisions.crop = PhotoCrop(x: 0.25, y: 0.125, width: 0.75, height: 0.75)
    decisions.takenAt = CaptureTime(metadata: "2026-05-03T14:03:20.25+05:30")
    decisions.latitude = 59.9
    decisions.longitude = XMPPosition.longitude("10,45.250000W")
    decisions.altitude = -3.5
    return decisions
  }
}

/// Expects that the sidecar in a folder has the properties of a graph, except for the date.
func expectSame(_ folder: TestFolder, _ graph: Graph, sourceLocation: SourceLocation = #_sourceLocation) throws {
  let differences = try Graph(folder.bytes()).without([.metadataDate]).differences(from: graph.without([.metadataDate]))
  #expect(differences == [], sourceLocation: sourceLocation)
}

/// Returns a minimal sidecar with these properties.
func sidecar(_ properties: String) -> [UInt8] {
  Array(
    """
    <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
    <rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:p="http://example.org/p/"
     xmlns:darktable="http://darktable.sf.net/">\(properties)</rdf:Description></rdf:RDF></x:xmpmeta>
    """.utf8)
}
