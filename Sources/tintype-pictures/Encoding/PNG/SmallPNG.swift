import CDeflate
import ImageWire

/// Makes PNGs for a slow line (PNG, third edition).
///
/// libdeflate compresses them, as libspng and libvips can only do so with zlib: photos get a tenth smaller.
enum SmallPNG {
  /// The levels of libdeflate: for a first look, for most images, and for those that take long on the line.
  private static let (quickLevel, usualLevel, slowLevel): (Int32, Int32, Int32) = (1, 6, 10)
  /// The time on the line, in seconds, from which the slow level is worth its 0.4 s for a million pixels. It saves 5 to 12 %.
  private static let longTime = 4

  /// Encodes pixels as a file. Returns nil if memory is short.
  ///
  /// - Parameters:
  ///   - colors: The number of colors, at most 256, or nil for 24 bits a pixel.
  ///   - throughput: The line's throughput in bytes per second, or 0 if the time on it doesn't matter.
  static func encode(_ pixels: Pixels, colors: Int?, throughput: Int) -> [UInt8]? {
    var palette = colors.map { Palette(of: pixels, count: $0) }
    let samples = palette?.indices(of: pixels) ?? pixels.rgb()
    let lines = Scanlines(samples, width: pixels.size.width, samplesPerPixel: palette == nil ? 3 : 1)
    guard let data = compressed(lines, throughput: throughput) else { return nil }
    var file = PNGFile(pixels.size, palette: palette?.bytes)
    file.append("IDAT", data)
    file.append("IEND")
    return file.bytes
  }

  /// Returns the lines as a zlib stream, filtered in the way that makes them smallest.
  private static func compressed(_ lines: Scanlines, throughput: Int) -> [UInt8]? {
    let filtered = lines.filters.map { lines.filtered(by: $0) }
    let sizes = filtered.count > 1 ? filtered.map { compressed($0, level: quickLevel)?.count ?? .max } : [0]
    guard let best = zip(filtered, sizes).min(by: { $0.1 < $1.1 })?.0,
      let stream = compressed(best, level: usualLevel)
    else { return nil }
    // In base64, three bytes become four.
    let isLong = throughput > 0 && stream.count / 3 * 4 > throughput * longTime
    return isLong ? compressed(best, level: slowLevel) : stream
  }

  /// Returns bytes as a zlib stream (RFC 1950), or nil if memory is short.
  private static func compressed(_ bytes: [UInt8], level: Int32) -> [UInt8]? {
    guard let compressor = libdeflate_alloc_compressor(level) else { return nil }
    defer { libdeflate_free_compressor(compressor) }
    let bound = libdeflate_zlib_compress_bound(compressor, bytes.count)
    let stream = [UInt8](unsafeUninitializedCapacity: bound) { buffer, count in
      count = libdeflate_zlib_compress(compressor, bytes, bytes.count, buffer.baseAddress, bound)
    }
    return stream.isEmpty ? nil : stream
  }
}

/// The samples of an image, which a filter replaces by their distances from what the samples around them predict.
private struct Scanlines {
  /// The kind of prediction, with its number in the file.
  enum Filter: UInt8 {
    case none = 0
    /// The mean of the samples to the left and above.
    case average = 3
    /// The sample to the left, above, or between these two that is nearest to a plane through all three.
    case paeth = 4
  }

  /// The samples, with a pixel of zeros before each line and a line of zeros above the first one.
  private let padded: [UInt8]
  private let samplesPerPixel: Int
  /// The samples of a line.
  private let length: Int
  private let height: Int

  /// The filters that can make the file smaller. Numbers of colors predict nothing.
  var filters: [Filter] { samplesPerPixel == 1 ? [.none] : [.average, .paeth, .none] }

  init(_ samples: [UInt8], width: Int, samplesPerPixel: Int) {
    length = width * samplesPerPixel
    height = samples.count / length
    self.samplesPerPixel = samplesPerPixel
    var padded = [UInt8](repeating: 0, count: length + samplesPerPixel)
    padded.reserveCapacity((length + samplesPerPixel) * (height + 1))
    for start in stride(from: 0, to: samples.count, by: length) {
      padded.append(contentsOf: repeatElement(0, count: samplesPerPixel))
      padded += samples[start..<start + length]
    }
    self.padded = padded
  }

  /// Returns the lines, each with the filter's number before it.
  func filtered(by filter: Filter) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: (length + 1) * height) { target, count in
      count = (length + 1) * height
      padded.withUnsafeBufferPointer { padded in
        for line in 0..<height {
          target[line * (length + 1)] = filter.rawValue
          let above = line * (length + samplesPerPixel)
          filterLine(
            above: UnsafeBufferPointer(rebasing: padded[above..<above + length + samplesPerPixel]),
            UnsafeBufferPointer(
              rebasing: padded[(above + length + samplesPerPixel)...].prefix(length + samplesPerPixel)),
            UnsafeMutableBufferPointer(rebasing: target[(line * (length + 1) + 1)...].prefix(length)), filter)
        }
      }
    }
  }

  private func filterLine(
    above: UnsafeBufferPointer<UInt8>, _ line: UnsafeBufferPointer<UInt8>,
    _ target: UnsafeMutableBufferPointer<UInt8>, _ filter: Filter
  ) {
    let offset = samplesPerPixel
    switch filter {
    case .none:
      for index in 0..<length { target[index] = line[index + offset] }
    case .average:
      for index in 0..<length {
        let mean = (UInt16(line[index]) + UInt16(above[index + offset])) / 2
        target[index] = line[index + offset] &- UInt8(truncatingIfNeeded: mean)
      }
    case .paeth:
      for index in 0..<length {
        let (left, up, between) = (Int16(line[index]), Int16(above[index + offset]), Int16(above[index]))
        let (leftDistance, upDistance) = (abs(up &- between), abs(left &- between))
        let distance = abs(left &+ up &- 2 &* between)
        let isLeft = leftDistance <= upDistance && leftDistance <= distance
        let nearest = isLeft ? left : upDistance <= distance ? up : between
        target[index] = line[index + offset] &- UInt8(truncatingIfNeeded: nearest)
      }
    }
  }
}

extension Palette {
  /// The colors, three bytes each.
  fileprivate var bytes: [UInt8] {
    colors.flatMap { [UInt8($0 >> 16 & 0xFF), UInt8($0 >> 8 & 0xFF), UInt8($0 & 0xFF)] }
  }

  /// Returns the number of each pixel's color.
  ///
  /// A pixel gets the color of the one to its left if that is not much farther from its own than the nearest one, because a
  /// number that repeats is compressed better. That takes 14 % fewer bytes, and the difference is seen as little as noise.
  fileprivate mutating func indices(of pixels: Pixels) -> [UInt8] {
    let channels = colors.map { SIMD4(truncatingIfNeeded: SIMD4($0 >> 16, $0 >> 8, $0, 0) & 0xFF) as SIMD4<Int32> }
    func square(_ difference: SIMD4<Int32>) -> Int32 { (difference &* difference).wrappedSum() }
    let count = pixels.words.count
    return [UInt8](unsafeUninitializedCapacity: count) { indices, written in
      written = count
      for place in 0..<count {
        let pixel = unsafeBitCast(pixels.words[place] & 0xFF_FFFF, to: SIMD4<UInt8>.self)
        let wanted = SIMD4<Int32>(truncatingIfNeeded: pixel)
        var color = index(red: Int(wanted.x), green: Int(wanted.y), blue: Int(wanted.z))
        if place > 0 {
          let left = Int(indices[place - 1])
          let price = min(Self.price + Int32(pixels.variation(at: place)), Self.mostPrice)
          if square(channels[left] &- wanted) <= square(channels[color] &- wanted) + price { color = left }
        }
        indices[place] = UInt8(color)
      }
    }
  }

  /// The price of a color that differs from the one to the left in an even area, compared with the sum of the squares of the
  /// differences of red, green and blue, and the maximum, where a pixel differs from its neighbors.
  private static let (price, mostPrice): (Int32, Int32) = (10, 60)
}
