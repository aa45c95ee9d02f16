#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The function from a code, 0 to 1, to the light that it represents, relative to white.
enum ToneCurve: Equatable {
  /// IEC 61966-2-1. The curves of television are shown as this one, as in browsers.
  case srgb
  case gamma(Double)
  /// A function of ICC.1:2022, 10.18 (parametricCurveType): its type, and its parameters.
  case parametric(Int, [Double])
  /// Light at evenly spaced codes, from 0 to 65,535.
  case points([UInt16])
  /// Perceptual quantization, relative to the reference white (Rec. ITU-R BT.2100-2).
  case pq
  /// Hybrid log-gamma: the light of the scene (Rec. ITU-R BT.2100-2).
  case hlg

  /// Returns the light of a code.
  func light(_ code: Double) -> Double {
    switch self {
    case .srgb: return code <= 0.04045 ? code / 12.92 : pow((code + 0.055) / 1.055, 2.4)
    case .gamma(let exponent): return pow(code, exponent)
    case .parametric(let type, let parameters): return Self.light(code, type, parameters)
    case .points(let points):
      let place = code * Double(points.count - 1)
      let index = min(Int(place), points.count - 2)
      let (low, high) = (Double(points[index]), Double(points[index + 1]))
      return (low + (high - low) * (place - Double(index))) / 65535
    case .pq: return PerceptualQuantizer.light(code)
    case .hlg:
      let (a, b, c) = (0.17883277, 0.28466892, 0.55991073)
      return code <= 0.5 ? code * code / 3 : (exp((code - c) / a) + b) / 12
    }
  }

  /// - Parameter values: The parameters g, a, b, c, d, e, f of the standard, as many as the type has.
  private static func light(_ x: Double, _ type: Int, _ values: [Double]) -> Double {
    let g = values[0]
    guard type > 0 else { return pow(x, g) }
    let (a, b) = (values[1], values[2])
    let isCurved = type <= 2 ? a * x + b >= 0 : x >= values[4]
    let curved = pow(max(0, a * x + b), g)
    switch type {
    case 1: return isCurved ? curved : 0
    case 2: return (isCurved ? curved : 0) + values[3]
    case 3: return isCurved ? curved : values[3] * x
    default: return isCurved ? curved + values[5] : values[3] * x + values[6]
    }
  }
}

/// The curve of Rec. ITU-R BT.2100-2, table 4, between codes and luminances of 0 to 10,000 cd/m². A luminance is relative to
/// that of the reference white (Rep. ITU-R BT.2408).
enum PerceptualQuantizer {
  /// In cd/m².
  static let referenceWhite = 203.0

  private static let (m1, m2) = (2610.0 / 16384, 2523.0 / 4096 * 128)
  private static let (c1, c2, c3) = (3424.0 / 4096, 2413.0 / 4096 * 32, 2392.0 / 4096 * 32)

  static func light(_ code: Double) -> Double {
    let power = pow(code, 1 / m2)
    return pow(max(0, power - c1) / (c2 - c3 * power), 1 / m1) * 10_000 / referenceWhite
  }

  static func code(_ light: Double) -> Double {
    let power = pow(light * referenceWhite / 10_000, m1)
    return pow((c1 + c2 * power) / (1 + c3 * power), m2)
  }
}
