/// The pixels of a Windows bitmap (BITMAPINFOHEADER and its successors), for which libvips has no loader of its own.
struct Bitmap {
  let width: Int
  let height: Int
  /// RGB, 3 bytes each, from the top left.
  let pixels: [UInt8]

  /// - Throws: ``PictureFailure`` where it is cut short, compressed, or of an unusual depth.
  init(_ file: PictureFile, mostPixels: Int) throws(PictureFailure) {
    let header = [UInt8](file.bytes(at: 0, count: 54))
    guard header.count == 54 else { throw .damaged("its header is cut off") }
    func number(_ offset: Int, _ count: Int = 4) -> Int {
      header[offset..<offset + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    let (start, headerSize) = (number(10), number(14))
    let (width, signedHeight) = (Int(Int32(truncatingIfNeeded: number(18))), Int(Int32(truncatingIfNeeded: number(22))))
    let (depth, compression) = (number(28, 2), number(30))
    let height = abs(signedHeight)
    guard headerSize >= 40, width > 0, height > 0 else { throw .damaged("its header makes no sense") }
    guard width <= mostPixels / height else { throw .tooLarge(width, height) }
    // 3 is the bit masks that writers of 32 bits give for the order that is usual anyway.
    guard [1, 4, 8, 24, 32].contains(depth), compression == 0 || (compression == 3 && depth == 32) else {
      throw .damaged("bitmaps of \(depth) bits and compression \(compression) are not known here")
    }
    let stride = (width * depth + 31) / 32 * 4
    let palette = depth <= 8 ? [UInt8](file.bytes(at: 14 + headerSize, count: 4 << depth)) : []
    guard stride * height <= file.size else { throw .damaged("its pixels are cut off") }
    let data = [UInt8](file.bytes(at: start, count: stride * height))
    guard data.count == stride * height, depth > 8 || palette.count == 4 << depth else {
      throw .damaged("its pixels are cut off")
    }

    var pixels = [UInt8](repeating: 0, count: width * height * 3)
    for row in 0..<height {
      let line = (signedHeight > 0 ? height - 1 - row : row) * stride
      for column in 0..<width {
        let target = (row * width + column) * 3
        var source = line + column * depth / 8
        if depth <= 8 {
          let shift = 8 - depth - column * depth % 8
          source = (Int(data[source]) >> shift & (1 << depth - 1)) * 4
        }
        for part in 0..<3 { pixels[target + part] = depth <= 8 ? palette[source + 2 - part] : data[source + 2 - part] }
      }
    }
    (self.width, self.height, self.pixels) = (width, height, pixels)
  }
}
