#if Pictures
  import FoundationEssentials
  import Gallery
  import ImageWire
  import Metadata

  /// Turns files into renditions: decodes just the pixels that are shown, and encodes them in the request's output format.
  final class Renderer {
    private let decoder: ImageDecoder
    private let encoder = RenditionEncoder()
    private let storeThumbnail: (Pixels, PixelSize) -> Void
    /// The thumbnails of the file that is being rendered.
    private var thumbnails = CachedThumbnails(descriptors: [])
    /// The work that is left to do after the answer has been sent.
    private var afterwards: () -> Void = {}
    private var closeFiles: () -> Void = {}

    /// - Parameter storeThumbnail: Stores a thumbnail of the file that is being rendered, whose image has this size.
    init(decoder: ImageDecoder = ImageDecoder(), storeThumbnail: @escaping (Pixels, PixelSize) -> Void = { _, _ in }) {
      (self.decoder, self.storeThumbnail) = (decoder, storeThumbnail)
    }

    /// Renders an image. Takes over its files, which stay open until ``finish()``.
    func render(_ request: RenditionRequest, _ files: RequestFiles) -> RenditionAnswer {
      thumbnails = CachedThumbnails(descriptors: files.thumbnails)
      encoder.terminalFile = files.terminalFile
      closeFiles = files.closeOthers
      do throws(ImageFault) {
        let file = try ImageFile(path: request.path, descriptor: files.photo)
        var answer = try answer(of: file, request)
        answer.info.modifiedAt = file.modifiedAt
        return answer
      } catch {
        return RenditionAnswer(number: request.number, content: .failure(error))
      }
    }

    private func answer(of file: ImageFile, _ request: RenditionRequest) throws(ImageFault) -> RenditionAnswer {
      switch request.stage {
      case .preview: return preview(of: file, request)
      case .thumbnail: return try thumbnail(of: file, request)
      case .ahead, .glance:
        let preview = preview(of: file, request, isSharpOnly: true)
        return preview.content == .noPreview ? try image(of: file, request) : preview
      case .full, .once: return try image(of: file, request)
      }
    }

    /// Returns the lines of `tintype doctor` about the libraries' versions and the formats that they read.
    func report() -> [String] {
      guard let (version, formats) = decoder.vips.report() else {
        return ["libraries   \(ImageFault.Damage.noLibvips.clause)", "reads       JPEG"]
      }
      let missing = ImageFormat.allCases.filter { !formats.contains($0) }
      return [
        "libraries   libvips \(version), libchafa \(ChafaEncoder.libraryVersion)",
        "reads       \(formats.map(\.name).joined(separator: ", "))",
      ] + (missing.isEmpty ? [] : ["cannot read \(missing.map(\.name).joined(separator: ", "))"])
    }

    /// Does the work that can wait until the answer has been sent.
    func finish() {
      afterwards()
      afterwards = {}
      closeFiles()
      closeFiles = {}
    }
  }

  // MARK: - Previews

  extension Renderer {
    /// Answers with a cached thumbnail or the preview in the file, whichever is large enough or else the larger one.
    ///
    /// - Parameter isSharpOnly: Whether a preview is used only if the image itself would look no sharper.
    private func preview(
      of file: ImageFile, _ request: RenditionRequest, isSharpOnly: Bool = false
    ) -> RenditionAnswer {
      let none = RenditionAnswer(number: request.number, content: .noPreview)
      let isPart = if case .zoomed = request.view { true } else { false }
      // A part of a preview is never sharp enough.
      guard !file.format.isRaw, request.frame == 0, request.rotation == .upright, !isPart || !isSharpOnly else {
        return none
      }
      let needed = isPart ? Int.max : Layout.neededPixels(request)
      let thumbnail = thumbnails.thumbnail(of: file, pixels: needed, background: request.background)
      // The preview has the image's own layout, so that the image replaces it without a jump.
      guard let whole = thumbnail?.wholeSize ?? decoder.uprightSize(of: file) else { return none }
      let layout = Layout(whole, request)
      if let thumbnail, thumbnail.pixels.size.longerSide >= needed {
        return answer(thumbnail.pixels, layout, whole, request)
      }
      let least = isSharpOnly ? needed : thumbnail?.pixels.size.longerSide ?? 0
      if let embedded = decoder.embeddedPixels(of: file, whole, layout, atLeast: least) {
        return answer(embedded, layout, whole, isSharp: embedded.size.longerSide >= needed, request)
      }
      guard let thumbnail, !isSharpOnly else { return none }
      return answer(thumbnail.pixels, layout, whole, isSharp: false, request)
    }

    /// - Parameters:
    ///   - whole: A smaller version of the whole image.
    ///   - size: The size of the image itself.
    private func answer(
      _ whole: Pixels, _ layout: Layout, _ size: PixelSize, isSharp: Bool = true, _ request: RenditionRequest
    ) -> RenditionAnswer {
      let (content, isExact) = encoder.encode(part(of: whole, layout, size, request), layout, request)
      let info = ImageInfo(width: size.width, height: size.height, scale: layout.scale, isSharp: isSharp && isExact)
      return RenditionAnswer(number: request.number, content: content, info: info)
    }
  }

  extension Renderer {
    /// Returns the part of a smaller version of an image that a layout shows.
    private func part(
      of whole: Pixels, _ layout: Layout, _ size: PixelSize, _ request: RenditionRequest
    ) -> Pixels {
      if layout.isCut { return whole.part(PixelRect(inMiddleOf: whole.size, like: layout.pixels)) }
      let part = whole.part(PixelRect(size: whole.size).part(layout.part, of: size))
      // The encoder would show the pixels of an enlarged part, which are not those of the image.
      return layout.isPart && request.budget == 0 ? part.scaled(to: layout.pixels) : part
    }
  }

  // MARK: - The image itself

  extension Renderer {
    private func image(of file: ImageFile, _ request: RenditionRequest) throws(ImageFault) -> RenditionAnswer {
      var drawing: SymbolDrawing?
      let decoded = try decoder.decode(file, request) { layout in
        if request.stage.isForCommand { drawing = SymbolDrawing(layout, request) }
      } onRows: {
        drawing?.draw($0, finishedRows: $1)
      }
      if !request.stage.isForCommand, request.frame == 0, decoded.pixels.size.longerSide >= ThumbnailCache.box {
        afterwards = { [self] in keepThumbnail(of: file, decoded) }
      }
      // Characters that were chosen from an image that then turned out to be damaged are dropped.
      if decoded.isPreview { drawing = nil }
      // Images of other formats than JPEG are drawn once they are decoded.
      if request.stage.isForCommand, drawing == nil { drawing = SymbolDrawing(decoded.layout, request) }
      let (content, isExact) =
        drawing.map { (.cells($0.finish(decoded.pixels)), true) }
        ?? encoder.encode(decoded.pixels, decoded.layout, request)
      var info = decoded.info
      info.isSharp = info.isSharp && isExact
      return RenditionAnswer(number: request.number, content: content, info: info)
    }

    /// Makes a thumbnail if there is none yet.
    private func thumbnail(of file: ImageFile, _ request: RenditionRequest) throws(ImageFault) -> RenditionAnswer {
      if thumbnails.thumbnail(of: file, pixels: ThumbnailCache.box, background: 0) == nil {
        keepThumbnail(of: file, try decoder.decode(file, request))
      }
      return RenditionAnswer(number: request.number, content: .noPreview)
    }

    private func keepThumbnail(of file: ImageFile, _ decoded: ImageDecoder.Decoded) {
      let (box, size) = (ThumbnailCache.box, PixelSize(decoded.info.width, decoded.info.height))
      guard decoded.isWhole, !decoded.layout.isPart, !decoded.layout.isCut, file.format != .svg,
        size.longerSide > 2 * box, thumbnails.thumbnail(of: file, pixels: box, background: 0) == nil
      else { return }
      let small = PixelSize(
        max(1, (size.width * box * 2 / size.longerSide + 1) / 2),
        max(1, (size.height * box * 2 / size.longerSide + 1) / 2))
      storeThumbnail(decoded.pixels.scaled(to: small), size)
    }
  }
#else
  import Gallery
  import ImageWire

  /// The renderer of a program that was built without the image libraries.
  final class Renderer {
    func report() -> [String] { ["libraries   none: Tintype was built without them"] }
  }
#endif
