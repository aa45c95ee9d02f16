import Foundation

/// The questions that the terminal is asked at the start. Every batch ends with one that every terminal answers.
enum Questions {
  /// The id under which the terminal is asked about an image in the sequence itself.
  static let pixelsID = 31
  /// The id under which the terminal is asked about an image in a file.
  static let fileID = 32

  /// The background's color (OSC 11).
  static let background = "\u{1B}]11;?\u{1B}\\"
  /// The name and version (XTVERSION).
  static let version = "\u{1B}[>0q"
  /// The first 16 colors (OSC 4).
  static let palette = (0..<16).map { "\u{1B}]4;\($0);?\u{1B}\\" }.joined()
  /// Whether 24-bit colors are shown: what remains of one that is set, in the form in which ncurses writes it (DECRQSS of
  /// SGR), and the capability RGB (XTGETTCAP). A terminal without such colors reports the nearest one that it has.
  static let truecolor = "\u{1B}[0;48:2::1:2:3m\u{1B}P$qm\u{1B}\\\u{1B}[m\u{1B}P+q\(rgbInHex)\u{1B}\\"
  private static let rgbInHex = "524742"
  /// Whether the terminal holds back unfinished frames (DECRQM of mode 2026).
  static let synchronization = "\u{1B}[?2026$p"
  /// The number of sixel colors (XTSMGRAPHICS) and a cell's size in pixels (XTWINOPS).
  static let sizes = "\u{1B}[?1;1;0S\u{1B}[16t"
  /// The device attributes (DA1), which every terminal answers. After this answer no other is due.
  static let end = "\u{1B}[c"

  /// Returns the questions whether the terminal knows kitty's images, whether it reads them from a file, whether it knows
  /// iTerm2's images, whether it holds back unfinished frames, and whether it takes images for the clipboard (DECRQM). Some
  /// terminals print them as text.
  /// - Parameter file: The path of an image; nil if the terminal is not asked about files.
  static func graphics(file: String?) -> String {
    var kitty = "\u{1B}_Gi=\(pixelsID),s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\"
    if let file {
      let path = Data(file.utf8).base64EncodedString()
      kitty += "\u{1B}_Gi=\(fileID),s=1,v=1,a=q,t=t,f=24;\(path)\u{1B}\\"
    }
    return kitty + "\u{1B}]1337;ReportCellSize\u{07}" + synchronization + "\u{1B}[?5522$p"
  }

  /// Returns whether a control string (DCS) answers ``truecolor`` with yes. The parts of the color are parted by colons or
  /// semicolons, with or without a color space before them.
  static func isTruecolor(_ answer: String) -> Bool {
    if answer.hasPrefix("1+r\(rgbInHex)") { return true }
    guard answer.dropFirst().hasPrefix("$r"), answer.hasSuffix("m") else { return false }
    return answer.dropFirst(3).dropLast().split { $0 == ":" || $0 == ";" }.suffix(3) == ["1", "2", "3"]
  }
}
