#if Pictures
  import FoundationEssentials
  import ImageWire

  /// Turns files into renditions: decodes to just the pixels that are shown, then gives them the request's form.
  final class Renderer {
    /// No image of more pixels is decoded.
    private static let mostPixels = 500_000_000

    private let thumbnails = ThumbnailCache(environment: ProcessInfo.processInfo.environment)
    private let vips = VipsLibrary()
    private let forms = FormEncoder()
    /// What is still to be done when the answer is on its way.
    private var afterwards: () -> Void = {}

    func render(_ request: RenditionRequest) -> RenditionAnswer {
      do throws(ImageFailure) {
        let file = try ImageFile(path: request.path)
        var answer = try answer(of: file, request)
        answer.info.modifiedAt = file.modifiedAt
        return answer
      } catch {
        return RenditionAnswer(number: request.number, content: .failure(error.description))
      }
    }

    private func answer(of file: ImageFile, _ request: RenditionRequest) throws(ImageFailure) -> RenditionAnswer {
      switch request.stage {
      case .preview: return preview(of: file, request)
      case .thumbnail: return try thumbnail(of: file, request)
      case .ahead:
        let preview = preview(of: file, request, isSharpOnly: true)
        return preview.content == .noPreview ? try image(of: file, request) : preview
      case .full, .once: return try image(of: file, request)
      }
    }

    /// The libraries' versions, and what they can read.
    func report() -> [String] {
      guard let (version, formats) = vips.report() else {
        return ["libraries   \(VipsLibrary.missing)", "reads       JPEG"]
      }
      let missing = ImageFormat.allCases.filter { !formats.contains($0) }
      return [
        "libraries   libvips \(version), libchafa \(SymbolEncoder.libraryVersion)",
        "reads       \(formats.map(\.name).joined(separator: ", "))",
      ] + (missing.isEmpty ? [] : ["cannot read \(missing.map(\.name).joined(separator: ", "))"])
    }

    /// Deletes what was left for the terminal to read and has not been read.
    func deleteFiles() { forms.deleteFiles() }

    /// What can wait until the answer has been sent.
    func finish() {
      afterwards()
      afterwards = {}
    }
  }

  // MARK: - What is to be had at once

  extension Renderer {
    private func preview(
      of file: ImageFile, _ request: RenditionRequest, isSharpOnly: Bool = false
    ) -> RenditionAnswer {
      let none = RenditionAnswer(number: request.number, content: .noPreview)
      if case .zoomed = request.view { return none }
      guard !file.isRaw, request.frame == 0 else { return none }
      let needed = Layout.neededPixels(request)
      let thumbnail = thumbnails?.thumbnail(of: file, pixels: needed, background: request.background)
      // It is laid out as the image itself, which then takes its place without a jump.
      guard let whole = thumbnail?.wholeSize ?? uprightSize(of: file) else { return none }
      let layout = Layout(whole, request)
      if let thumbnail, thumbnail.pixels.size.longerSide >= needed {
        return answer(thumbnail.pixels, layout, whole, request)
      }
      let least = isSharpOnly ? needed : thumbnail?.pixels.size.longerSide ?? 0
      if let embedded = embeddedPixels(of: file, whole, layout, atLeast: least) {
        return answer(embedded, layout, whole, isSharp: embedded.size.longerSide >= needed, request)
      }
      guard let thumbnail, !isSharpOnly else { return none }
      return answer(thumbnail.pixels, layout, whole, isSharp: false, request)
    }

    private func uprightSize(of file: ImageFile) -> PixelSize? {
      file.format == .jpeg ? jpeg(file)?.uprightSize : try? vips.open(file).uprightSize
    }

    private func jpeg(_ file: ImageFile) -> JPEGImage? {
      JPEGImage(file, orientation: EmbeddedPreview.orientation(of: file))
    }

    /// The preview inside the file; nil where it has a smaller one. Cameras put black bars around the thumbnails of Exif,
    /// which are always 4 to 3, where the image is wider: they are cut off.
    private func embeddedPixels(
      of file: ImageFile, _ whole: PixelSize, _ layout: Layout, atLeast longerSide: Int
    ) -> Pixels? {
      guard let preview = EmbeddedPreview(of: file),
        let jpeg = JPEGImage(file, at: preview.offset, orientation: preview.orientation)
      else { return nil }
      let part = PixelRect(inMiddleOf: jpeg.uprightSize, like: whole)
      guard part.size.longerSide >= longerSide else { return nil }
      return try? jpeg.pixels(of: part, wanted: layout.pixels)
    }

    /// - Parameter whole: The whole image, in the smaller size that there is of it.
    private func answer(
      _ whole: Pixels, _ layout: Layout, _ size: PixelSize, isSharp: Bool = true, _ request: RenditionRequest
    ) -> RenditionAnswer {
      let part = layout.isCut ? PixelRect(inMiddleOf: whole.size, like: layout.pixels) : PixelRect(size: whole.size)
      let info = ImageInfo(width: size.width, height: size.height, scale: layout.scale, isSharp: isSharp)
      return RenditionAnswer(
        number: request.number, content: forms.encode(whole.part(part), layout, request), info: info)
    }
  }

  // MARK: - The image itself

  extension Renderer {
    /// What is shown of an image, decoded.
    private struct Decoded {
      let pixels: Pixels
      let layout: Layout
      let info: ImageInfo
      /// Whether a thumbnail made of it is everybody's: it is of the whole image, and has no background of ours.
      var isWhole = true
      /// Whether it is the preview inside the file, which has another size than the image itself.
      var isPreview = false
    }

    private func image(of file: ImageFile, _ request: RenditionRequest) throws(ImageFailure) -> RenditionAnswer {
      var drawing: SymbolDrawing?
      let decoded = try decode(file, request) { layout in
        if request.stage == .once { drawing = SymbolDrawing(layout, request) }
      } onRows: {
        drawing?.draw($0, finishedRows: $1)
      }
      if request.stage != .once, request.frame == 0, decoded.pixels.size.longerSide >= ThumbnailCache.box {
        afterwards = { [self] in keepThumbnail(of: file, decoded) }
      }
      // What was drawn of an image that then turned out to be damaged is not used.
      if decoded.isPreview { drawing = nil }
      let content =
        drawing.map { .cells($0.finish(decoded.pixels)) } ?? forms.encode(decoded.pixels, decoded.layout, request)
      return RenditionAnswer(number: request.number, content: content, info: decoded.info)
    }

    /// Makes the thumbnail that there is none of yet.
    private func thumbnail(of file: ImageFile, _ request: RenditionRequest) throws(ImageFailure) -> RenditionAnswer {
      if thumbnails?.thumbnail(of: file, pixels: ThumbnailCache.box, background: 0) == nil {
        keepThumbnail(of: file, try decode(file, request))
      }
      return RenditionAnswer(number: request.number, content: .noPreview)
    }

    private func keepThumbnail(of file: ImageFile, _ decoded: Decoded) {
      let (box, size) = (ThumbnailCache.box, PixelSize(decoded.info.width, decoded.info.height))
      guard let thumbnails, decoded.isWhole, !decoded.layout.isPart, !decoded.layout.isCut, file.format != .svg,
        size.longerSide > 2 * box, thumbnails.thumbnail(of: file, pixels: box, background: 0) == nil
      else { return }
      let small = PixelSize(
        max(1, (size.width * box * 2 / size.longerSide + 1) / 2),
        max(1, (size.height * box * 2 / size.longerSide + 1) / 2))
      thumbnails.keep(decoded.pixels.scaled(to: small), of: file, size)
    }

    /// - Parameters:
    ///   - onLayout: Called when it is known how the image will lie, before it is decoded.
    ///   - onRows: As ``JPEGImage/pixels(of:wanted:onRows:)``.
    private func decode(
      _ file: ImageFile, _ request: RenditionRequest, onLayout: (Layout) -> Void = { _ in },
      onRows: (Pixels, Int) -> Void = { _, _ in }
    ) throws(ImageFailure) -> Decoded {
      if file.isRaw || file.isRawTIFF { return try decodePreview(of: file, request) }
      do throws(ImageFailure) {
        if file.format == .jpeg, let jpeg = jpeg(file) {
          let layout = Layout(try Self.checked(jpeg.uprightSize), request)
          onLayout(layout)
          let pixels = try jpeg.pixels(of: layout.part, wanted: layout.decodedPixels, onRows: onRows)
          // A part may be there where what is below it is not.
          let isIncomplete = jpeg.isIncomplete || layout.isPart && Container(file).isCutOff
          return Decoded(
            pixels: pixels, layout: layout,
            info: ImageInfo(jpeg.uprightSize, layout, isIncomplete: isIncomplete), isWhole: !isIncomplete)
        }
        if file.format == .bmp { return whole(try Bitmap.pixels(of: file, atMost: Self.mostPixels / 4), request) }
        if file.format == .pam {
          let most = Self.mostPixels / 4
          return whole(try ArbitraryMap.pixels(of: file, atMost: most, background: request.background), request)
        }
        return try decodeByVips(file, request)
      } catch .damaged(let reason) {
        // Its preview may be whole.
        return try decodePreview(
          of: file, request, otherwise: Container(file).isCutOff ? .incomplete : .damaged(reason))
      } catch .incomplete {
        return try decodePreview(of: file, request, otherwise: .incomplete)
      }
    }

    private func whole(_ image: (pixels: Pixels, isIncomplete: Bool), _ request: RenditionRequest) -> Decoded {
      let layout = Layout(image.pixels.size, request)
      return Decoded(
        pixels: image.pixels.part(layout.part), layout: layout,
        info: ImageInfo(image.pixels.size, layout, isIncomplete: image.isIncomplete), isWhole: !image.isIncomplete)
    }

    private func decodeByVips(_ file: ImageFile, _ request: RenditionRequest) throws(ImageFailure) -> Decoded {
      // In the browser each worker has a core to itself; in the shell one image has them all.
      vips.setConcurrency(request.stage == .once ? 0 : 1)
      let image = try vips.open(file, frame: request.frame)
      let layout = Layout(try Self.checked(image.uprightSize), request)
      var info = ImageInfo(image.uprightSize, layout)
      (info.frames, info.delay) = (image.frames, image.delay(frame: request.frame))
      let pixels = try image.pixels(layout, background: request.background)
      // libvips does not say so of all formats.
      info.isIncomplete = Container(file).isCutOff
      return Decoded(
        pixels: pixels, layout: layout, info: info, isWhole: !image.hasAlpha && !info.isIncomplete)
    }

    /// Decodes a raw file's preview, or the one that stands in, as large as the image itself, for an image that cannot be
    /// decoded.
    ///
    /// - Parameter failure: Why the image itself cannot be decoded; nil where it is a raw file's.
    private func decodePreview(
      of file: ImageFile, _ request: RenditionRequest, otherwise failure: ImageFailure? = nil
    ) throws(ImageFailure) -> Decoded {
      guard let preview = EmbeddedPreview(of: file),
        let jpeg = JPEGImage(file, at: preview.offset, orientation: preview.orientation)
      else {
        throw failure ?? .noPreview
      }
      let whole = try Self.checked((failure == nil ? nil : uprightSize(of: file)) ?? jpeg.uprightSize)
      let layout = Layout(whole, request)
      let part = PixelRect(inMiddleOf: jpeg.uprightSize, like: whole).part(layout.part, of: whole)
      let pixels = try jpeg.pixels(of: part, wanted: layout.decodedPixels)
      return Decoded(
        pixels: pixels, layout: layout, info: ImageInfo(whole, layout, isIncomplete: failure != nil),
        isWhole: failure == nil, isPreview: true)
    }

    private static func checked(_ size: PixelSize) throws(ImageFailure) -> PixelSize {
      guard size.width > 0, size.height > 0, size.width <= mostPixels / size.height else {
        throw .tooLarge(size.width, size.height)
      }
      return size
    }
  }

  extension ImageInfo {
    fileprivate init(_ size: PixelSize, _ layout: Layout, isIncomplete: Bool = false) {
      self.init(width: size.width, height: size.height, scale: layout.scale, isIncomplete: isIncomplete)
    }
  }

  extension ImageFile {
    fileprivate var isRaw: Bool { format == .rawTIFF || format == .rawFujifilm || format == .rawCanon }
  }
#else
  import ImageWire

  /// Stands in where the program was built without the image libraries.
  final class Renderer {
    func render(_ request: RenditionRequest) -> RenditionAnswer {
      RenditionAnswer(
        number: request.number, content: .failure("Tintype was built without the image libraries"))
    }

    func finish() {}

    func deleteFiles() {}

    func report() -> [String] { ["libraries   none: Tintype was built without them"] }
  }
#endif
