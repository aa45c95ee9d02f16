import Dispatch

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
    let scaler = Scaler(from: size, to: target, filter)
    // The threads share these: all of them only read the old pixels, and each writes its own rows of the new ones.
    nonisolated(unsafe) let (old, new) = (self, Pixels(target))
    let shares = min(threads, target.height)
    DispatchQueue.concurrentPerform(iterations: shares) { share in
      let rows = target.height * share / shares..<target.height * (share + 1) / shares
      let words = new.words[rows.lowerBound * target.width..<rows.upperBound * target.width]
      scaler.scale(old, rows, to: UnsafeMutableBufferPointer(rebasing: words))
    }
    return new
  }
}

/// Scales images of one size to another one, some rows at a time.
struct Scaler {
  private let columnWeights: Weights
  private let rowWeights: Weights
  private let width: Int

  init(from old: PixelSize, to new: PixelSize, _ filter: ScalingFilter = .smooth) {
    columnWeights = Weights(from: old.width, to: new.width, filter)
    rowWeights = Weights(from: old.height, to: new.height, filter)
    width = new.width
  }

  /// Returns the number of old rows, from the first one on, that some rows of the new image are made of.
  func oldRows(for range: Range<Int>) -> Int { rowWeights.first[range.upperBound - 1] + rowWeights.taps }

  /// Returns some rows of the new image.
  func rows(_ range: Range<Int>, of old: Pixels) -> Pixels {
    let new = Pixels(PixelSize(width, range.count))
    scale(old, range, to: new.words)
    return new
  }

  /// Computes some rows of the new image, the first of which is at the beginning of `new`.
  fileprivate func scale(_ old: Pixels, _ range: Range<Int>, to new: UnsafeMutableBufferPointer<UInt32>) {
    // A ring of the last old rows at the new width, as many as a new row is made of.
    let narrowed = UnsafeMutableBufferPointer<SIMD4<Int32>>.allocate(capacity: rowWeights.taps * width)
    defer { narrowed.deallocate() }
    func slot(_ row: Int) -> UnsafeMutableBufferPointer<SIMD4<Int32>> {
      let slot = row % rowWeights.taps
      return UnsafeMutableBufferPointer(rebasing: narrowed[slot * width..<(slot + 1) * width])
    }
    var ready = rowWeights.first[range.lowerBound]
    for (line, y) in range.enumerated() {
      let first = rowWeights.first[y]
      ready = max(ready, first)
      while ready < first + rowWeights.taps {
        columnWeights.narrow(old.row(ready), into: slot(ready))
        ready += 1
      }
      rowWeights.combine(y, slot, into: UnsafeMutableBufferPointer(rebasing: new[line * width..<(line + 1) * width]))
    }
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
