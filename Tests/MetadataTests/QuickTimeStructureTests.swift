import Gallery
import Metadata
import TestLimit
import Testing

/// Movies in fragments, and hostile movies.
@Suite(.limited) struct QuickTimeStructureTests {
  private let folder: PhotoFolder

  init() throws { folder = try PhotoFolder() }

  private func metadata(_ file: VideoFile) throws -> PhotoMetadata { try folder.metadata(of: file.bytes) }

  // Fragments.

  private static func fragment(_ boxes: [UInt8], flags: Int = 0, own: [UInt8] = []) -> [UInt8] {
    let head = VideoFile.full("tfhd", flags: flags, VideoFile.number(1, 4) + own)
    return VideoFile.box("moof", VideoFile.box("traf", head + boxes)) + VideoFile.box("mdat", [1])
  }

  private func fragmented(_ rest: [UInt8], more: [UInt8] = []) throws -> PhotoMetadata {
    let usual = VideoFile.full("trex", [1, 1, 1000, 0, 0].flatMap { VideoFile.number($0, 4) })
    return try metadata(
      VideoFile(
        duration: 0, trackDuration: 0, frames: 0, more: VideoFile.box("mvex", usual + more),
        rest: rest))
  }

  @Test func theFramesOfFragmentsAreAdded() throws {
    let usual = VideoFile.full("trun", VideoFile.number(30, 4))
    let own = Self.fragment(usual, flags: 0x8 | 0x2 | 0x1, own: VideoFile.number(0, 12) + VideoFile.number(2000, 4))
    let times = [3000, 7, 6000, 7].flatMap { VideoFile.number($0, 4) }
    let listed = VideoFile.full("trun", flags: 0x305, VideoFile.number(2, 4) + VideoFile.number(0, 8) + times)
    #expect(try fragmented(Self.fragment(usual)).duration == 1)
    #expect(try fragmented(Self.fragment(usual)).frameRate == 30)
    let metadata = try fragmented(Self.fragment(usual) + own + Self.fragment(listed))
    #expect(metadata.duration == 3.3)
    #expect(metadata.frameRate == 62 / 3.3)
  }

  @Test func aMovieOrAnIndexGivesTheDurationOfAllFragments() throws {
    let segments = [1 << 31 | 5, 9000, 0, 5, 300, 0, 5, 600, 0].flatMap { VideoFile.number($0, 4) }
    let head = [1, 100, 0, 0].flatMap { VideoFile.number($0, 4) } + VideoFile.number(3, 4)
    #expect(try fragmented(VideoFile.full("sidx", head + segments)).duration == 9)
    #expect(try fragmented([], more: VideoFile.full("mehd", VideoFile.number(3000, 4))).duration == 5)
    #expect(try fragmented([], more: VideoFile.full("mehd", version: 1, VideoFile.number(3000, 8))).duration == 5)
  }

  // Hostile files.

  private static let rich: [UInt8] = {
    let udta = VideoFile.box("udta", VideoFile.text("©mod", "Model") + VideoFile.text("©xyz", "+47.3769+008.5417/"))
    let keys = VideoFile.keys(["com.apple.quicktime.model": "iPhone 12"])
    let run = VideoFile.full("trun", flags: 0x100, VideoFile.number(1, 4) + VideoFile.number(9, 4))
    return VideoFile(pixel: (4, 3), more: udta + keys, rest: fragment(run)).bytes
  }()

  @Test func aFileMayEndAnywhere() throws {
    for count in 12..<Self.rich.count { _ = try folder.metadata(of: Self.rich.prefix(count)) }
  }

  @Test func anyByteMayBeWrong() throws {
    for index in 12..<Self.rich.count {
      for byte: UInt8 in [0, 1, 0x7F, 0xFF] {
        var bytes = Self.rich
        bytes[index] = byte
        let path = try folder.write(bytes, as: "photo")
        _ = MetadataReader().metadata(of: FoundPhoto(path: path))
      }
    }
  }

  @Test func hostileBoxesEnd() throws {
    let head = VideoFile.box("ftyp", Array("isom".utf8) + VideoFile.number(0, 4))
    var deep: [UInt8] = []
    for _ in 0..<20_000 { deep += VideoFile.number(0, 4) + Array("moov".utf8) }
    let many = (0..<200_000).flatMap { _ in VideoFile.number(8, 4) + Array("trak".utf8) }
    let long = VideoFile.number(1, 4) + Array("moov".utf8)
    let run = VideoFile.full("trun", VideoFile.number(-1, 4))
    let lots = VideoFile(
      createdAt: -1, scale: 1, duration: -1, trackScale: -1, trackDuration: -1, frames: -1, trackSize: (0xFFFF, 0xFFFF),
      pixel: (-1, 1), rest: Self.fragment(run, flags: 8, own: VideoFile.number(-1, 4)))
    for bytes in [
      head + deep, head + VideoFile.box("moov", many),
      head + long + [UInt8](repeating: 0xFF, count: 8) + many.prefix(99),
      head + long + VideoFile.number(1 << 47, 8) + many.prefix(99), head + long + VideoFile.number(0, 8), lots.bytes,
      VideoFile(version: 1, createdAt: .max, duration: .max, trackDuration: .min).bytes,
    ] {
      let metadata = try folder.metadata(of: bytes)
      #expect([0, 1920, 0xFFFF].contains(metadata.width))
    }
  }
}
