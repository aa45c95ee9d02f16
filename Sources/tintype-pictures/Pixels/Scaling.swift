#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The way in which new pixels are computed from old ones.
enum ScalingFilter {
  /// Keys' cubic of -0.5 (Catmull-Rom), as wide as the old pixels that a new one replaces. It is sharp, with hardly any
  /// ringing.
  case smooth
  /// Lanczos's sinc with three lobes, for files that are kept. It is sharper, with a little ringing.
  case sharp
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
    SharedWork.perform(shares: shares) { share in
      scaler.scale(old, target.height * share / shares..<target.height * (share + 1) / shares, to: new)
    }
    return new
  }
}

/// Scales images of one size to another one, some rows at a time.
struct Scaler {
  private let columnWeights: Weights
  private let rowWeights: Weights
  private let transfer: TransferCurve
  private let oldSize: PixelSize
  private let width: Int
  /// The side of the squares of old pixels that are averaged before the filter. That leaves the filter at least twice the
  /// pixels of the new image, and takes half the time where there are many more.
  private let square: Int

  init(from old: PixelSize, to new: PixelSize, _ filter: ScalingFilter = .smooth) {
    let ratio = min(old.width / new.width, old.height / new.height)
    square = filter == .nearest ? 1 : max(1, ratio / (filter == .smooth ? 2 : 4))
    columnWeights = Weights(from: old.width, to: new.width, inSquares: square, filter)
    rowWeights = Weights(from: old.height, to: new.height, inSquares: square, filter)
    let isSmaller = new.width < old.width || new.height < old.height
    transfer = filter != .nearest && isSmaller ? .linear : .encoded
    oldSize = old
    width = new.width
  }

  /// Returns the number of old rows, from the first one on, that some rows of the new image are made of.
  func oldRows(for range: Range<Int>) -> Int {
    min(oldSize.height, (rowWeights.first[range.upperBound - 1] + rowWeights.taps) * square)
  }

  /// Returns some rows of the new image.
  func rows(_ range: Range<Int>, of old: Pixels) -> Pixels {
    let new = Pixels(PixelSize(width, range.count))
    scale(old, range, to: new.words)
    return new
  }

  /// Computes some rows of the new image in their places.
  func scale(_ old: Pixels, _ range: Range<Int>, to new: Pixels) {
    let words = new.words[range.lowerBound * width..<range.upperBound * width]
    scale(old, range, to: UnsafeMutableBufferPointer(rebasing: words))
  }

  /// Computes some rows of the new image, the first of which is at the beginning of `new`.
  private func scale(_ old: Pixels, _ range: Range<Int>, to new: UnsafeMutableBufferPointer<UInt32>) {
    scale(range) { row, out in
      transfer.decode(old.row(row), into: out)
    } to: { line, row in
      transfer.encode(row, into: UnsafeMutableBufferPointer(rebasing: new[line * width..<(line + 1) * width]))
    }
  }

  /// Computes some rows of the new image.
  ///
  /// - Parameters:
  ///   - read: Returns the values of the old row of a number, from the top down. Rows may be skipped.
  ///   - write: Called with each new row and its number, counted from the first one of the range.
  func scale<Fault: Error>(
    _ range: Range<Int>, from read: (Int, LightRow) throws(Fault) -> Void, to write: (Int, LightRow) -> Void
  ) throws(Fault) {
    let taps = rowWeights.taps
    // An old row, a new row, and a ring of the last old rows at the new width, as many as a new row is made of.
    let wide = LightRow.allocate(capacity: oldSize.width)
    let averages = LightRow.allocate(capacity: square > 1 ? oldSize.divided(by: square).width : 0)
    let sum = LightRow.allocate(capacity: width)
    let narrowed = LightRow.allocate(capacity: taps * width)
    defer { for buffer in [wide, averages, sum, narrowed] { buffer.deallocate() } }
    func slot(_ row: Int) -> LightRow {
      LightRow(rebasing: narrowed[row % taps * width..<(row % taps + 1) * width])
    }
    var ready = rowWeights.first[range.lowerBound]
    for (line, y) in range.enumerated() {
      let first = rowWeights.first[y]
      ready = max(ready, first)
      while ready < first + taps {
        if square == 1 {
          try read(ready, wide)
        } else {
          let rows = ready * square..<min((ready + 1) * square, oldSize.height)
          averages.update(repeating: SIMD4())
          for row in rows {
            try read(row, wide)
            add(wide, to: averages, share: 1 / Float(rows.count))
          }
        }
        columnWeights.narrow(square == 1 ? wide : averages, into: slot(ready))
        ready += 1
      }
      rowWeights.combine(y, slot, into: sum)
      write(line, sum)
    }
  }

  /// Adds the averages of each `square` pixels of a row. The last ones may be fewer.
  private func add(_ row: LightRow, to averages: LightRow, share: Float) {
    let whole = row.count / square
    for index in 0..<whole {
      var sum = SIMD4<Float>()
      for x in index * square..<(index + 1) * square { sum += row[x] }
      averages[index] += sum * (share / Float(square))
    }
    guard whole < averages.count else { return }
    let rest = row[(whole * square)...]
    averages[whole] += rest.reduce(SIMD4(), +) * (share / Float(rest.count))
  }
}

/// The old pixels of a line that make up each new one, and their shares.
private struct Weights {
  /// The number of old pixels for each new one.
  let taps: Int
  /// The first old pixel for each new one.
  private(set) var first: [Int] = []
  /// The shares of the old pixels, `taps` for each new one.
  private var shares: [Float] = []

  /// - Parameter square: The number of old pixels that have been averaged to one.
  init(from length: Int, to new: Int, inSquares square: Int, _ filter: ScalingFilter) {
    let ratio = Double(length) / Double(square) / Double(new)
    let old = (length + square - 1) / square
    guard filter != .nearest else {
      taps = 1
      first = (0..<new).map { min(old - 1, Int((Double($0) + 0.5) * ratio)) }
      shares = Array(repeating: 1, count: new)
      return
    }
    let width = max(1, ratio)
    let (radius, kernel) = filter == .sharp ? (3.0, Self.lanczos) : (2.0, Self.cubic)
    taps = min(old, Int((2 * radius * width).rounded(.up)))
    for index in 0..<new {
      let center = (Double(index) + 0.5) * ratio - 0.5
      let start = min(max(0, Int((center - radius * width).rounded(.up))), old - taps)
      let values = (0..<taps).map { kernel(abs(Double(start + $0) - center) / width) }
      let sum = values.reduce(0, +)
      first.append(start)
      shares += values.map { Float($0 / sum) }
    }
  }

  /// The filter of R. Keys, "Cubic convolution interpolation for digital image processing" (1981), a = -0.5.
  private static func cubic(_ x: Double) -> Double {
    if x < 1 { return (1.5 * x - 2.5) * x * x + 1 }
    return x < 2 ? ((-0.5 * x + 2.5) * x - 4) * x + 2 : 0
  }

  /// The filter of C. Lanczos, with three lobes.
  private static func lanczos(_ x: Double) -> Double {
    if x < 1e-9 { return 1 }
    return x < 3 ? 3 * sin(.pi * x) * sin(.pi * x / 3) / (.pi * .pi * x * x) : 0
  }

  /// Scales a row to the new width.
  func narrow(_ row: LightRow, into out: LightRow) {
    shares.withUnsafeBufferPointer { shares in
      first.withUnsafeBufferPointer { first in
        for x in 0..<out.count {
          var sum = SIMD4<Float>()
          // The sums of indices are checked for each tap otherwise.
          let pixels = UnsafeMutableBufferPointer(rebasing: row[first[x]..<first[x] + taps])
          let weights = UnsafeBufferPointer(rebasing: shares[x * taps..<(x + 1) * taps])
          for tap in 0..<taps { sum += pixels[tap] * weights[tap] }
          out[x] = sum
        }
      }
    }
  }

  /// Computes the new row `y` from old rows at the new width.
  func combine(_ y: Int, _ slot: (Int) -> LightRow, into out: LightRow) {
    let lines = (0..<taps).map { (slot(first[y] + $0), shares[y * taps + $0]) }
    lines.withUnsafeBufferPointer { lines in
      for x in 0..<out.count {
        var sum = SIMD4<Float>()
        for (line, share) in lines { sum += line[x] * share }
        out[x] = sum
      }
    }
  }
}
