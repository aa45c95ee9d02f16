#if Pictures
  import CChafa
  import CVips
  import Foundation
  import PictureWire

  /// Turns files into renditions: libvips decodes to just the pixels that are shown, then they get the request's form.
  final class Renderer {
    /// No picture of more pixels is decoded.
    private static let mostPixels = 500_000_000

    private let thumbnails = ThumbnailCache(environment: ProcessInfo.processInfo.environment)
    private let forms = FormEncoder()
    private var modules: Set<String> = []
    /// What is still to be done when the answer is on its way.
    private var afterwards: () -> Void = {}

    init() {
      cvips_start("tintype-pictures")
      vips_cache_set_max(0)
      vips_operation_block_set("VipsForeignLoad", 1)
      // Thumbnails are looked for under their own names, before the file's format is let in.
      vips_operation_block_set("VipsForeignLoadPng", 0)
    }

    func render(_ request: PictureRequest) -> PictureAnswer {
      // In the browser each worker has a core to itself; in the shell one picture has them all.
      vips_concurrency_set(request.stage == .once ? 0 : 1)
      chafa_set_n_threads(request.stage == .once ? -1 : 1)
      do throws(PictureFailure) {
        let file = try PictureFile(path: request.path)
        load(moduleFor: file.format)
        if let loader = file.format.loader { vips_operation_block_set(loader, 0) }
        // Of raw files the embedded JPEG is decoded.
        vips_operation_block_set("VipsForeignLoadJpeg", 0)
        defer {
          for format in PictureFormat.allCases where format != .png {
            if let loader = format.loader { vips_operation_block_set(loader, 1) }
          }
        }
        return request.stage == .preview ? preview(of: file, request) : try picture(of: file, request)
      } catch {
        return PictureAnswer(number: request.number, content: .failure(error.description))
      }
    }

    /// Loads the part of libvips for formats that it keeps apart, the first time that it is wanted.
    private func load(moduleFor format: PictureFormat) {
      guard let module = format.module, !modules.contains(module) else { return }
      modules.insert(module)
      if let folder = Self.libraryFolder { _ = cvips_load_module(folder, module) }
      if let loader = format.loader { vips_operation_block_set(loader, 1) }
    }

    /// Where libvips was loaded from, as the kernel has it.
    private static let libraryFolder: String? = {
      // In pieces, to its end: it has no size that could be read at once.
      let bytes = try? FileHandle(forReadingAtPath: "/proc/self/maps")?.readToEnd()
      let maps = String(decoding: bytes ?? Data(), as: UTF8.self)
      guard let line = maps.split(separator: "\n").first(where: { $0.contains("/libvips.so") }) else { return nil }
      return line.drop { $0 != "/" }.split(separator: "/").dropLast().reduce(into: "") { $0 += "/" + $1 }
    }()

    /// The libraries' versions, and what they can read.
    func report() -> [String] {
      for format in PictureFormat.allCases { load(moduleFor: format) }
      let known = PictureFormat.allCases.filter { format in
        format.loader.map {
          vips_type_find("VipsForeignLoad", $0 + "File") != 0 || vips_type_find("VipsOperation", $0) != 0
        }
          ?? true
      }
      let missing = PictureFormat.allCases.filter { !known.contains($0) }
      return [
        "libraries   libvips \(String(cString: vips_version_string())), libchafa \(SymbolEncoder.libraryVersion)",
        "reads       \(known.map(\.name).joined(separator: ", "))",
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
    private func preview(of file: PictureFile, _ request: PictureRequest) -> PictureAnswer {
      let none = PictureAnswer(number: request.number, content: .noPreview)
      if case .zoomed = request.view { return none }
      // It is laid out as the picture itself, which then takes its place without a jump.
      guard !file.isRaw, let whole = uprightSize(of: file) else { return none }
      let layout = Layout(whole, request)
      let needed = Layout.neededPixels(request)
      let thumbnail = request.frame == 0 ? thumbnails?.thumbnail(of: file, pixels: needed) : nil
      if let thumbnail, thumbnail.size.longerSide >= needed {
        return rendition(of: thumbnail, layout, isSharp: true, request) ?? none
      }
      if let embedded = EmbeddedPreview(of: file), let picture = picture(of: embedded) {
        // Cameras keep the thumbnails of Exif at 4 to 3, with black bars where the picture is wider.
        let fitted = Layout.part(of: embedded.orientation >= 5 ? picture.size.transposed : picture.size, like: whole)
        if fitted.longerSide >= (thumbnail?.size.longerSide ?? 0) {
          if let pixels = pixels(of: embedded, croppedLike: whole, layout, request) {
            return answer(pixels, layout, facts: PictureFacts(isSharp: fitted.longerSide >= needed), request)
          }
        }
      }
      guard let thumbnail else { return none }
      return rendition(of: thumbnail, layout, isSharp: false, request) ?? none
    }

    private func uprightSize(of file: PictureFile) -> PixelSize? {
      defer { vips_error_clear() }
      return VipsPicture(cvips_open(file.name()))?.uprightSize
    }

    private func picture(of preview: EmbeddedPreview) -> VipsPicture? {
      defer { vips_error_clear() }
      return preview.jpeg.withUnsafeBytes { VipsPicture(cvips_open_bytes($0.baseAddress, $0.count, "")) }
    }

    private func rendition(
      of thumbnail: VipsPicture, _ layout: Layout, isSharp: Bool, _ request: PictureRequest
    ) -> PictureAnswer? {
      let pixels = thumbnail.scaled(to: layout.pixels, isCut: layout.isCut)?.pixels(background: request.background)
      return pixels.map { answer($0, layout, facts: PictureFacts(isSharp: isSharp), request) }
    }

    /// - Parameter whole: The size of the picture that the preview is of, where the preview may have bars around it.
    private func pixels(
      of preview: EmbeddedPreview, croppedLike whole: PixelSize? = nil, _ layout: Layout, _ request: PictureRequest
    ) -> Pixels? {
      let crop = (preview.orientation >= 5 ? whole?.transposed : whole) ?? PixelSize(0, 0)
      return preview.jpeg.withUnsafeBytes { jpeg in
        VipsPicture(
          cvips_thumbnail_bytes(
            jpeg.baseAddress, jpeg.count, Int32(layout.pixels.width), Int32(layout.pixels.height),
            layout.isCut ? 1 : 0, Int32(preview.orientation), Int32(crop.width), Int32(crop.height)))?
          .pixels(background: request.background)
      }
    }
  }

  // MARK: - The picture itself

  extension Renderer {
    private func picture(of file: PictureFile, _ request: PictureRequest) throws(PictureFailure) -> PictureAnswer {
      if file.isRaw || file.isRawTIFF { return try embeddedPicture(of: file, request) }
      if file.format == .bmp { return try bitmap(file, request) }
      guard let header = VipsPicture(cvips_open(file.name(frame: request.frame))) else {
        return try embeddedPicture(of: file, request, otherwise: VipsPicture.takeError())
      }
      let (size, upright) = (header.size, header.uprightSize)
      guard size.width > 0, size.height > 0, size.width <= Self.mostPixels / size.height else {
        throw .tooLarge(size.width, size.height)
      }
      let layout = Layout(upright, request)
      guard let pixels = decode(file, header, layout, request) else {
        // Damaged, perhaps; its preview may not be.
        return try embeddedPicture(of: file, request, otherwise: VipsPicture.takeError())
      }
      let facts = PictureFacts(
        width: upright.width, height: upright.height, scale: layout.scale, frames: header.frames,
        delay: header.delay(frame: request.frame))
      if request.stage == .full, request.frame == 0, !layout.isPart { keepThumbnail(pixels, layout, of: file, upright) }
      return answer(pixels, layout, facts: facts, request)
    }

    private func decode(_ file: PictureFile, _ header: VipsPicture, _ layout: Layout, _ request: PictureRequest)
      -> Pixels?
    {
      let (width, height) = (Int32(layout.pixels.width), Int32(layout.pixels.height))
      let name = file.name(frame: request.frame)
      if case .zoomed(let scale, let x, let y) = request.view {
        return VipsPicture(
          cvips_part(name, Double(scale) / 65536, Double(x) / 65536, Double(y) / 65536, width, height))?
          .pixels(background: request.background)
      }
      if file.format == .jpeg, request.form.isSymbols, !layout.isCut, header.isUpright,
        cvips_export_profile(header.image) == nil
      {
        // libchafa scales while it draws: what the decoder's own scaling gives is near enough.
        return VipsPicture(cvips_open("\(name)[shrink=\(layout.jpegShrink)]"))?.pixels(background: request.background)
      }
      let image =
        file.format == .jpeg
        ? cvips_thumbnail_jpeg(name, Int32(layout.jpegShrink), width, height, layout.isCut ? 1 : 0)
        : cvips_thumbnail(name, header.image, width, height, layout.isCut ? 1 : 0)
      return VipsPicture(image)?.pixels(background: request.background)
    }

    /// A raw file's preview, or what stands in for a picture that cannot be decoded.
    private func embeddedPicture(
      of file: PictureFile, _ request: PictureRequest, otherwise reason: String? = nil
    ) throws(PictureFailure) -> PictureAnswer {
      guard let preview = EmbeddedPreview(of: file), let picture = picture(of: preview) else {
        throw reason.map { .damaged($0) } ?? .noPreview
      }
      let upright = preview.orientation >= 5 ? picture.size.transposed : picture.size
      guard upright.width > 0, upright.height > 0, upright.width <= Self.mostPixels / upright.height else {
        throw .tooLarge(upright.width, upright.height)
      }
      let layout = Layout(upright, request, isWhole: true)
      guard let pixels = pixels(of: preview, layout, request) else { throw .damaged(VipsPicture.takeError()) }
      return answer(
        pixels, layout, facts: PictureFacts(width: upright.width, height: upright.height, scale: layout.scale), request)
    }

    private func bitmap(_ file: PictureFile, _ request: PictureRequest) throws(PictureFailure) -> PictureAnswer {
      let bitmap = try Bitmap(file, mostPixels: Self.mostPixels / 4)
      let upright = PixelSize(bitmap.width, bitmap.height)
      let layout = Layout(upright, request, isWhole: true)
      let pixels = bitmap.pixels.withUnsafeBytes { bytes in
        VipsPicture(cvips_wrap(bytes.baseAddress, Int32(bitmap.width), Int32(bitmap.height), 3))?
          .scaled(to: layout.pixels, isCut: layout.isCut)?.pixels(background: request.background)
      }
      guard let pixels else { throw .damaged(VipsPicture.takeError()) }
      return answer(
        pixels, layout, facts: PictureFacts(width: upright.width, height: upright.height, scale: layout.scale), request)
    }

    /// Has a thumbnail kept for the next time, made of the pixels that are there already if they are enough.
    private func keepThumbnail(_ pixels: Pixels, _ layout: Layout, of file: PictureFile, _ upright: PixelSize) {
      let box = ThumbnailCache.box
      guard let thumbnails, !layout.isCut, upright.longerSide > 2 * box, file.format != .svg,
        pixels.size.longerSide >= box
      else { return }
      afterwards = {
        guard thumbnails.thumbnail(of: file, pixels: box) == nil else { return }
        let scale = Double(box) / Double(upright.longerSide)
        let size = PixelSize(
          max(1, Int((Double(upright.width) * scale).rounded())),
          max(1, Int((Double(upright.height) * scale).rounded())))
        guard let thumbnail = pixels.picture?.scaled(to: size, isCut: false) else { return }
        withExtendedLifetime(pixels) {
          thumbnails.keep(thumbnail, of: file, width: upright.width, height: upright.height)
        }
      }
    }

    private func answer(
      _ pixels: Pixels, _ layout: Layout, facts: PictureFacts, _ request: PictureRequest
    ) -> PictureAnswer {
      PictureAnswer(number: request.number, content: forms.encode(pixels, layout, request), facts: facts)
    }
  }

  extension PictureFile {
    fileprivate var isRaw: Bool { format == .rawTIFF || format == .rawFujifilm || format == .rawCanon }
  }
#else
  import PictureWire

  /// Stands in where the program was built without the picture libraries.
  final class Renderer {
    func render(_ request: PictureRequest) -> PictureAnswer {
      PictureAnswer(
        number: request.number, content: .failure("Tintype was built without the picture libraries"))
    }

    func finish() {}

    func deleteFiles() {}

    func report() -> [String] { ["libraries   none: Tintype was built without them"] }
  }
#endif
