import CVipsPlugin
import Gallery
import ImageWire
import Metadata
import Workers

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Draws pages of contact sheets.
struct SheetDrawer {
  let vips: VipsLibrary

  /// Draws the pages of a request, and writes the new file to a descriptor.
  ///
  /// - Parameter file: The file with the pictures and the drawing.
  func draw(
    _ request: SheetRequest, of file: ImageFile, to descriptor: Int32
  ) throws(ImageFault) -> ExportedImage {
    guard let plugin = vips.plugin else { throw .damaged(.noLibvips) }
    let drawing = try Self.drawing(request.drawing, of: file)
    let size: PixelSize
    switch request.format {
    case .pdf:
      size = PixelSize(Int(drawing.width), Int(drawing.height))
      try write(drawing, of: file, to: descriptor, plugin)
    case .png(let resolution):
      let page = try pixels(drawing, of: file, scale: Double(resolution) / 72, plugin)
      size = page.size
      let bytes = try vips.save(page, .png, "compression=6,filter=all,strip")
      guard bytes.withUnsafeBytes({ RequestChannel.writeAll($0, to: descriptor) }) else { throw .unwritable }
    }
    let count = Int(lseek(descriptor, 0, SEEK_CUR))
    return ExportedImage(width: size.width, height: size.height, bytes: count, quality: 0)
  }

  private static func drawing(_ bytes: Range<Int>, of file: ImageFile) throws(ImageFault) -> SheetDrawing {
    var buffer = WireBuffer()
    buffer.append(file.bytes(at: bytes.lowerBound, count: bytes.count))
    do throws(WireError) {
      guard let drawing = try buffer.next(SheetDrawing.self) else { throw .malformed }
      return drawing
    } catch { throw .incomplete }
  }
}

// MARK: - PDF

extension SheetDrawer {
  private func write(
    _ drawing: SheetDrawing, of file: ImageFile, to descriptor: Int32, _ plugin: VipsPlugin
  ) throws(ImageFault) {
    guard let sheet = plugin.open_pdf(descriptor, drawing.width, drawing.height, drawing.title) else {
      throw .unencodable
    }
    do throws(ImageFault) {
      for page in drawing.pages {
        for picture in page.pictures { try draw(picture, of: file, on: sheet, plugin) }
        try draw(page.lines, on: sheet, plugin)
        plugin.end_page(sheet)
      }
    } catch {
      _ = plugin.close_sheet(sheet)
      throw error
    }
    if plugin.close_sheet(sheet) != 0 { throw .unwritable }
  }

  private func draw(
    _ picture: SheetDrawing.Picture, of file: ImageFile, on sheet: OpaquePointer, _ plugin: VipsPlugin
  ) throws(ImageFault) {
    let size = try Self.jpeg(picture, of: file).uprightSize
    let bytes = file.bytes(at: picture.bytes.lowerBound, count: picture.bytes.count)
    bytes.withUnsafeBytes { bytes in
      var jpeg = VipsSheetPicture(
        jpeg: bytes.baseAddress, count: bytes.count, pixel_width: Int32(size.width), pixel_height: Int32(size.height),
        x: picture.x, y: picture.y, width: picture.width, height: picture.height)
      plugin.draw_jpeg(sheet, &jpeg)
    }
  }

  private func draw(
    _ lines: [SheetDrawing.Line], on sheet: OpaquePointer, _ plugin: VipsPlugin
  ) throws(ImageFault) {
    for line in lines {
      let result = line.markup.withCString { markup in
        var line = VipsSheetLine(
          markup: markup, size: line.size, x: line.x, y: line.y, width: line.width,
          alignment: Int32(line.alignment.rawValue))
        return plugin.draw_line(sheet, &line)
      }
      if result != 0 { throw .unencodable }
    }
  }

  private static func jpeg(_ picture: SheetDrawing.Picture, of file: ImageFile) throws(ImageFault) -> JPEGImage {
    guard let image = JPEGImage(file, at: picture.bytes.lowerBound, orientation: 1) else { throw .incomplete }
    return image
  }
}

// MARK: - PNG

extension SheetDrawer {
  /// Returns the first page of a drawing.
  ///
  /// - Parameter scale: The pixels for a point.
  private func pixels(
    _ drawing: SheetDrawing, of file: ImageFile, scale: Double, _ plugin: VipsPlugin
  ) throws(ImageFault) -> Pixels {
    let page = Pixels(PixelSize(Int((drawing.width * scale).rounded()), Int((drawing.height * scale).rounded())))
    page.words.update(repeating: Pixels.word(0xFF_FFFF))
    let size = page.size
    guard
      let sheet = plugin.open_pixels(page.words.baseAddress, Int32(size.width), Int32(size.height), scale)
    else { throw .unencodable }
    let result = Result { () throws(ImageFault) in try draw(drawing.pages.first?.lines ?? [], on: sheet, plugin) }
    guard plugin.close_sheet(sheet) == 0 else { throw .unencodable }
    try result.get()
    // Cairo has red where these pixels have blue.
    for index in page.words.indices { page.words[index] = Pixels.word(page.words[index] & 0xFF_FFFF) }
    for picture in drawing.pages.first?.pictures ?? [] {
      try Self.draw(picture, of: file, on: page, scale: scale)
    }
    return page
  }

  /// Copies the pixels of a picture, which has as many as its place, to a page.
  private static func draw(
    _ picture: SheetDrawing.Picture, of file: ImageFile, on page: Pixels, scale: Double
  ) throws(ImageFault) {
    let image = try jpeg(picture, of: file)
    let whole = PixelRect(size: image.uprightSize)
    let pixels = try image.pixels(of: whole, wanted: (whole.size, whole.size))
    let (left, top) = (Int((picture.x * scale).rounded()), Int((picture.y * scale).rounded()))
    let width = min(whole.size.width, page.size.width - left)
    guard width > 0 else { return }
    for y in 0..<max(0, min(whole.size.height, page.size.height - top)) {
      _ = UnsafeMutableBufferPointer(rebasing: page.row(top + y)[left..<left + width])
        .update(fromContentsOf: UnsafeMutableBufferPointer(rebasing: pixels.row(y)[..<width]))
    }
  }
}
