import Foundation
import Torture

@testable import tintype_pictures

/// What happens to a photo between the scene and the file, in gray.
extension Pixels {
  /// Returns an image of grays.
  static func gray(_ size: PixelSize, _ value: (_ x: Int, _ y: Int) -> Int) -> Pixels {
    let result = Pixels(size)
    for y in 0..<size.height {
      let row = result.row(y)
      for x in 0..<size.width { row[x] = word(UInt32(min(255, max(0, value(x, y)))) * 0x010101) }
    }
    return result
  }

  /// The gray of each pixel.
  var grays: [Int] {
    words.map { Int(($0 & 0xFF) + 2 * ($0 >> 8 & 0xFF) + ($0 >> 16 & 0xFF)) / 4 }
  }

  /// Returns the image out of focus. Each pass adds 0.5 to the square of the blur's standard deviation in pixels.
  func blurred(passes: Int) -> Pixels {
    var values = grays.map { $0 * 16 }
    for _ in 0..<passes {
      for (step, length) in [(1, size.width), (size.width, values.count)] {
        values = Self.averaged(values, [-step, 0, 0, step], along: length)
      }
    }
    return Self.gray(size) { x, y in (values[y * size.width + x] + 8) / 16 }
  }

  /// Returns the image as a camera takes it that moves to the right, or down.
  func shaken(length: Int, down: Bool = false) -> Pixels {
    let step = down ? size.width : 1
    let places = (0..<length).map { ($0 - length / 2) * step }
    let values = Self.averaged(grays.map { $0 * 16 }, places, along: down ? size.area : size.width)
    return Self.gray(size) { x, y in (values[y * size.width + x] + 8) / 16 }
  }

  /// Returns the image with noise of a standard deviation in levels of 255, and with another exposure.
  func noisy(_ deviation: Double, gain: Double = 1, seed: Int = 1) -> Pixels {
    var random = SplitMix(seed: seed)
    let grays = grays
    return Self.gray(size) { x, y in
      // The sum of four even numbers from -1 to 1 is nearly normal, with a deviation of 1.15.
      let noise = (0..<4).reduce(0.0) { sum, _ in sum + Double.random(in: -1...1, using: &random) } / 1.1547
      return Int((Double(grays[y * size.width + x]) * gain + noise * deviation).rounded())
    }
  }

  /// Returns the image with some of its frequencies lost, as by JPEG (ITU-T T.81, annex A.3.3).
  ///
  /// - Parameter step: The size of the steps in which amplitudes are stored. It is 3 to 20 at a quality of 85.
  func compressed(step: Double) -> Pixels {
    var values = grays.map { Double($0) - 128 }
    let waves = (0..<8).map { frequency in
      let scale = frequency == 0 ? 0.125.squareRoot() : 0.5
      return (0..<8).map { place -> Double in scale * cos(Double.pi * Double(frequency) * (Double(place) + 0.5) / 8) }
    }
    for top in stride(from: 0, to: size.height - 7, by: 8) {
      for left in stride(from: 0, to: size.width - 7, by: 8) {
        var block = (0..<64).map { values[(top + $0 / 8) * size.width + left + $0 % 8] }
        block = Self.transformed(block) { waves[$0][$1] }.map { ($0 / step).rounded() * step }
        block = Self.transformed(block) { waves[$1][$0] }
        for place in 0..<64 { values[(top + place / 8) * size.width + left + place % 8] = block[place] }
      }
    }
    return Self.gray(size) { x, y in Int((values[y * size.width + x] + 128).rounded()) }
  }

  /// Returns the image with a part of another one.
  func replacing(_ rect: PixelRect, by other: Pixels) -> Pixels {
    let (grays, others) = (grays, other.grays)
    return Self.gray(size) { x, y in
      let isInside =
        (rect.x..<rect.x + rect.size.width).contains(x) && (rect.y..<rect.y + rect.size.height).contains(y)
      return (isInside ? others : grays)[y * size.width + x]
    }
  }

  private static func averaged(_ values: [Int], _ places: [Int], along length: Int) -> [Int] {
    values.withUnsafeBufferPointer { values in
      (0..<values.count).map { index in
        let start = index / length * length
        var sum = 0
        for place in places {
          let near = index + place
          sum += values[near < start || near >= start + length ? index : near]
        }
        return sum / places.count
      }
    }
  }

  private static func transformed(_ block: [Double], _ wave: (Int, Int) -> Double) -> [Double] {
    let rows = (0..<64).map { place in
      (0..<8).reduce(0.0) { $0 + wave(place % 8, $1) * block[place / 8 * 8 + $1] }
    }
    return (0..<64).map { place in (0..<8).reduce(0.0) { $0 + wave(place / 8, $1) * rows[$1 * 8 + place % 8] } }
  }
}
