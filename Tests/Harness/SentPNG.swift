import Foundation

/// A PNG whose beginning was sent to kitty.
struct SentPNG: Equatable {
  /// The number of the image.
  var number: String
  /// The size in pixels.
  var width: Int
  var height: Int
  /// The place in the output where it begins.
  var place: String.Index

  static func all(in output: String) -> [SentPNG] {
    output.matches(of: /_Gq=2,f=100,i=(\d+)[^;]*;([A-Za-z0-9+\/]{32})/).compactMap { match in
      guard let header = Data(base64Encoded: String(match.2)), header.count == 24 else { return nil }
      func number(at offset: Int) -> Int { header[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
      return SentPNG(
        number: String(match.1), width: number(at: 16), height: number(at: 20), place: match.range.lowerBound)
    }
  }
}
