import FoundationEssentials
import Gallery
import ImageWire
import Metadata

/// Turns files into renditions: decodes just the pixels that are shown, and encodes them in the request's output format.
final class Renderer {
  private let decoder: ImageDecoder
  private let encoder = RenditionEncoder()
  private let appraiser: Appraiser
  private let exporter: Exporter
  private let thumbnailMaker: ThumbnailMaker
  private var regions: RegionCache
  /// The number of the request that is being answered.
  private var number: UInt32 = 0
  /// The thumbnails of its file.
  private var thumbnails = CachedThumbnails(descriptors: [])
  private var closeFiles: () -> Void = {}

  init(
    decoder: ImageDecoder = ImageDecoder(), thumbnailMaker: ThumbnailMaker = ThumbnailMaker(),
    regions: RegionCache = RegionCache()
  ) {
    self.decoder = decoder
    self.thumbnailMaker = thumbnailMaker
    self.regions = regions
    appraiser = Appraiser(decoder: decoder)
    exporter = Exporter(decoder: decoder)
  }

  /// Does the job of a request. Takes over its files, which stay open until ``finish()``.
  ///
  /// - Parameter onUnpacked: Called when the photo has been unpacked from its archive, if it is in one.
  func answer(_ request: ImageRequest, _ files: RequestFiles, onUnpacked: () -> Void = {}) -> ImageAnswer {
    number = request.number
    thumbnails = CachedThumbnails(descriptors: files.thumbnails)
    encoder.begin(request.number, terminalFile: files.output)
    closeFiles = files.closeOthers
    do throws(ImageFault) {
      if case .list(let listing) = request.job {
        return answer(.listing(try decoder.listing(of: request.path, listing, files)))
      }
      let file = try decoder.file(of: request, files)
      if request.entry != nil { onUnpacked() }
      var answer = try answer(of: file, request.job, files)
      answer.info.modifiedAt = file.modifiedAt
      return answer
    } catch {
      return answer(.failure(error))
    }
  }

  private func answer(
    of file: ImageFile, _ job: ImageRequest.Job, _ files: RequestFiles
  ) throws(ImageFault) -> ImageAnswer {
    switch job {
    case .show(let request): try rendition(of: file, request)
    case .thumbnail: try thumbnail(of: file)
    case .appraise(let detail): answer(.appraisal(try appraiser.appraisal(of: file, detail, thumbnails)))
    case .export(let request): answer(.exported(try exporter.export(file, request, to: files.output ?? -1)))
    case .list: throw .invalidAnswer
    case .drawSheet(let request):
      answer(.exported(try SheetDrawer(vips: decoder.vips).draw(request, of: file, to: files.output ?? -1)))
    }
  }

  private func answer(_ content: ImageAnswer.Content, _ info: ImageInfo = ImageInfo()) -> ImageAnswer {
    ImageAnswer(number: number, content: content, info: info)
  }

  private func rendition(of file: ImageFile, _ request: RenditionRequest) throws(ImageFault) -> ImageAnswer {
    switch request.stage {
    case .preview: return preview(of: file, request)
    case .ahead, .glance:
      let preview = preview(of: file, request, isSharpOnly: true)
      return preview.content == .noPreview ? try image(of: file, request) : preview
    case .full, .once: return try image(of: file, request)
    }
  }

  /// Returns the lines of `tintype doctor` about the libraries' versions and the formats that they read.
  func report() -> [String] {
    let (vips, video, raw) = (decoder.vips.report(), decoder.videos.version, decoder.raws.version)
    let archives = decoder.archives.version
    let formats = ImageFormat.allCases.filter { format in
      let isOwn = format == .jpeg || format.isRaw || format.plainFormat != nil
      return format.isVideo ? video != nil : vips?.formats.contains(format) ?? isOwn
    }
    let missing = ImageFormat.allCases.filter { !formats.contains($0) }
    let libraries = [
      vips.map { "libvips \($0.version)" } ?? ImageFault.Damage.noLibvips.clause,
      video.map { "libavcodec \($0)" } ?? ImageFault.Damage.noVideoLibrary.clause,
      raw.map { "LibRaw \($0)" } ?? ImageFault.Damage.noRawLibrary.clause,
      archives.map { "libarchive \($0)" } ?? ArchiveFault.noLibrary.clause,
    ]
    return [
      "libraries   \(libraries.joined(separator: ", "))",
      "reads       \(formats.map(\.name).joined(separator: ", "))",
    ] + (missing.isEmpty ? [] : ["cannot read \(missing.map(\.name).joined(separator: ", "))"])
  }

  /// Closes the files of the request.
  func finish() {
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
  ) -> ImageAnswer {
    let none = answer(.noPreview)
    let presentation = request.specification.presentation
    // A part of a preview is never sharp enough.
    // Thumbnails are upright, so they can't replace an image that stays as it is stored.
    guard presentation.frame == 0, presentation.rotation != .stored, !presentation.isDeveloped,
      !presentation.view.isPart || !isSharpOnly
    else { return none }
    let cached = thumbnails.all(of: file)
    if file.isRaw, cached.isEmpty, !decoder.hasSmallPreview(file) { return none }
    // The preview has the image's own layout, so that the image replaces it without a jump.
    guard let upright = cached.lazy.compactMap(\.wholeSize).first ?? decoder.uprightSize(of: file) else {
      return none
    }
    let isIncomplete = file.isCutOff
    let whole = presentation.rotation.isTransposing ? upright.transposed : upright
    let layout = Layout(whole, request.specification)
    for thumbnail in cached where thumbnail.longerSide >= request.previewSide(layout.sharpSide) {
      guard let pixels = thumbnail.pixels(request.specification) else { continue }
      let isSharp = thumbnail.longerSide >= layout.sharpSide
      return answer(pixels, layout, whole, isSharp: isSharp, isIncomplete: isIncomplete, request)
    }
    let largest = cached.last { $0.longerSide < layout.sharpSide }
    let least = isSharpOnly ? layout.sharpSide : largest?.longerSide ?? 0
    if let embedded = decoder.embeddedPixels(of: file, whole, layout, presentation.rotation, atLeast: least) {
      let isSharp = embedded.size.longerSide >= layout.sharpSide
      return answer(embedded, layout, whole, isSharp: isSharp, isIncomplete: isIncomplete, request)
    }
    guard !isSharpOnly, let pixels = largest?.pixels(request.specification) else { return none }
    return answer(pixels, layout, whole, isSharp: false, isIncomplete: isIncomplete, request)
  }

  /// - Parameters:
  ///   - whole: A smaller version of the whole image.
  ///   - size: The size of the image itself.
  private func answer(
    _ whole: Pixels, _ layout: Layout, _ size: PixelSize, isSharp: Bool = true, isIncomplete: Bool,
    _ request: RenditionRequest
  ) -> ImageAnswer {
    let part = part(of: whole, layout, size, request)
    let marked = part.marked(as: request.specification, at: layout.pixels)
    let (content, isExact) = encoder.encode(marked, layout, request)
    let info = ImageInfo(
      width: size.width, height: size.height, scale: layout.scale, isSharp: isSharp && isExact,
      isIncomplete: isIncomplete, histogram: part.histogram(isIncomplete: isIncomplete))
    return answer(content, info)
  }

  /// Returns the part of a smaller version of an image that a layout shows.
  private func part(
    of whole: Pixels, _ layout: Layout, _ size: PixelSize, _ request: RenditionRequest
  ) -> Pixels {
    if layout.isCut { return whole.part(PixelRect(inMiddleOf: whole.size, like: layout.pixels)) }
    let part = whole.part(PixelRect(size: whole.size).part(layout.part, of: size))
    // The encoder would show the pixels of an enlarged part, which are not those of the image.
    return layout.isPart && request.budget == nil ? part.scaled(to: layout.pixels) : part
  }
}

extension Thumbnail {
  /// Decodes the pixels, and rotates them as a specification says. Returns nil if the file is damaged.
  fileprivate func pixels(_ specification: RenditionSpecification) -> Pixels? {
    let orientation = specification.presentation.rotation.orientation(for: 1)
    return pixels(background: specification.screen.background)?.upright(orientation)
  }
}

extension Pixels {
  /// Returns the pixels with what a specification draws over them.
  ///
  /// - Parameter size: The size in which they are shown, in which focus is judged; nil if it is theirs. Clipped pixels are
  ///   looked for before others are mixed with them.
  fileprivate func marked(as specification: RenditionSpecification, at size: PixelSize? = nil) -> Pixels {
    let marked = overlaid(as: specification, at: size)
    guard let crop = specification.presentation.crop, !specification.isPart else { return marked }
    return marked.shaded(outside: crop)
  }

  private func overlaid(as specification: RenditionSpecification, at size: PixelSize?) -> Pixels {
    let presentation = specification.presentation
    return switch presentation.overlay {
    case .none: toned(presentation.tone)
    case .peaking: (size.map { $0.area < self.size.area ? scaled(to: $0) : self } ?? self).focusPeaking()
    case .clipping: clippingMarked()
    case .fading: faded(into: specification.screen.background)
    case .pixel: toned(presentation.tone).pixelMarked()
    }
  }
}

// MARK: - The image itself

extension Renderer {
  private func image(of file: ImageFile, _ request: RenditionRequest) throws(ImageFault) -> ImageAnswer {
    if let tile = try tile(of: file, request) { return tile }
    let (specification, isForCommand) = (request.specification, request.stage.isForCommand)
    if !isForCommand, let part = try regions.part(of: file, specification, decoder) {
      let (content, isExact) = encoder.encode(part.pixels.marked(as: specification), part.layout, request)
      var info = part.info
      info.isSharp = isExact
      info.histogram = part.pixels.histogram(isIncomplete: info.isIncomplete)
      info.sharpness = part.pixels.sharpness()
      info.pixel = part.pixels.sample(of: part.layout.part)
      return answer(content, info)
    }
    var drawing: SymbolDrawing?
    var scaling: EarlyScaling?
    let start = ContinuousClock.now
    let decoded = try decoder.decode(
      file, specification, isForCommand: isForCommand, leavesThumbnails: request.leavesThumbnails
    ) { layout in
      if isForCommand { drawing = SymbolDrawing(layout, specification) }
      scaling = encoder.earlyScaling(layout, request)
    } onRows: {
      drawing?.draw($0, finishedRows: $1)
      scaling?.scale($0, finishedRows: $1)
    }
    if request.leavesThumbnails { addThumbnails(of: decoded, file, since: start) }
    // What was made of an image that then turned out to be damaged is dropped.
    if decoded.isPreview { (drawing, scaling) = (nil, nil) }
    // Images of other formats than JPEG are drawn once they are decoded.
    if isForCommand, drawing == nil { drawing = SymbolDrawing(decoded.layout, specification) }
    let (content, isExact) =
      drawing.map { (.cells($0.finish(decoded.pixels)), true) }
      ?? encoder.encode(
        (scaling?.finish(decoded.pixels) ?? decoded.pixels).marked(as: specification, at: decoded.layout.pixels),
        decoded.layout, request)
    var info = decoded.info
    info.isSharp = info.isSharp && isExact
    if !isForCommand { info.histogram = decoded.pixels.histogram(isIncomplete: info.isIncomplete) }
    return answer(content, info)
  }

  /// Renders an image for a small box, such as one of a list's row, or for one at whose sides it is cut. All of it is
  /// decoded, in a size that takes hardly longer, so that there is a thumbnail for the next time. Returns nil for other
  /// images.
  private func tile(of file: ImageFile, _ request: RenditionRequest) throws(ImageFault) -> ImageAnswer? {
    let specification = request.specification
    guard !specification.isPart, request.leavesThumbnails,
      let whole = decoder.uprightSize(of: file)
    else { return nil }
    let layout = Layout(whole, specification)
    let boxes = [ThumbnailCache.box] + (layout.isCut ? ThumbnailCache.largeBoxes : [])
    guard let box = boxes.first(where: { $0 >= layout.sharpSide }), whole.longerSide > 2 * box else { return nil }
    // The decoder returns enough pixels for a thumbnail.
    let wholeImage = RenditionSpecification(
      pixelsOf: specification.image, side: max(layout.sharpSide, ThumbnailCache.box / 2),
      background: specification.screen.background)
    let start = ContinuousClock.now
    let decoded = try decoder.decode(file, wholeImage, leavesThumbnails: true)
    addThumbnails(of: decoded, file, since: start)
    var tile = answer(decoded.pixels, layout, whole, isIncomplete: decoded.info.isIncomplete, request)
    tile.info.frames = decoded.info.frames
    tile.info.delay = decoded.info.delay
    return tile
  }

  private func addThumbnails(
    of decoded: ImageDecoder.Decoded, _ file: ImageFile, since start: ContinuousClock.Instant
  ) {
    thumbnailMaker.add(
      decoded, of: file, number, known: thumbnails.all(of: file), after: ContinuousClock.now - start)
  }

  /// Makes a thumbnail if there is none yet.
  private func thumbnail(of file: ImageFile) throws(ImageFault) -> ImageAnswer {
    let known = thumbnails.all(of: file)
    if !known.contains(where: { $0.box == ThumbnailCache.box }) {
      let whole = RenditionSpecification(pixelsOf: .file(file.path), side: ThumbnailCache.box)
      addThumbnails(of: try decoder.decode(file, whole, leavesThumbnails: true), file, since: .now)
      thumbnailMaker.makeAll()
    }
    return answer(.noPreview)
  }
}

extension RenditionRequest {
  /// Returns the longer side of a thumbnail that is large enough, in pixels.
  ///
  /// - Parameter sharpSide: That of one that looks as sharp as the image.
  fileprivate func previewSide(_ sharpSide: Int) -> Int {
    guard case .transfer = specification.screen.format, stage == .preview else { return sharpSide }
    return min(sharpSide, TransferEncoder.previewSide)
  }

  /// Whether thumbnails of the image are stored, which are upright and show its first frame.
  fileprivate var leavesThumbnails: Bool {
    let presentation = specification.presentation
    return (stage == .full || stage == .ahead) && presentation.frame == 0 && presentation.rotation == .upright
      && !presentation.isDeveloped
  }
}
