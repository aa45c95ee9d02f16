import Foundation
import TestPhotos

/// Reads kitty graphics commands (kitty, "Terminal graphics protocol").
enum KittyDecoder {
  struct Command {
    var keys: [String: String]
    var payload: [UInt8]
  }

  struct Malformed: Error {}

  static func commands(in bytes: [UInt8], isPassedThrough: Bool) throws -> [Command] {
    var text = String(decoding: bytes, as: UTF8.self)
    if isPassedThrough {
      let parts = text.components(separatedBy: "\u{1B}Ptmux;").dropFirst()
      guard parts.allSatisfy({ $0.hasSuffix("\u{1B}\u{1B}\\\u{1B}\\") }) else { throw Malformed() }
      text = parts.map { $0.dropLast(2).replacingOccurrences(of: "\u{1B}\u{1B}", with: "\u{1B}") }.joined()
    }
    return try text.components(separatedBy: "\u{1B}\\").dropLast().map { part in
      guard part.hasPrefix("\u{1B}_G") else { throw Malformed() }
      let halves = part.dropFirst(3).split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
      let keys = try halves[0].split(separator: ",").map { pair in
        let sides = pair.split(separator: "=").map(String.init)
        guard sides.count == 2 else { throw Malformed() }
        return (sides[0], sides[1])
      }
      return Command(
        keys: Dictionary(uniqueKeysWithValues: keys), payload: halves.count == 2 ? Array(halves[1].utf8) : [])
    }
  }

  /// Returns the pixels of an image that is sent in pieces, as RGB: a PNG, or the RGBA of other programs.
  static func pixels(of commands: [Command]) throws -> (width: Int, height: Int, rgb: [UInt8]) {
    // Each piece is encoded separately.
    let data = try commands.reduce(into: [UInt8]()) { data, command in
      guard let piece = Data(base64Encoded: Data(command.payload)) else { throw Malformed() }
      data += piece
    }
    guard let keys = commands.first?.keys else { throw Malformed() }
    if keys["f"] == "100", let image = PNGReader.pixels(of: data) { return image }
    guard keys["f"] == "32", let width = keys["s"].flatMap(Int.init), let height = keys["v"].flatMap(Int.init),
      data.count == width * height * 4
    else { throw Malformed() }
    return (width, height, (0..<width * height * 3).map { data[$0 / 3 * 4 + $0 % 3] })
  }
}

/// Reads sixels (DEC STD 070): color registers in RGB, repetitions, carriage returns, and line feeds of six pixels.
struct SixelDecoder {
  var width = 0
  var height = 0
  var pixels: [[UInt8]?] = []

  struct Malformed: Error {}

  static func decode(_ bytes: [UInt8]) throws -> SixelDecoder {
    guard bytes.starts(with: Array("\u{1B}P".utf8)), bytes.suffix(2) == Array("\u{1B}\\".utf8)[...],
      let start = bytes.firstIndex(of: UInt8(ascii: "q"))
    else { throw Malformed() }
    var decoder = SixelDecoder()
    var registers: [Int: [UInt8]] = [:]
    var (color, x, band, count) = (0, 0, 0, 1)
    var index = start + 1
    func numbers() -> [Int] {
      var text = ""
      while index < bytes.count, bytes[index] == 0x3B || (0x30...0x39).contains(bytes[index]) {
        text.unicodeScalars.append(Unicode.Scalar(bytes[index]))
        index += 1
      }
      return text.split(separator: ";").compactMap { Int($0) }
    }
    while index < bytes.count - 2 {
      let byte = bytes[index]
      index += 1
      switch byte {
      case UInt8(ascii: "\""):
        let size = numbers()
        (decoder.width, decoder.height) = (size[2], size[3])
        decoder.pixels = Array(repeating: nil, count: size[2] * size[3])
      case UInt8(ascii: "#"):
        let values = numbers()
        color = values[0]
        if values.count == 5 { registers[color] = values[2...].map { UInt8(($0 * 255 + 50) / 100) } }
      case UInt8(ascii: "!"): count = numbers()[0]
      case UInt8(ascii: "$"): x = 0
      case UInt8(ascii: "-"): (x, band) = (0, band + 6)
      case 0x3F...0x7E:
        for _ in 0..<count {
          for bit in 0..<6 where (byte - 0x3F) >> bit & 1 == 1 && band + bit < decoder.height && x < decoder.width {
            decoder.pixels[(band + bit) * decoder.width + x] = registers[color]
          }
          x += 1
        }
        count = 1
      default: throw Malformed()
      }
    }
    return decoder
  }
}
