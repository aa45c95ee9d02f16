#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Brings the light of an HDR image into the range of a usual screen (Rep. ITU-R BT.2390-10, 5.4.1, "EETF").
///
/// Dark and middle tones stay as they are, and brighter ones come nearer to one another: the reference white becomes 0.8 of
/// the light of the screen's white, which leaves room for highlights. The largest of a pixel's colors decides, so that no
/// color is cut off and the hue stays.
struct ToneMapping {
  /// The luminance up to which highlights differ, in cd/m²: that of the screens on which HDR is mastered. Light is relative to
  /// the reference white.
  static let peak = 1000 / PerceptualQuantizer.referenceWhite

  /// The factors for evenly spaced fourth roots of light, up to that of the peak.
  private static let factors: [Float] = (0...1024).map { index in
    let light = pow(Double(max(1, index)) / 1024, 4) * peak
    return Float(mapped(light) / light)
  }
  private static let step = 1024 / Float(sqrt(sqrt(peak)))

  /// Returns the light of the screen, from 0 to 1.
  private static func mapped(_ light: Double) -> Double {
    let most = PerceptualQuantizer.code(peak)
    let target = PerceptualQuantizer.code(1) / most
    let knee = 1.5 * target - 0.5
    let code = PerceptualQuantizer.code(light) / most
    guard code > knee else { return light }
    let t = (code - knee) / (1 - knee)
    let (square, cube) = (t * t, t * t * t)
    let spline =
      (2 * cube - 3 * square + 1) * knee + (cube - 2 * square + t) * (1 - knee) + (3 * square - 2 * cube) * target
    return PerceptualQuantizer.light(spline * most)
  }

  /// Turns the light of a scene, from 0 to 1, into that of a screen with the peak (Rec. ITU-R BT.2100-2, table 5, "OOTF").
  static func showScene(_ row: LightRow) {
    for x in 0..<row.count {
      let luminance = max(0, 0.2627 * row[x].x + 0.678 * row[x].y + 0.0593 * row[x].z)
      let alpha = row[x].w
      row[x] *= powf(luminance, 0.2) * Float(peak)
      row[x].w = alpha
    }
  }

  /// Maps the light of a row of pixels in place.
  static func map(_ row: LightRow) {
    factors.withUnsafeBufferPointer { factors in
      for x in 0..<row.count {
        let largest = max(row[x].x, max(row[x].y, row[x].z))
        guard largest > 0 else { continue }
        let place = min(largest.squareRoot().squareRoot() * step, 1023.99)
        let index = Int(place)
        let alpha = row[x].w
        row[x] *= factors[index] + (factors[index + 1] - factors[index]) * (place - Float(index))
        row[x].w = alpha
      }
    }
  }
}
