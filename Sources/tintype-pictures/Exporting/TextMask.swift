/// How much of each pixel is covered, from 0 to 255.
struct TextMask {
  let width: Int
  let height: Int
  var values: [UInt8]

  /// Returns the same with pixels around it that are not covered.
  func padded(by border: Int) -> TextMask {
    let wide = width + 2 * border
    var padded = TextMask(width: wide, height: height + 2 * border, values: [])
    padded.values = Array(repeating: 0, count: wide * padded.height)
    for y in 0..<height {
      for x in 0..<width { padded.values[(y + border) * wide + x + border] = values[y * width + x] }
    }
    return padded
  }

  /// Returns the same, spread in all directions: twice the average over a square, at most all.
  func spread(_ radius: Int) -> TextMask {
    func averaged(_ values: [UInt8], step: Int, count: Int, lines: Int, lineStep: Int, gain: Int) -> [UInt8] {
      var result = values
      for line in 0..<lines {
        var sum = 0
        func value(_ index: Int) -> Int {
          index >= 0 && index < count ? Int(values[line * lineStep + index * step]) : 0
        }
        for index in -radius..<radius { sum += value(index) }
        for index in 0..<count {
          sum += value(index + radius)
          result[line * lineStep + index * step] = UInt8(min(255, sum * gain / (2 * radius + 1)))
          sum -= value(index - radius)
        }
      }
      return result
    }
    var result = self
    result.values = averaged(values, step: 1, count: width, lines: height, lineStep: width, gain: 1)
    result.values = averaged(result.values, step: width, count: height, lines: width, lineStep: 1, gain: 3)
    return result
  }

  /// Blends a color (0xRRGGBB) into an image where it is covered.
  func cover(_ pixels: Pixels, left: Int, top: Int, color: UInt32, share: UInt32) {
    let word = Pixels.word(color)
    for y in max(0, -top)..<max(max(0, -top), min(height, pixels.size.height - top)) {
      let row = pixels.row(top + y)
      for x in max(0, -left)..<max(max(0, -left), min(width, pixels.size.width - left)) {
        let weight = UInt32(values[y * width + x]) * share / 255
        row[left + x] = row[left + x].blended(with: word, weight)
      }
    }
  }
}

extension UInt32 {
  /// Returns this pixel with a share of another one, in units of 1/256.
  fileprivate func blended(with other: UInt32, _ weight: UInt32) -> UInt32 {
    func mix(_ shift: UInt32) -> UInt32 {
      let (own, new) = (self >> shift & 255, other >> shift & 255)
      return ((own * (256 - weight) + new * weight + 128) >> 8) << shift
    }
    return mix(0) | mix(8) | mix(16) | 0xFF00_0000
  }
}
