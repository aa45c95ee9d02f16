import Gallery

extension Pixels {
  /// Sharpens the image in place: adds a share of the difference between the brightness of each pixel and that of its
  /// neighborhood, which is a Gaussian of three pixels. Colors stay as they are.
  func sharpen(_ sharpening: ExportSpecification.Sharpening) {
    guard let share = sharpening.share else { return }
    // The brightness of three rows as they were, with the first and the last pixel twice, and the weighted sums of columns.
    let width = size.width
    let room = UnsafeMutableBufferPointer<Int32>.allocate(capacity: 4 * (width + 2))
    defer { room.deallocate() }
    func line(_ index: Int) -> UnsafeMutableBufferPointer<Int32> {
      UnsafeMutableBufferPointer(rebasing: room[index * (width + 2)..<(index + 1) * (width + 2)])
    }
    for y in [0, -1] { readBrightness(max(0, y), into: line((y + 3) % 3)) }
    let sums = line(3)
    for y in 0..<size.height {
      let (above, here, below) = (line((y + 2) % 3), line(y % 3), line((y + 1) % 3))
      readBrightness(min(size.height - 1, y + 1), into: below)
      for x in 0..<width + 2 { sums[x] = above[x] &+ 2 &* here[x] &+ below[x] }
      let row = self.row(y)
      for x in 0..<width {
        let around = sums[x] &+ 2 &* sums[x &+ 1] &+ sums[x &+ 2]
        let addition = ((16 &* here[x &+ 1] &- around) &* share &+ 2048) >> 12
        if addition != 0 { row[x].add(addition) }
      }
    }
  }

  /// Reads the brightness of a row, from 0 to 255 (Rec. ITU-R BT.601), with the first and the last pixel twice.
  private func readBrightness(_ y: Int, into line: UnsafeMutableBufferPointer<Int32>) {
    let row = self.row(y)
    for x in 0..<row.count {
      let word = Int32(bitPattern: row[x])
      line[x &+ 1] = (77 &* (word & 255) &+ 150 &* (word >> 8 & 255) &+ 29 &* (word >> 16 & 255) &+ 128) >> 8
    }
    line[0] = line[1]
    line[line.count - 1] = line[line.count - 2]
  }
}

extension ExportSpecification.Sharpening {
  /// The share of the difference that is added, in units of 1/256.
  fileprivate var share: Int32? {
    switch self {
    case .none: nil
    case .low: 100
    case .standard: 180
    case .high: 300
    }
  }
}

extension UInt32 {
  /// Adds a number to red, green, and blue.
  @inline(__always)
  fileprivate mutating func add(_ number: Int32) {
    func sum(_ shift: UInt32) -> UInt32 {
      UInt32(Swift.min(Swift.max(0, Int32(self >> shift & 255) + number), 255)) << shift
    }
    self = sum(0) | sum(8) | sum(16) | 0xFF00_0000
  }
}
