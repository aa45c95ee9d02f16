import Foundation
import Harness
import TestLimit
import TestPhotos
import Testing

/// What the layers of a folder look like: the list in its states, the viewer, the comparison, and each popup.
@Suite(.fewAtOnce, .limited) final class LayerSnapshotTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")
  private var photos: URL { folder.appending(path: "photos/harbor") }

  /// Writes a photo with all metadata and four others, of which two have decisions.
  init() throws {
    Leftovers.removeAtEnd(folder)
    try FileManager.default.createDirectory(at: photos, withIntermediateDirectories: true)
    let caption = "The boats come back in the evening, when the lamps on the pier are lit one after the other."
    let packet = SamplePhoto.packet.replacing("&#xE9;", with: "&#xE9;: \(caption)")
    try write("a.jpg", [SamplePhoto.exif(), SamplePhoto.iptc, SamplePhoto.xmpSegment(packet)])
    for (index, name) in ["b.jpg", "c.jpg", "long name of a photo.jpg", "z.jpg"].enumerated() {
      var tiff = TIFF(isBigEndian: false)
      tiff.add([.text(0x010F, "Maker"), .text(0x0110, "Model \(index)"), .directory(0x8769)])
      tiff.add([.text(0x9003, "2026:0\(index + 4):01 10:00:0\(index)"), .short(0x8827, 100 << index)])
      try write(name, [SamplePhoto.exif(tiff)])
    }
    try write("b.jpg.xmp", decisions: "xmp:Rating=\"-1\"")
    try write("c.jpg.xmp", decisions: "xmp:Rating=\"2\" xmp:Label=\"Green\"")
  }

  private func write(_ name: String, _ segments: [[UInt8]]) throws {
    try Data(SamplePhoto.jpeg(segments)).write(to: photos.appending(path: name))
  }

  private func write(_ name: String, decisions: String) throws {
    let packet = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" \(decisions)/></rdf:RDF></x:xmpmeta>
      """
    try Data(packet.utf8).write(to: photos.appending(path: name))
  }

  /// A layer, and the keys that lead to it.
  struct Layer: Sendable, CustomTestStringConvertible {
    let name: String
    let keys: String
    let laterKeys: String
    var testDescription: String { name }

    /// - Parameter laterKeys: The keys after those that lead to the viewer.
    init(_ name: String, _ keys: String, then laterKeys: String = "") {
      self.name = name
      self.keys = keys
      self.laterKeys = laterKeys
    }
  }

  static let layers = [
    Layer("list", ""), Layer("marks", " j "), Layer("sheet", "cl"), Layer("range", "VG"), Layer("large-rows", "t"),
    Layer("details", "\t"), Layer("search", "/is:"), Layer("found", "/rating:>1\r"), Layer("invalid", "/stars:>1\r"),
    Layer("sort", "S"), Layer("go-to", "g"), Layer("label", "L"), Layer("label-all", "*L"), Layer("keywords", "K"),
    Layer("caption", "T"), Layer("rename", "*\u{1B}OQ"), Layer("rename-one", "\u{1B}OQ"), Layer("export", "*E"),
    Layer("trash", "*D"), Layer("settings", ","), Layer("viewer", "v"), Layer("cull", "Q"),
    Layer("summary", "Q", then: "\r"), Layer("compare", "*C"), Layer("calendar", "gt"), Layer("move", "m"),
    Layer("one-line", "tt"), Layer("keywords-all", "*K"), Layer("trash-one", "D"), Layer("palette", "?rat"),
    Layer("refused", "*Ca"), Layer("rated", "1"),
  ]

  @Test(arguments: layers, [ScreenSize.common, .small])
  func aLayerMatchesItsSnapshot(layer: Layer, size: ScreenSize) async throws {
    let session = try Program.start(
      photos.path, columns: size.columns, rows: size.rows, changes: Program.changes(home: folder))
    defer { session.close() }
    try await session.wait(for: "the metadata") { $0.contains("IPTC title") && !$0.contains("so far") }
    session.type(layer.keys)
    if !layer.laterKeys.isEmpty {
      try await session.waitForText("Esc Back")
      session.type(layer.laterKeys)
    }
    try await session.waitForSnapshot("folder-\(layer.name)-\(size.rawValue)")
  }
}
