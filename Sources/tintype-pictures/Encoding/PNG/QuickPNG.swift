import CDeflate
import CISAL
import Synchronization

/// Makes PNGs for a terminal that is near, so that the time on the line hardly counts (PNG, third edition).
///
/// ISA-L compresses in less than half of libdeflate's time to 3 % more bytes, and in parts that follow each other, so that
/// several threads can do it.
enum QuickPNG {
  /// The number of the filter that replaces a sample by its distance from the mean of the samples to the left and above.
  private static let average: UInt8 = 3

  /// Encodes pixels as a file. Returns nil if memory is short.
  static func encode(_ pixels: Pixels, threads: Int) -> [UInt8]? {
    let shares = max(1, min(threads, pixels.size.height))
    let parts = Mutex([(filtered: [UInt8], compressed: [UInt8])](repeating: ([], []), count: shares))
    // The threads only read the pixels.
    nonisolated(unsafe) let pixels = pixels
    SharedWork.perform(shares: shares) { share in
      let height = pixels.size.height
      let filtered = filtered(pixels, rows: height * share / shares..<height * (share + 1) / shares)
      let part = (filtered, compressed(filtered, isLast: share == shares - 1))
      parts.withLock { $0[share] = part }
    }
    var file = PNGFile(pixels.size)
    // The header of a zlib stream (RFC 1950): deflate, with the smallest effort.
    var content: [UInt8] = [0x78, 0x01]
    var checksum: UInt32 = 1
    for (filtered, compressed) in parts.withLock({ $0 }) {
      guard !compressed.isEmpty else { return nil }
      checksum = libdeflate_adler32(checksum, filtered, filtered.count)
      content += compressed
    }
    content.putBigEndian(Int(checksum))
    file.append("IDAT", content)
    file.append("IEND")
    return file.bytes
  }

  /// Returns some rows as filtered samples, each row with the filter's number before it.
  private static func filtered(_ pixels: Pixels, rows: Range<Int>) -> [UInt8] {
    let width = pixels.size.width
    let count = rows.count * (1 + 3 * width)
    let zeros = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: width)
    zeros.update(repeating: 0)
    defer { zeros.deallocate() }
    // The last pixel is written with four bytes.
    return [UInt8](unsafeUninitializedCapacity: count + 1) { bytes, filled in
      var target = UnsafeMutableRawPointer(bytes.baseAddress!)
      for y in rows {
        target.storeBytes(of: average, as: UInt8.self)
        target += 1
        let (row, above) = (pixels.row(y), y > 0 ? pixels.row(y - 1) : zeros)
        var left: UInt32 = 0
        for x in 0..<width {
          target.storeBytes(of: row[x].distances(from: left.means(with: above[x])), as: UInt32.self)
          left = row[x]
          target += 3
        }
      }
      filled = count
    }
  }

  private static func compressed(_ bytes: [UInt8], isLast: Bool) -> [UInt8] {
    let bound = cisal_deflate_bound(bytes.count)
    return [UInt8](unsafeUninitializedCapacity: bound) { buffer, count in
      count = cisal_deflate(bytes, bytes.count, isLast ? 1 : 0, buffer.baseAddress, bound)
    }
  }
}

extension UInt32 {
  /// Returns the means of the four bytes and those of another number, rounded down.
  fileprivate func means(with other: UInt32) -> UInt32 { (self & other) &+ ((self ^ other) & 0xFEFE_FEFE) >> 1 }

  /// Returns the differences between the four bytes and those of another number, modulo 256.
  fileprivate func distances(from other: UInt32) -> UInt32 {
    // The highest bits are left out of the subtraction, so that no byte borrows from the next one.
    ((self | 0x8080_8080) &- (other & 0x7F7F_7F7F)) ^ ((self ^ ~other) & 0x8080_8080)
  }
}
