import Gallery
import ImageWire
import Metadata

// Raw files. Their previews are the camera's own work and are decoded at once, so they are shown if they are large enough.
extension ImageDecoder {
  /// Decodes a raw file: its preview, or its data if the user asks for them or the preview is too small.
  func decodeRaw(
    _ file: ImageFile, _ specification: RenditionSpecification, leavesThumbnails: Bool
  ) throws(ImageFault) -> Decoded {
    let presentation = specification.presentation
    guard let raw = try developable(file, presentation.rotation, isWanted: presentation.isDeveloped) else {
      return try decodePreview(of: file, specification)
    }
    let layout = Layout(try checked(raw.uprightSize), specification)
    let preview = presentation.isDeveloped ? nil : shownPreview(of: file, presentation.rotation)
    if let preview, preview.uprightSize.longerSide >= layout.sharpSide {
      return try decodePreview(of: file, specification, size: raw.uprightSize)
    }
    let box = leavesThumbnails ? ThumbnailCache.boxes(for: layout, of: raw.uprightSize).first : nil
    do throws(ImageFault) {
      let pixels = try raw.pixels(layout, longerSide: box ?? 0)
      if raw.isDamaged, preview != nil { return try decodePreview(of: file, specification, otherwise: .incomplete) }
      var info = ImageInfo(raw.uprightSize, layout, isIncomplete: raw.isDamaged)
      info.isDeveloped = true
      return Decoded(pixels: pixels, layout: layout, info: info, isWhole: !raw.isDamaged)
    } catch {
      guard preview != nil else { throw presentation.isDeveloped ? error : .noPreview }
      return try decodePreview(of: file, specification)
    }
  }

  /// Returns the size of the rotated image that is shown of a raw file, or nil if there is none.
  func rawSize(of file: ImageFile, _ rotation: ImageRotation) -> PixelSize? {
    let raw = (try? developable(file, rotation)) ?? nil
    return raw?.uprightSize ?? shownPreview(of: file, rotation)?.uprightSize
  }

  /// Returns a raw file whose data are shown, or nil if its preview is.
  ///
  /// - Parameter isWanted: Whether the user asks for the data.
  func developable(
    _ file: ImageFile, _ rotation: ImageRotation, isWanted: Bool = false
  ) throws(ImageFault) -> RawImage? {
    if isWanted { return try raws.open(file, rotation) }
    guard hasSmallPreview(file) else { return nil }
    do throws(ImageFault) {
      return try raws.open(file, rotation)
    } catch {
      // A small preview is better than none.
      if EmbeddedPreview(of: file) != nil { return nil }
      throw error == .damaged(.noRawLibrary) ? error : .noPreview
    }
  }

  /// Whether a file is a raw one whose preview is missing or has less than half of the image's sides.
  func hasSmallPreview(_ file: ImageFile) -> Bool {
    guard file.isRaw else { return false }
    guard let preview = shownPreview(of: file, .upright) else { return true }
    return preview.uprightSize.longerSide * 2 < file.sensorSide
  }

  /// Decodes the preview of a raw file, or one that replaces an image that cannot be decoded.
  ///
  /// - Parameters:
  ///   - size: The size of the image itself, which the preview takes; nil for its own.
  ///   - failure: The reason why the image itself cannot be decoded, or nil for a raw file.
  func decodePreview(
    of file: ImageFile, _ specification: RenditionSpecification, size: PixelSize? = nil,
    otherwise failure: ImageFault? = nil
  ) throws(ImageFault) -> Decoded {
    let rotation = specification.presentation.rotation
    guard let jpeg = shownPreview(of: file, rotation) else { throw failure ?? .noPreview }
    let own = failure == nil ? size : uprightSize(of: file, rotation)
    let whole = try checked(own ?? jpeg.uprightSize)
    let layout = Layout(whole, specification)
    let part = PixelRect(inMiddleOf: jpeg.uprightSize, like: whole).part(layout.part, of: whole)
    let pixels = try jpeg.pixels(of: part, wanted: layout.decodedPixels)
    return Decoded(
      pixels: pixels, layout: layout, info: ImageInfo(whole, layout, isIncomplete: failure != nil),
      isWhole: failure == nil, isPreview: true)
  }

  /// Returns the preview in a file that is shown in place of the image, or nil if there is none.
  private func shownPreview(of file: ImageFile, _ rotation: ImageRotation) -> JPEGImage? {
    EmbeddedPreview(of: file).flatMap {
      JPEGImage(file, at: $0.offset, orientation: rotation.orientation(for: $0.orientation))
    }
  }
}

extension RawImage {
  /// Returns the pixels of a layout. They are scaled down in light to the size of the layout, or until the longer side has
  /// `longerSide` pixels if those are more.
  fileprivate func pixels(_ layout: Layout, longerSide: Int) throws(ImageFault) -> Pixels {
    let isEnough = layout.pixels.longerSide >= longerSide
    let wanted = isEnough ? layout.pixels : layout.part.size.scaled(toLongerSide: longerSide)
    return try pixels(of: layout.part, wanted: wanted)
  }
}
