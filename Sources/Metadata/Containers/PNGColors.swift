/// The colors of a PNG that its chunks describe without an ICC profile (PNG, third edition, 11.3.2), and whether the chunks before its
/// pixels announce several frames.
public struct PNGColors: Sendable {
  /// The colors of `cICP`, which count before all others.
  public private(set) var coded: CodedColors?
  /// Whether the colors are sRGB if there is no profile.
  public private(set) var isSRGB = false
  /// The value of `gAMA`: the exponent of a code by light.
  public private(set) var gamma: Double?
  /// The x and y of red, green, blue, and white in `cHRM`.
  public private(set) var chromaticities: [SIMD2<Double>]?

  /// Whether the file is an animation.
  public private(set) var isAnimation = false

  /// The most chunks that are read.
  private static let mostChunks = 1000

  /// Reads the chunks before the pixels.
  public init(_ file: ImageFile) {
    var offset = 8
    for _ in 0..<Self.mostChunks {
      let count = file.number(at: offset, count: 4, .bigEndian)
      let type = file.typeName(at: offset + 4)
      guard type != "IDAT", type != "" else { return }
      if count <= 32 { read(type, file.bytes(at: offset + 8, count: count)) }
      offset += 12 + count
    }
  }

  private mutating func read(_ type: String, _ data: ArraySlice<UInt8>) {
    var reader = ByteReader(data)
    func fractions(_ count: Int) -> [Double] {
      (0..<count).compactMap { _ in reader.number(4).map { Double($0) / 100_000 } }
    }
    switch type {
    case "cICP":
      // The third number is that of the matrix, and is 0 for RGB.
      guard let primaries = reader.number(1), let transfer = reader.number(1), reader.number(1) == 0 else { return }
      coded = CodedColors(primaries: primaries, transfer: transfer)
    case "sRGB": isSRGB = true
    case "acTL": isAnimation = true
    case "gAMA": gamma = fractions(1).first { (0.05...20).contains($0) }
    case "cHRM":
      let numbers = fractions(8)
      guard numbers.count == 8 else { return }
      let points = stride(from: 0, to: 8, by: 2).map { SIMD2(numbers[$0], numbers[$0 + 1]) }
      chromaticities = points.dropFirst() + [points[0]]
    default: break
    }
  }
}
