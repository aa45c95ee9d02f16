import Foundation
import Harness
import Torture

/// Texts that would control a terminal if they reached it unchanged.
///
/// Sequences with parameters contain 7913, which no sequence of the program contains.
enum HostileText {
  /// The Unicode texts, for every place that expects a text: some hundreds of our own, then those of the public list.
  static let strings: [String] = sequences + characters + naughty

  /// Bytes that are not UTF-8, for every place that takes bytes from outside.
  static let bytes: [[UInt8]] = [
    [0xC0, 0x9B] + Array("[7913m".utf8),  // An overlong Escape.
    [0xE0, 0x80, 0x9B] + Array("[7913m".utf8), [0xF0, 0x80, 0x80, 0x9B] + Array("]2;7913".utf8),
    [0x9B] + Array("7913m".utf8),  // An eight-bit CSI.
    [0x9D] + Array("52;c;7913".utf8) + [0x9C], [0x90] + Array("$q7913".utf8) + [0x9C], [0xC2],
    [0xC2, 0x1B, 0x5B] + Array("7913m".utf8),  // An incomplete character before a sequence.
    [0xE2, 0x80], [0xED, 0xA0, 0x80], [0xED, 0xB0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80],
    [0xFE], [0xFF], [0x85], [0x80, 0x80, 0x80], [0x1B], [0x1B, 0xC2], [0x1B, 0x5B, 0xC2, 0x9B], [0xC1, 0xBF],
    [0xE0, 0x9F, 0xBF], [0xF0, 0x8F, 0xBF, 0xBF],
  ]

  private static let sequences: [String] = {
    let controls = [
      "2J", "7913m", "7913;7913H", "?1049l", "?7913h", "?1003h", "6n", "?6n", "0c", ">c", "=c", "21t", "20t", "18t",
      "8;7913;7913t", "5n", "1;7913r", "!p", "7913P", "7913b", "?7913$p", "\"p", " q", "7913 q", "?1;7913S", ">7913u",
      "38;5;7913m", "", ";", "7913", "4h", "20h", "3g", "5i", "?5i",
    ]
    let commands = [
      "0;7913", "1;7913", "2;7913", "4;1;?", "7;file:///7913", "8;;http://7913/", "9;7913", "10;?", "12;?", "50;7913",
      "52;c;NzkxMw==", "52;c;?", "99;;7913", "104", "133;A", "777;notify;7913;7913", "1337;File=inline=1:NzkxMw==",
      "P0aabbcc", "",
    ]
    let strings = [
      "$qm", "$q\"p", "+q544e", "+p7913", "tmux;\u{1B}\u{1B}]2;7913\u{07}", "q#0;2;0;0;0~-7913", "1$r7913m", "",
    ]
    let others = ["_Ga=d,d=A7913", "_7913", "^7913", "X7913"]
    var result: [String] = []
    for start in ["\u{1B}[", "\u{9B}"] { result += controls.map { start + $0 } }
    for start in ["\u{1B}]", "\u{9D}"] {
      for end in ["\u{07}", "\u{1B}\\", "\u{9C}", ""] { result += commands.map { start + $0 + end } }
    }
    for start in ["\u{1B}P", "\u{90}"] {
      for end in ["\u{1B}\\", "\u{9C}", ""] { result += strings.map { start + $0 + end } }
    }
    for end in ["\u{1B}\\", "\u{9C}", ""] { result += others.map { "\u{1B}" + $0 + end } }
    result += [
      "c", "#8", "(0", ")0", "N", "O", "7", "8", "D", "M", "E", "H", "=", ">", "Z", "%G", "%@", "l", "n", "o", "}", "|",
    ]
    .map { "\u{1B}" + $0 + "x" }
    return result
  }()

  /// Invisible and special characters: each between letters, each three times in a row, and some combinations.
  private static let characters: [String] = {
    let numbers: [ClosedRange<UInt32>] = [
      0x00...0x1F, 0x7F...0x9F, 0xAD...0xAD, 0x34F...0x34F, 0x61C...0x61C, 0x115F...0x1160, 0x17B4...0x17B5,
      0x180B...0x180F, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0x3164...0x3164, 0xFE00...0xFE0F,
      0xFEFF...0xFEFF, 0xFFA0...0xFFA0, 0xFFF0...0xFFFC, 0xE000...0xE000, 0xFDD0...0xFDD0, 0xFFFE...0xFFFF,
      0x1BCA0...0x1BCA3, 0x1D173...0x1D17A, 0xE0001...0xE0001, 0xE0020...0xE0024, 0xE007F...0xE007F, 0xE0100...0xE0102,
      0xE01EF...0xE01EF, 0x10FFFD...0x10FFFF, 0x10EEEE...0x10EEEE,
    ]
    let scalars = numbers.joined().compactMap(Unicode.Scalar.init)
    return scalars.map { "a\($0)b" } + scalars.map { "\($0)\($0)\($0)" } + [
      "🏳\u{FE0F}\u{200D}\u{200D}\u{202E}x", "\r\n\r\n", "\t\t",
    ]
  }()

  /// The texts of minimaxir/big-list-of-naughty-strings (MIT), or none if the list is not installed.
  static let naughty: [String] = {
    let folder =
      ProcessInfo.processInfo.environment["TINTYPE_CORPORA"]
      ?? URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../../shared/corpora").path
    let list = try? Data(contentsOf: URL(filePath: folder).appending(path: "naughty/blns.json"))
    return list.flatMap { try? JSONDecoder().decode([String].self, from: $0) } ?? []
  }()
}

/// Whether tests run in their long form, as with `make torture`.
let isTorture = Torture.isLong
