import CZlib
import Foundation
import TestPhotos

/// Files that demand excessive memory or time, built by their formats' specifications. A file's name begins with the expected
/// result: `shows`, `fails`, or `any` if both are right.
enum HostilePhotos {
  /// Writes all files to a folder.
  static func write(to folder: URL, photos: [String]) throws {
    for (name, bytes) in bombs + loops { try Data(bytes).write(to: folder.appending(path: name)) }
    for (name, bytes) in try whole(photos) {
      try Data(bytes).write(to: folder.appending(path: "shows-\(name)"))
      for cut in 0..<64 {
        try Data(bytes.prefix(bytes.count * cut / 64)).write(to: folder.appending(path: "any-\(cut)-\(name)"))
      }
    }
    try writeSpecialFiles(to: folder)
  }

  /// Returns intact files under names of other formats.
  private static func whole(_ photos: [String]) throws -> [(String, [UInt8])] {
    try photos.map { ("\($0).png", [UInt8](try Data(contentsOf: URL(filePath: TestPhotos.path("\($0).jpg"))))) }
      + RealPhoto.allCases.map { ("\($0).jpg", $0.bytes) }
      + [
        ("png.gif", png(200, 100)), ("gif.webp", gif(40, 30, frames: 3)), ("bmp.jpg", bmp(30, 20)), ("webp.tiff", webp),
      ]
  }

  private static func writeSpecialFiles(to folder: URL) throws {
    func path(_ name: String) -> String { folder.appending(path: "fails-\(name).jpg").path }
    mkfifo(path("pipe"), 0o600)
    symlink("/dev/zero", path("endless"))
    symlink(path("circle"), path("circle"))
    mkdir(path("folder"), 0o700)
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(listener) }
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    // The path of a socket is short, so the socket is renamed afterwards.
    let relative = Array("/tmp/tintype-socket-\(getpid())".utf8)
    withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: relative) }
    let isBound = withUnsafePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    guard isBound, rename(String(decoding: relative, as: UTF8.self), path("socket")) == 0 else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
    try Data().write(to: URL(filePath: path("empty")))
    try Data("hello".utf8).write(to: URL(filePath: path("text")))
  }

  /// Files of few bytes that claim many pixels.
  private static let bombs: [(String, [UInt8])] = [
    ("fails-65535.jpg", jpeg(65_535, 65_535)), ("fails-230-bytes.jpg", jpeg(18_696, 35_584)),
    ("fails-progressive.jpg", jpeg(22_000, 22_000, frame: 0xC2)), ("fails-65535.png", png(65_535, 65_535, rows: 1)),
    // A complete image of the largest size that is decoded. At four bytes a pixel it takes more than a gigabyte.
    ("any-20000.png", png(20_000, 20_000)), ("any-65535.gif", gif(65_535, 65_535, frames: 1)),
    ("any-100000-frames.gif", gif(1, 1, frames: 100_000)),
    ("fails-65535.tiff", tiff(65_535, 65_535)), ("fails-65535.bmp", Array(bmp(65_535, 65_535, rows: 0))),
    ("fails-65535.ppm", Array("P6 65535 65535 255\n".utf8)), ("fails-16384.webp", vp8l(16_384, 16_384)),
    ("fails-65535.heic", boxed(RealPhoto.heic.bytes)), ("fails-65535.avif", boxed(RealPhoto.avif.bytes)),
    ("fails-2-to-30.jxl", [0xFF, 0x0A, 0xFE, 0xFF, 0xFF, 0xFF, 0xFF] + Array(repeating: 0xFF, count: 40)),
    ("fails-65535.svg", Array("<svg xmlns='http://www.w3.org/2000/svg' width='65535' height='65535'/>".utf8)),
    ("fails-laughs.svg", Array(laughs.utf8)), ("fails-laughs.svgz", gzip(Array(laughs.utf8))),
    ("fails-endless.svg", Array(endless.utf8)),
  ]

  /// Files whose directories lead to themselves.
  private static let loops: [(String, [UInt8])] = {
    func entry(_ tag: UInt8, _ high: UInt8) -> [UInt8] { [tag, high, 4, 0, 1, 0, 0, 0, 8, 0, 0, 0] }
    // The offsets of the directories of Exif, of GPS, of further images, and of the next image.
    let circle =
      [0x49, 0x49, 42, 0, 8, 0, 0, 0, 3, 0] + entry(0x69, 0x87) + entry(0x25, 0x88) + entry(0x4A, 0x01) + [8, 0, 0, 0]
    let segment = Array("Exif\0\0".utf8) + circle
    return [
      ("fails-loop.tiff", circle),
      ("fails-loop.jpg", SamplePhoto.jpeg([[0xFF, 0xE1, 0, UInt8(segment.count + 2)] + segment])),
    ]
  }()

  private static func jpeg(_ width: Int, _ height: Int, frame: UInt8 = 0xC0) -> [UInt8] {
    var bytes = SamplePhoto.jpeg([])
    bytes[3] = frame
    bytes.replaceSubrange(7..<11, with: big(height, 2) + big(width, 2))
    return bytes
  }

  /// Returns a black image of one bit a pixel.
  private static func png(_ width: Int, _ height: Int, rows: Int? = nil) -> [UInt8] {
    func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
      let body = Array(type.utf8) + data
      return big(data.count, 4) + body + big(Int(crc32(0, body, UInt32(body.count))), 4)
    }
    let pixels = [UInt8](repeating: 0, count: (rows ?? height) * (1 + (width + 7) / 8))
    var count = compressBound(UInt(pixels.count))
    var packed = [UInt8](repeating: 0, count: Int(count))
    compress(&packed, &count, pixels, UInt(pixels.count))
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      + chunk("IHDR", big(width, 4) + big(height, 4) + [1, 0, 0, 0, 0])
      + chunk("IDAT", Array(packed.prefix(Int(count)))) + chunk("IEND", [])
  }

  /// Returns an animation whose frames have one pixel each.
  private static func gif(_ width: Int, _ height: Int, frames: Int) -> [UInt8] {
    let frame: [UInt8] = [
      0x21, 0xF9, 4, 0, 1, 0, 0, 0, 0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0,
    ]
    let head = Array("GIF89a".utf8) + big(width, 2).reversed() + big(height, 2).reversed()
    return head + [0x80, 0, 0, 0, 0, 0, 255, 255, 255]
      + repeatElement(frame, count: frames).joined() + [0x3B]
  }

  private static func tiff(_ width: Int, _ height: Int) -> [UInt8] {
    let fields: [(tag: Int, value: Int)] = [
      (256, width), (257, height), (258, 8), (259, 1), (262, 1), (273, 8), (277, 1), (278, height), (279, 8),
    ]
    var bytes: [UInt8] = [0x4D, 0x4D, 0, 42, 0, 0, 0, 16, 0, 0, 0, 0, 0, 0, 0, 0]
    bytes += big(fields.count, 2)
    for field in fields { bytes += big(field.tag, 2) + [0, 4, 0, 0, 0, 1] + big(field.value, 4) }
    return bytes + [0, 0, 0, 0]
  }

  private static func bmp(_ width: Int, _ height: Int, rows: Int? = nil) -> [UInt8] {
    func little(_ value: Int) -> [UInt8] { big(value, 4).reversed() }
    let pixels = [UInt8](repeating: 99, count: (width * 3 + 3) / 4 * 4 * (rows ?? height))
    var bytes = Array("BM".utf8)
    for value in [0, 0, 54, 40, width, height] { bytes += little(value) }
    return bytes + [1, 0, 24, 0] + [UInt8](repeating: 0, count: 24) + pixels
  }

  /// Returns the header of a lossless WebP without its data (RFC 9649, section 3.4).
  private static func vp8l(_ width: Int, _ height: Int) -> [UInt8] {
    let data = [0x2F] + big(width - 1 | (height - 1) << 14, 4).reversed() + Array(repeating: 0, count: 11)
    let chunk = Array("WEBPVP8L".utf8) + big(data.count, 4).reversed() + data
    return Array("RIFF".utf8) + big(chunk.count, 4).reversed() + chunk
  }

  /// A WebP of one pixel.
  private static let webp = Array(
    Data(base64Encoded: "UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoBAAEAAgA0JaQAA3AA/vuUAAA=") ?? Data())

  /// Sets the width and the height of each image in a HEIF file to 65535 pixels.
  private static func boxed(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for index in bytes.indices.dropLast(16) where bytes[index...].starts(with: Array("ispe".utf8)) {
      bytes.replaceSubrange(index + 8..<index + 16, with: big(65_535, 4) + big(65_535, 4))
    }
    return bytes
  }

  private static let laughs: String = {
    let groups = (1...9).map { number in
      "<g id='a\(number)'>" + String(repeating: "<use xlink:href='#a\(number - 1)'/>", count: 10) + "</g>"
    }
    return svg("<g id='a0'><rect width='9' height='9'/></g>" + groups.joined(), "<use xlink:href='#a9'/>")
  }()

  /// A drawing that takes a minute, although it is within all limits of librsvg.
  private static let endless: String = {
    let steps = "<feGaussianBlur stdDeviation='90'/><feMorphology operator='dilate' radius='60'/>"
    return svg(
      "<filter id='f' x='-9' y='-9' width='20' height='20'>\(String(repeating: steps, count: 40))</filter>",
      String(repeating: "<rect width='800' height='600' filter='url(#f)'/>", count: 100))
  }()

  private static func svg(_ definitions: String, _ content: String) -> String {
    "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' width='800' height='600'>"
      + "<defs>\(definitions)</defs>\(content)</svg>"
  }

  private static func gzip(_ bytes: [UInt8]) -> [UInt8] {
    var stream = z_stream()
    deflateInit2_(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, 0, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    defer { deflateEnd(&stream) }
    var (input, output) = (bytes, [UInt8](repeating: 0, count: bytes.count + 1000))
    return input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        (stream.next_in, stream.avail_in) = (input.baseAddress, UInt32(input.count))
        (stream.next_out, stream.avail_out) = (output.baseAddress, UInt32(output.count))
        deflate(&stream, Z_FINISH)
        return Array(output.prefix(Int(stream.total_out)))
      }
    }
  }

  private static func big(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
