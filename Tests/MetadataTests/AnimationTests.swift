import Gallery
import Metadata
import TestLimit
import Testing

/// Images of several frames.
@Suite(.limited) struct AnimationTests {
  private let folder: PhotoFolder

  init() throws { folder = try PhotoFolder() }

  /// Returns what the reader says about a file's movement.
  private func movement(_ bytes: [UInt8]) throws -> Movement {
    let path = try folder.write(bytes, as: "photo")
    let metadata = try MetadataReader().metadata(of: FoundPhoto(path: path)).get()
    return Movement(kind: metadata.kind, duration: metadata.duration, size: [metadata.width, metadata.height])
  }

  private struct Movement: Equatable {
    var kind: PhotoKind?
    var duration: Double?
    var size = [320, 180]

    static func animation(_ duration: Double?) -> Movement { Movement(kind: .animation, duration: duration) }
    static let image = Movement(kind: .image)
  }

  private func little(_ value: Int, _ count: Int) -> [UInt8] { VideoFile.number(value, count).reversed() }

  // GIF.

  private func gif(_ blocks: [UInt8]) -> [UInt8] {
    // The table has eight colors.
    Array("GIF89a".utf8) + little(320, 2) + little(180, 2) + [0x82, 0, 0] + [UInt8](repeating: 0x2C, count: 24) + blocks
  }

  private func frame(delay: Int, data: [UInt8] = [2, 0x3B, 0x2C], hasTable: Bool = false) -> [UInt8] {
    let table = hasTable ? [UInt8](repeating: 0x21, count: 6) : []
    return [0x21, 0xF9, 4, 0] + little(delay, 2) + [0, 0, 0x2C] + little(0, 8) + [hasTable ? 0x80 : 0] + table + [8]
      + data + [0]
  }

  @Test func theDelaysOfAGIFAreAdded() throws {
    let loop = [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 0, 0, 0] as [UInt8]
    #expect(try movement(gif(loop + frame(delay: 50) + frame(delay: 25, hasTable: true) + [0x3B])) == .animation(0.75))
    #expect(try movement(gif(frame(delay: 50) + [0x3B])) == .image)
    #expect(try movement(gif(frame(delay: 0) + frame(delay: 0) + [0x3B])) == .animation(nil))
  }

  /// The sum of a part of the delays would be wrong.
  @Test func anIncompleteOrLargeGIFHasNoDuration() throws {
    let frames = frame(delay: 50) + frame(delay: 25)
    #expect(try movement(gif(frames)) == .animation(nil))
    let long = frame(delay: 9, data: (0..<10_000).flatMap { _ in [1, 7] as [UInt8] })
    #expect(try movement(gif(frames + long + [0x3B])) == .animation(nil))
  }

  // PNG.

  private func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
    VideoFile.number(data.count, 4) + Array(type.utf8) + data + VideoFile.number(0, 4)
  }

  @Test func theDelaysOfAPNGAreAdded() throws {
    func control(_ delay: (Int, Int)) -> [UInt8] {
      chunk("fcTL", VideoFile.number(0, 20) + VideoFile.number(delay.0, 2) + VideoFile.number(delay.1, 2) + [0, 0])
    }
    func png(_ chunks: [UInt8]) -> [UInt8] {
      let header = chunk("IHDR", VideoFile.number(320, 4) + VideoFile.number(180, 4) + [8, 0, 0, 0, 0])
      return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + header + chunks + chunk("IEND", [])
    }
    #expect(try movement(png(control((1, 4)) + chunk("IDAT", []) + control((50, 0)))) == .animation(0.75))
    #expect(try movement(png(control((1, 4)) + chunk("IDAT", []))) == .image)
  }

  // WebP.

  @Test func theTimesOfAWebPAreAdded() throws {
    func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] { Array(type.utf8) + little(data.count, 4) + data }
    func webp(_ chunks: [UInt8]) -> [UInt8] {
      let head = chunk("VP8X", [2, 0, 0, 0] + little(319, 3) + little(179, 3))
      return chunk("RIFF", Array("WEBP".utf8) + head + chunks)
    }
    func frame(_ time: Int) -> [UInt8] { chunk("ANMF", little(0, 12) + little(time, 3) + [0]) }
    #expect(try movement(webp(frame(500) + frame(250))) == .animation(0.75))
    #expect(try movement(webp(frame(500))) == .image)
  }

  // AVIF and JPEG XL.

  @Test(arguments: [1, 3]) func aSequenceOfAVIFIsAnAnimation(frames: Int) throws {
    let file = VideoFile(
      scale: 1000, duration: 750, frames: frames, trackSize: (320, 180), code: "av01", handler: "pict", brand: "avis")
    #expect(try movement(file.bytes) == (frames > 1 ? .animation(0.75) : .image))
  }

  @Test(arguments: [true, false], [true, false])
  func aCodestreamSaysWhetherItHasFrames(isAnimation: Bool, hasScreenSize: Bool) throws {
    // Sides of 180 and 320 in nine bits; more fields, upright; a size for the screen; no preview; an animation.
    let size = [[0, 1], [0, 2], [179, 9], [0, 3], [0, 2], [319, 9]]
    let fields =
      size + [[0, 1], [1, 1], [0, 3], [hasScreenSize ? 1 : 0, 1]] + (hasScreenSize ? size : [])
      + [[0, 1], [isAnimation ? 1 : 0, 1]]
    let bits = fields.flatMap { field in (0..<field[1]).map { UInt8(field[0] >> $0 & 1) } }
    var bytes: [UInt8] = [0xFF, 0x0A] + Array(repeating: 0, count: 30)
    for (place, bit) in bits.enumerated() { bytes[2 + place / 8] |= bit << UInt8(place % 8) }
    #expect(try movement(bytes) == (isAnimation ? .animation(nil) : .image))
  }
}
