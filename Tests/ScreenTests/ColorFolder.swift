import Foundation
import Harness

/// A folder of images in plain colors, which is removed when all tests have ended.
final class ColorFolder {
  let url = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")

  /// Writes a PPM file for each name, with folders where the name has them.
  init(_ files: [String: Color] = [:], width: Int = 8, height: Int = 8) throws {
    Leftovers.removeAtEnd(url)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    for (name, color) in files {
      let file = url.appending(path: name)
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      let pixels = Array(repeating: color.parts, count: width * height).joined()
      try (Data("P6\n\(width) \(height)\n255\n".utf8) + Data(pixels)).write(to: file)
    }
  }

  /// Writes a GIF of 8x8 pixels, of which each frame has one color (GIF 89a).
  /// - Parameter delay: The time of each frame in hundredths of a second.
  func writeGIF(_ name: String, _ frames: [Color], delay: UInt8) throws {
    var bytes = Array("GIF89a".utf8) + [8, 0, 8, 0, 0x91, 0, 0]
    bytes += (frames + [.red, .red, .red, .red]).prefix(4).flatMap(\.parts)
    for index in frames.indices {
      bytes += [0x21, 0xF9, 4, 4, delay, 0, 0, 0] + [0x2C, 0, 0, 0, 0, 8, 0, 8, 0, 0]
      // LZW with codes of three bits: one that clears the table goes before each pixel, so no code gets longer.
      let codes = Array(repeating: [4, index], count: 64).joined() + [5]
      let bits = codes.flatMap { code in (0..<3).map { code >> $0 & 1 } }
      let data = stride(from: 0, to: bits.count, by: 8).map { start in
        bits[start..<min(start + 8, bits.count)].enumerated().reduce(UInt8(0)) { $0 | UInt8($1.element) << $1.offset }
      }
      bytes += [2, UInt8(data.count)] + data + [0]
    }
    try Data(bytes + [0x3B]).write(to: url.appending(path: name))
  }
}

extension Color {
  static let red = Color.rgb(255, 0, 0)
  static let green = Color.rgb(0, 255, 0)
  static let blue = Color.rgb(0, 0, 255)

  fileprivate var parts: [UInt8] {
    if case .rgb(let red, let green, let blue) = self { [red, green, blue] } else { [0, 0, 0] }
  }
}

extension Cell {
  /// The color of the whole cell; nil if it shows more than one.
  var plainColor: Color? {
    switch text {
    case "", " ": style.background
    case "█": style.foreground
    default: style.foreground == style.background ? style.background : nil
    }
  }
}

extension Screen {
  /// Returns the left, top, right and bottom cell of a color; nil if it is not shown as one rectangle.
  func box(of color: Color) -> [Int]? {
    let places = cells.enumerated().flatMap { row, cells in
      cells.enumerated().compactMap { $1.plainColor == color ? (row: row, column: $0) : nil }
    }
    let (rows, columns) = (places.map(\.row), places.map(\.column))
    guard let top = rows.min(), let bottom = rows.max(), let left = columns.min(), let right = columns.max(),
      places.count == (bottom - top + 1) * (right - left + 1)
    else { return nil }
    return [left, top, right, bottom]
  }
}
