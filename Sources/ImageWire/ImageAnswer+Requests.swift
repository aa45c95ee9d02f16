import Gallery

// A worker that a hostile file has taken over could answer anything.
extension ImageAnswer {
  /// Returns whether this may be the answer to a request: it has the request's number, is of the kind that the job has, and no
  /// larger than it was asked for.
  public func isAnswer(to request: ImageRequest) -> Bool {
    guard number == request.number else { return false }
    return switch (content, request.job) {
    case (.failure, _): true
    case (.noPreview, .show(let rendition)): rendition.stage == .preview
    case (.cells(let image), .show(let rendition)): image.fits(rendition.specification)
    case (.graphic(let image), .show(let rendition)): image.fits(rendition.specification)
    case (.transfer, .show(let rendition)): rendition.specification.screen.format.isTransfer
    case (.listing(let listing), .list(let request)): listing.isPart(from: request.start)
    case (.noPreview, .thumbnail), (.appraisal, .appraise), (.exported, .export), (.exported, .drawSheet): true
    default: false
    }
  }
}

extension CellImage {
  fileprivate func fits(_ specification: RenditionSpecification) -> Bool {
    specification.screen.format.characterColors != nil && columns <= specification.columns
      && rows <= specification.rows
  }
}

extension GraphicImage {
  fileprivate func fits(_ specification: RenditionSpecification) -> Bool {
    let format = specification.screen.format
    return format.characterColors == nil && !format.isTransfer && columns <= specification.columns
      && rows <= specification.rows
  }
}

extension OutputFormat {
  fileprivate var isTransfer: Bool { if case .transfer = self { true } else { false } }
}

extension ArchiveListing {
  /// Returns whether this can be the part of a list after so many entries, so that the list ends, and is no longer than an archive
  /// can be.
  fileprivate func isPart(from start: Int) -> Bool {
    let end = next ?? ArchiveFault.mostEntries
    return (next == nil || end > start) && entries.count <= max(0, end - start)
  }
}

extension ImageRequest {
  /// The most bytes of an answer. An image takes no more than the cells or the pixels that were asked for do in the worst case.
  public var longestAnswer: Int {
    switch job {
    case .show(let rendition):
      let specification = rendition.specification
      let (cells, screen) = (specification.columns * specification.rows, specification.screen)
      let bytes =
        screen.format.characterColors == nil
        ? cells * screen.cellWidth * screen.cellHeight * Self.mostBytesOfPixel
        : cells * MemoryLayout<CellImage.Cell>.size
      return min(WireBuffer.longest, Self.fixedBytes + bytes)
    case .list: return WireBuffer.longest
    case .thumbnail, .appraise, .export, .drawSheet: return Self.fixedBytes
    }
  }

  /// The bytes of all other fields, and of what an image of any size has, such as a palette.
  private static let fixedBytes = 1 << 16
  /// The most bytes of a pixel. Of noise in 256 colors, nearly each pixel is a sixel by itself, with the number of its color and of the
  /// columns before it; an image for kitty or iTerm2 has four bytes.
  private static let mostBytesOfPixel = 16
}
