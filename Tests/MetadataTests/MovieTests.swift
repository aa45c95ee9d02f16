import Gallery
import Metadata
import TestLimit
import Testing

/// The movies inside of photos.
@Suite(.limited) struct MovieTests {
  private let folder: PhotoFolder
  private let movie = VideoFile().bytes

  init() throws { folder = try PhotoFolder() }

  /// Returns a JPEG of no size with an XMP packet, and bytes behind the image.
  private static func photo(_ xmp: String, then rest: [UInt8]) -> [UInt8] {
    let packet =
      Array("http://ns.adobe.com/xap/1.0/\0".utf8) + Array("<x:xmpmeta><rdf:RDF>\(xmp)</rdf:RDF></x:xmpmeta>".utf8)
    return [0xFF, 0xD8, 0xFF, 0xE1] + VideoFile.number(packet.count + 2, 2) + packet
      + [0xFF, 0xDA, 0, 2, 1, 2, 3, 0xFF, 0xD9] + rest
  }

  private func expectMovie(_ bytes: [UInt8], at place: Range<Int>?) throws {
    let path = try folder.write(bytes, as: "photo")
    let metadata = try MetadataReader().metadata(of: FoundPhoto(path: path)).get()
    #expect(metadata.kind == .image && metadata.movieSize == place?.count)
    #expect(metadata.duration == place.map { _ in 2.5 })
    #expect(FoundVideo(in: try ImageFile(path: path))?.place == place)
  }

  private static func item(_ name: String, length: Int) -> String {
    #"<rdf:li><Container:Item Item:Mime="video/mp4" Item:Semantic="\#(name)" Item:Length="\#(length)"/></rdf:li>"#
  }

  @Test func theMovieOfAMotionPhotoIsAtTheEnd() throws {
    let gain = [UInt8](repeating: 7, count: 100)
    let items =
      #"<rdf:li><Container:Item Item:Semantic="Primary"/></rdf:li>"# + Self.item("GainMap", length: gain.count)
      + Self.item("MotionPhoto", length: movie.count)
    let bytes = Self.photo("<Container:Directory><rdf:Seq>\(items)</rdf:Seq></Container:Directory>", then: gain + movie)
    try expectMovie(bytes, at: bytes.count - movie.count..<bytes.count)
  }

  @Test func olderPhotosSayTheOffsetFromTheEnd() throws {
    let bytes = Self.photo(#"<rdf:Description GCamera:MicroVideoOffset="\#(movie.count)"/>"#, then: movie)
    try expectMovie(bytes, at: bytes.count - movie.count..<bytes.count)
  }

  /// What XMP says is left over when an editor has written the photo without the movie, or with other bytes.
  @Test(arguments: [0, 3, 1_000_000, -5]) func bytesThatAreNoMovieAreNone(length: Int) throws {
    try expectMovie(Self.photo(Self.item("MotionPhoto", length: length), then: movie), at: nil)
  }

  /// A block has its type, its name and its content; the directory has types, distances back from itself, and sizes.
  private func trailer(type: Int = 0x0A30, distance: Int? = nil) -> [UInt8] {
    func little(_ value: Int, _ count: Int = 4) -> [UInt8] { VideoFile.number(value, count).reversed() }
    let name = Array("MotionPhoto_Data".utf8)
    let block = little(0, 2) + little(type, 2) + little(name.count) + name + movie
    let directory =
      Array("SEFH".utf8) + little(106) + little(1) + little(0, 2) + little(type, 2)
      + little(distance ?? block.count) + little(block.count)
    return block + directory + little(directory.count) + Array("SEFT".utf8)
  }

  @Test func theTrailerOfSamsungNamesTheMovie() throws {
    let bytes = Self.photo("", then: trailer())
    let start = Self.photo("", then: []).count + 8 + "MotionPhoto_Data".utf8.count
    try expectMovie(bytes, at: start..<start + movie.count)
    try expectMovie(Self.photo("", then: trailer(type: 0x0A31)), at: nil)
    for distance in [0, 1, 1 << 30] { try expectMovie(Self.photo("", then: trailer(distance: distance)), at: nil) }
  }
}
