/// The way in which new pixels are computed from old ones.
enum ScalingFilter {
  /// Keys' cubic of -0.5 (Catmull-Rom), as wide as the old pixels that a new one replaces. It is sharp, with hardly any
  /// ringing.
  case smooth
  /// The old pixel at the same place, so that the user sees single pixels.
  case nearest
}

extension Pixels {
  /// Returns the image scaled to exactly `target`.
  ///
  /// - Parameter threads: The number of threads that share the work.
  func scaled(to target: PixelSize, _ filter: ScalingFilter = .smooth, threads: Int = 1) -> Pixels {
    guard target != size else { return self }
    let columns = Weights(from: size.width, to: target.width, filter)
    let rows = Weights(from: size.height, to: target.height, filter)
    // The threads share these: all of them only read the old pixels, and each writes its own rows of the new ones.
    nonisolated(unsafe) let (old, new) = (self, Pixels(target))
    let shares = min(threads, target.height)
    SharedWork.perform(shares: shares) { share in
      let range = target.height * share / shares..<target.height * (share + 1) / shares
      scale(old, to: new, rows: range, columns, rows)
    }
    return new
  }
}

/// Computes some rows of the new pixels.
private func scale(_ old: Pixels, to new: Pixels, rows range: Range<Int>, _ columns: Weights, _ rows: Weights) {
  let width = new.size.width
  // A ring of the last old rows at the new width, as many as a new row is made of.
  let narrowed = UnsafeMutableBufferPointer<SIMD4<Int32>>.allocate(capacity: rows.taps * width)
  defer { narrowed.deallocate() }
  func slot(_ row: Int) -> UnsafeMutableBufferPointer<SIMD4<Int32>> {
    UnsafeMutableBufferPointer(rebasing: narrowed[row % rows.taps * width..<(row % rows.taps + 1) * width])
  }
  var ready = rows.first[range.lowerBound]
  for y in range {
    let first = rows.first[y]
    ready = max(ready, first)
    while ready < first + rows.taps {
      columns.narrow(old.row(ready), into: slot(ready))
      ready += 1
    }
    rows.combine(y, slot, into: new.row(y))
  }
}

/// The old pixels of a line that make up each new one, and their shares.
private struct Weights {
  /// The fractional bits of a share, and of a color between the two passes.
  private static let (shareBits, colorBits) = (Int32(14), Int32(6))

  /// The number of old pixels for each new one.
  let taps: Int
  /// The first old pixel for each new one.
  private(set) var first: [Int] = []
  /// The shares of the old pixels, `taps` for each new one.
  private var shares: [Int32] = []

  init(from old: Int, to new: Int, _ filter: ScalingFilter) {
    let ratio = Double(old) / Double(new)
    guard filter == .smooth else {
      taps = 1
      first = (0..<new).map { min(old - 1, Int((Double($0) + 0.5) * ratio)) }
      shares = Array(repeating: 1 << Self.shareBits, count: new)
      return
    }
    let width = max(1, ratio)
    taps = min(old, Int((4 * width).rounded(.up)))
    for index in 0..<new {
      let center = (Double(index) + 0.5) * ratio - 0.5
      let start = min(max(0, Int((center - 2 * width).rounded(.up))), old - taps)
      let values = (0..<taps).map { Self.cubic(abs(Double(start + $0) - center) / width) }
      let sum = values.reduce(0, +)
      first.append(start)
      shares += values.map { Int32(($0 / sum * Double(1 << Self.shareBits)).rounded()) }
    }
  }

  /// The filter of R. Keys, "Cubic convolution interpolation for digital image processing" (1981), a = -0.5.
  private static func cubic(_ x: Double) -> Double {
    if x < 1 { return (1.5 * x - 2.5) * x * x + 1 }
    return x < 2 ? ((-0.5 * x + 2.5) * x - 4) * x + 2 : 0
  }

  /// Scales a row to the new width.
  func narrow(_ row: UnsafeMutableBufferPointer<UInt32>, into out: UnsafeMutableBufferPointer<SIMD4<Int32>>) {
    shares.withUnsafeBufferPointer { shares in
      first.withUnsafeBufferPointer { first in
        for x in 0..<out.count {
          var sum = SIMD4<Int32>()
          for tap in 0..<taps {
            let color = SIMD4<Int32>(truncatingIfNeeded: unsafeBitCast(row[first[x] + tap], to: SIMD4<UInt8>.self))
            sum &+= color &* shares[x * taps + tap]
          }
          out[x] = sum &>> (Self.shareBits - Self.colorBits)
        }
      }
    }
  }

  /// Computes the new row `y` from old rows at the new width.
  func combine(
    _ y: Int, _ slot: (Int) -> UnsafeMutableBufferPointer<SIMD4<Int32>>, into out: UnsafeMutableBufferPointer<UInt32>
  ) {
    let lines = (0..<taps).map { (slot(first[y] + $0), shares[y * taps + $0]) }
    let half = SIMD4<Int32>(repeating: 1 << (Self.shareBits + Self.colorBits - 1))
    lines.withUnsafeBufferPointer { lines in
      for x in 0..<out.count {
        var sum = half
        for (line, share) in lines { sum &+= line[x] &* share }
        let color = (sum &>> (Self.shareBits + Self.colorBits)).clamped(
          lowerBound: SIMD4(), upperBound: SIMD4(repeating: 255))
        out[x] = unsafeBitCast(SIMD4<UInt8>(truncatingIfNeeded: color), to: UInt32.self) | 0xFF00_0000
      }
    }
  }
}
