import Gallery
import Metadata

/// The colors of an image's samples, as numbers describe them.
struct ColorSpace: Equatable {
  /// The curves of red, green, and blue.
  let curves: [ToneCurve]
  /// The light in sRGB's red, green, and blue of each of the primaries.
  let primaries: [SIMD4<Float>]

  static let srgb = ColorSpace(.srgb, .srgb)
  /// Adobe RGB (1998), with the exponent 2 51/256.
  static let adobeRGB = ColorSpace(.gamma(563.0 / 256), .adobeRGB)

  /// Whether light is brighter than white.
  var isHDR: Bool { curves[0] == .pq || curves[0] == .hlg }

  init(_ curve: ToneCurve, _ primaries: Primaries) {
    curves = [curve, curve, curve]
    let matrix = primaries == .srgb ? Matrix.identity : Primaries.srgb.toXYZ.inverse * primaries.toXYZ
    self.primaries = matrix.columns.map { SIMD4($0, 0) }
  }

  /// - Parameter colorants: The XYZ of the primaries, relative to the white of ICC profiles (D50).
  init(_ curves: [ToneCurve], colorants: Matrix) {
    self.curves = curves
    primaries = (Primaries.srgb.toXYZ.inverse * colorants).columns.map { SIMD4($0, 0) }
  }

  /// The colors of an image whose file or profile names them by the numbers of Rec. ITU-T H.273.
  init?(_ codes: CodedColors) {
    guard let primaries = Primaries(code: codes.primaries) else { return nil }
    switch codes.transfer {
    case 4: self.init(.gamma(2.2), primaries)
    case 5: self.init(.gamma(2.8), primaries)
    case 8: self.init(.gamma(1), primaries)
    case 16: self.init(.pq, primaries)
    case 17: self.init(.gamma(2.6), primaries)
    case 18: self.init(.hlg, primaries)
    default: self.init(.srgb, primaries)
    }
  }
}

extension ColorSpace {
  /// The colors by the chunks of a PNG that has no profile.
  init(png: PNGColors) {
    let primaries = png.isSRGB ? nil : png.chromaticities.flatMap { Primaries($0) }
    // Programs write 1/2.2 for the curve of sRGB.
    let isUsual = png.gamma.map { abs($0 - 0.45455) < 0.001 } ?? true
    let curve = png.isSRGB || isUsual ? nil : png.gamma.map { ToneCurve.gamma(1 / $0) }
    self.init(curve ?? .srgb, primaries.flatMap { $0.isNear(.srgb) ? nil : $0 } ?? .srgb)
  }
}

extension ImageFile {
  /// The colors whose numbers a PNG, HEIF or AVIF has, which count before a profile; nil if it has none.
  var codedSpace: ColorSpace? {
    (format == .png ? PNGColors(self).coded : heifColors).flatMap { ColorSpace($0) }
  }

  /// The colors of an image that has neither numbers of them nor a profile.
  var spaceWithoutProfile: ColorSpace { format == .png ? ColorSpace(png: PNGColors(self)) : .srgb }
}

/// The chromaticities of red, green, blue, and white.
struct Primaries: Equatable {
  /// The x and y of each (CIE 1931).
  private let points: [SIMD2<Double>]

  static let srgb = Primaries([[0.64, 0.33], [0.3, 0.6], [0.15, 0.06]], white: daylight)
  static let adobeRGB = Primaries([[0.64, 0.33], [0.21, 0.71], [0.15, 0.06]], white: daylight)
  private static let daylight: SIMD2<Double> = [0.3127, 0.329]

  private init(_ colors: [SIMD2<Double>], white: SIMD2<Double>) { points = colors + [white] }

  /// Returns nil for points that can't be those of a screen.
  init?(_ points: [SIMD2<Double>]) {
    guard points.count == 4, points.allSatisfy({ $0.y > 0.001 && $0.x >= 0 && $0.x + $0.y <= 1.001 }) else {
      return nil
    }
    self.points = points
    guard abs(Matrix(columns: points.prefix(3).map(Self.xyz)).determinant) > 0.001 else { return nil }
  }

  /// Whether the points are the same but for rounding.
  func isNear(_ other: Primaries) -> Bool {
    zip(points, other.points).allSatisfy { abs($0.x - $1.x) < 0.001 && abs($0.y - $1.y) < 0.001 }
  }

  /// - Parameter code: The number of Rec. ITU-T H.273, table 2.
  fileprivate init?(code: Int) {
    let (c, dci): (SIMD2<Double>, SIMD2<Double>) = ([0.31, 0.316], [0.314, 0.351])
    switch code {
    case 1, 2: self = .srgb
    case 4: self.init([[0.67, 0.33], [0.21, 0.71], [0.14, 0.08]], white: c)
    case 5: self.init([[0.64, 0.33], [0.29, 0.6], [0.15, 0.06]], white: Self.daylight)
    case 6, 7: self.init([[0.63, 0.34], [0.31, 0.595], [0.155, 0.07]], white: Self.daylight)
    case 8: self.init([[0.681, 0.319], [0.243, 0.692], [0.145, 0.049]], white: c)
    case 9: self.init([[0.708, 0.292], [0.17, 0.797], [0.131, 0.046]], white: Self.daylight)
    case 11: self.init([[0.68, 0.32], [0.265, 0.69], [0.15, 0.06]], white: dci)
    case 12: self.init([[0.68, 0.32], [0.265, 0.69], [0.15, 0.06]], white: Self.daylight)
    case 22: self.init([[0.63, 0.34], [0.295, 0.605], [0.155, 0.077]], white: Self.daylight)
    default: return nil
    }
  }

  /// The matrix from light to the XYZ under D50, which white is adapted to (ICC.1:2022, annex E).
  fileprivate var toXYZ: Matrix {
    let colors = Matrix(columns: points.prefix(3).map(Self.xyz))
    let white = Self.xyz(points[3])
    let shares = colors.inverse * white
    let cones = Matrix(columns: [[0.8951, -0.7502, 0.0389], [0.2664, 1.7135, -0.0685], [-0.1614, 0.0367, 1.0296]])
    let gains = (cones * SIMD3(0.9642, 1, 0.8249)) / (cones * white)
    let adapted = cones.inverse * Matrix(diagonal: gains) * cones
    return adapted * colors * Matrix(diagonal: shares)
  }

  private static func xyz(_ point: SIMD2<Double>) -> SIMD3<Double> {
    SIMD3(point.x / point.y, 1, (1 - point.x - point.y) / point.y)
  }
}

/// A matrix of three rows and three columns.
struct Matrix: Equatable {
  let columns: [SIMD3<Double>]

  static let identity = Matrix(diagonal: [1, 1, 1])

  init(columns: [SIMD3<Double>]) { self.columns = columns }

  init(diagonal: SIMD3<Double>) {
    columns = [[diagonal.x, 0, 0], [0, diagonal.y, 0], [0, 0, diagonal.z]]
  }

  var determinant: Double { (columns[0] * Self.cross(columns[1], columns[2])).sum() }

  var inverse: Matrix {
    let rows = [
      Self.cross(columns[1], columns[2]), Self.cross(columns[2], columns[0]), Self.cross(columns[0], columns[1]),
    ]
    return Matrix(columns: (0..<3).map { SIMD3(rows[0][$0], rows[1][$0], rows[2][$0]) / determinant })
  }

  static func * (matrix: Matrix, vector: SIMD3<Double>) -> SIMD3<Double> {
    matrix.columns[0] * vector.x + matrix.columns[1] * vector.y + matrix.columns[2] * vector.z
  }

  static func * (first: Matrix, second: Matrix) -> Matrix { Matrix(columns: second.columns.map { first * $0 }) }

  private static func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
  }
}

extension SIMD4<Float> {
  fileprivate init(_ vector: SIMD3<Double>, _ last: Float) {
    self.init(Float(vector.x), Float(vector.y), Float(vector.z), last)
  }
}
