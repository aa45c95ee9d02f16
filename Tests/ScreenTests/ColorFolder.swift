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

  /// Writes a GIF of 8x8 pixels, of which each frame has one color.
  /// - Parameter delay: The time of each frame in hundredths of a second.
  func writeGIF(_ name: String, _ frames: [Color], delay: UInt8) throws {
    try writeGIF(
      name, frames, side: 8, frames: frames.indices.map { Array(repeating: $0, count: 64) }, delay: delay)
  }

  /// Writes a square GIF (GIF 89a).
  /// - Parameters:
  ///   - colors: Up to four colors.
  ///   - side: The width and height in pixels.
  ///   - frames: The colors of each frame's pixels, by their indices.
  func writeGIF(_ name: String, _ colors: [Color], side: UInt8, frames: [[Int]], delay: UInt8) throws {
    var bytes = Array("GIF89a".utf8) + [side, 0, side, 0, 0x91, 0, 0]
    bytes += (colors + [.red, .red, .red, .red]).prefix(4).flatMap(\.parts)
    for frame in frames {
      bytes += [0x21, 0xF9, 4, 4, delay, 0, 0, 0] + [0x2C, 0, 0, 0, 0, side, 0, side, 0, 0, 2]
      // LZW with codes of three bits: one that clears the table goes before each pixel, so no code gets longer.
      let bits = (frame.flatMap { [4, $0] } + [5]).flatMap { code in (0..<3).map { code >> $0 & 1 } }
      let data = stride(from: 0, to: bits.count, by: 8).map { start in
        bits[start..<min(start + 8, bits.count)].enumerated().reduce(UInt8(0)) { $0 | UInt8($1.element) << $1.offset }
      }
      for start in stride(from: 0, to: data.count, by: 255) {
        let block = data[start..<min(start + 255, data.count)]
        bytes += [UInt8(block.count)] + block
      }
      bytes.append(0)
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
