import Metadata

/// An ICC profile (ICC.1:2022) of three primaries and their curves, or of a curve of gray. Profiles with tables are left to
/// libvips.
struct ColorProfile {
  /// The type and the data of each tag.
  private var tags: [String: ArraySlice<UInt8>] = [:]
  private let bytes: ArraySlice<UInt8>

  private static let mostTags = 200

  /// Whether a profile is one of colors in red, green, and blue.
  static func isRGB(_ bytes: [UInt8]) -> Bool { bytes.dropFirst(16).starts(with: "RGB ".utf8) }

  init?(_ bytes: [UInt8]) {
    self.bytes = bytes[...]
    guard bytes.count >= 132 else { return nil }
    for index in 0..<min(number(at: 128), Self.mostTags) {
      let entry = 132 + 12 * index
      let (start, count) = (number(at: entry + 4), number(at: entry + 8))
      guard entry + 12 <= bytes.count, start + count <= bytes.count, count >= 8 else { continue }
      tags[text(at: entry)] = bytes[start..<start + count]
    }
  }

  /// The name by which libjxl before version 0.9 marks the profile of an HDR image, in UTF-16.
  private var hdrCurve: ToneCurve? {
    guard let name = tags["desc"]?.prefix(256) else { return nil }
    if name.firstRange(of: Array("_\0P\0e\0Q".utf8)) != nil { return .pq }
    return name.firstRange(of: Array("_\0H\0L\0G".utf8)) != nil ? .hlg : nil
  }

  private var isGray: Bool { text(at: 16) == "GRAY" }

  /// Whether the profile is named sRGB ("desc"; in ASCII or UTF-16).
  private var isSRGB: Bool {
    guard let name = tags["desc"]?.prefix(256) else { return false }
    return ["sRGB IEC61966", "sRGB built-in"].contains { name.firstRange(of: Array($0.utf8)) != nil }
      || name.firstRange(of: Array("s\0R\0G\0B".utf8)) != nil
  }

  /// Returns the colors of samples, or nil if the profile has tables, or none that are known. The profile of another kind of
  /// image is ignored.
  func space(isGray isGrayImage: Bool) -> ColorSpace? {
    guard isGray == isGrayImage || !isGray && text(at: 16) != "RGB " else { return .srgb }
    if isSRGB { return .srgb }
    if let codes = tags["cicp"], codes.count >= 12 {
      let first = codes.startIndex + 8
      return ColorSpace(CodedColors(primaries: Int(codes[first]), transfer: Int(codes[first + 1])))
    }
    guard text(at: 20) == "XYZ ", tags["A2B0"] == nil, tags["A2B1"] == nil else { return nil }
    if isGray { return curve("kTRC").map { ColorSpace($0, .srgb) } }
    let colorants = ["rXYZ", "gXYZ", "bXYZ"].compactMap(xyz)
    let curves = hdrCurve.map { [$0, $0, $0] } ?? ["rTRC", "gTRC", "bTRC"].compactMap(curve)
    guard colorants.count == 3, curves.count == 3, text(at: 16) == "RGB " else { return nil }
    return ColorSpace(curves, colorants: Matrix(columns: colorants))
  }

  private func xyz(_ tag: String) -> SIMD3<Double>? {
    guard let data = tags[tag], data.count >= 20 else { return nil }
    let numbers = fixed(data.dropFirst(8), count: 3)
    return SIMD3(numbers[0], numbers[1], numbers[2])
  }

  private func curve(_ tag: String) -> ToneCurve? {
    guard let data = tags[tag], data.count >= 12 else { return nil }
    let content = data.dropFirst(8)
    switch String(decoding: data.prefix(4), as: UTF8.self) {
    case "curv":
      let (count, points) = (content.prefix(4).number(.bigEndian), content.dropFirst(4))
      if count == 0 { return .gamma(1) }
      guard count <= 65536, points.count >= 2 * count else { return nil }
      let values = (0..<count).map { points.dropFirst(2 * $0).prefix(2).number(.bigEndian) }
      return count == 1 ? .gamma(Double(values[0]) / 256) : .points(values.map { UInt16($0) })
    case "para":
      let type = content.prefix(2).number(.bigEndian)
      guard type <= 4 else { return nil }
      let count = [1, 3, 4, 5, 7][type]
      guard content.count >= 4 + 4 * count else { return nil }
      return .parametric(type, fixed(content.dropFirst(4), count: count))
    default: return nil
    }
  }

  /// Reads numbers of 16 bits and a fraction of 16 bits.
  private func fixed(_ data: ArraySlice<UInt8>, count: Int) -> [Double] {
    (0..<count).map {
      Double(Int32(truncatingIfNeeded: data.dropFirst(4 * $0).prefix(4).number(.bigEndian))) / 65536
    }
  }

  private func number(at offset: Int) -> Int { bytes.dropFirst(offset).prefix(4).number(.bigEndian) }

  private func text(at offset: Int) -> String { String(decoding: bytes.dropFirst(offset).prefix(4), as: UTF8.self) }
}
