import Gallery
import HTTP
import ImageWire

// Images from the web. Once fetched, they are files.
extension ImageLoader {
  /// Returns the version of an image that is enough for a wish if it is smaller than the image; nil for the image itself.
  func smallerVersion(for wish: Wish) -> WebImageVersion? {
    guard case .web(let image) = wish.specification.image, let web else { return nil }
    let presentation = wish.specification.presentation
    // A part shows the image's own pixels, and only a video itself has its frames.
    if presentation.view.isPart || presentation.frame != 0 || presentation.isDeveloped { return nil }
    let hasPreview = !withoutPreview.contains(wish.specification.image)
    let versions = web.smallerVersions(of: image).filter { hasPreview || !$0.isFirstPart }
    return wish.stage == .preview ? versions.first : versions.first { $0.isEnough(for: wish.specification) }
  }

  /// Returns the file from which the image of a wish is rendered, or nil if it is not from the web.
  func webFile(of wish: Wish) -> WebImageFile? {
    guard case .web(let image) = wish.specification.image else { return nil }
    return smallerVersion(for: wish)?.file ?? WebImageFile(image)
  }

  /// Returns all files of an image from the web.
  func webFiles(of image: ImageLocation) -> [WebImageFile] {
    guard case .web(let address) = image, let web else { return [] }
    return web.files(of: address)
  }

  func path(of wish: Wish) -> FilePath? {
    if case .file(let path) = wish.specification.image { return path }
    guard let file = webFile(of: wish), case .ready(let path)? = web?[file] else { return nil }
    return FilePath(path)
  }

  /// Returns what to show in place of an image whose fetch has failed, or nil.
  func failureToFetch(_ specification: RenditionSpecification) -> Rendition? {
    let image = specification.image
    if image.isRemote, let machine = image.file?.remote?.machine {
      return remote.isConnected(image) ? nil : .notFetched(.remote(.broken(machine: machine)))
    }
    guard case .web(let address) = image else { return nil }
    guard let web else { return .failed(.noCache) }
    let fetched = web.smallerVersions(of: address).map(\.file) + [WebImageFile(address)]
    for file in fetched { if case .failed(let error)? = web[file] { return .notFetched(error) } }
    return nil
  }

  func receive(_ file: WebImageFile) {
    startWorkers()
    // If the fetch has failed, the reason is shown in place of the image, or another version of it is fetched.
    guard case .failed? = web?[file] else { return }
    if asked.contains(where: { !$0.value && webFiles(of: $0.key.image).contains(file) }) { onRendition() }
  }
}

extension WebImageVersion {
  /// Whether the version is the preview in the first part of the image's file.
  var isFirstPart: Bool { file.prefix != nil }

  /// Returns the request for a worker that shows the version in place of the image.
  func request(_ request: RenditionRequest) -> RenditionRequest {
    var request = request
    if isFirstPart {
      request.stage = .preview
      return request
    }
    // A file of the cache needs no thumbnail.
    request.stage = .once
    let isWhole = request.specification.presentation.view == .whole
    if isWhole, imageWidth == 0 || min(imageWidth, imageHeight) > shorterSide {
      request.specification.presentation.view = .enlarged
    }
    return request
  }

  /// Whether the version has enough pixels for the box of a specification.
  func isEnough(for specification: RenditionSpecification) -> Bool {
    let box = specification.boxInPixels
    // An image that fits in the box has no longer shorter side than the box.
    return shorterSide
      >= (specification.presentation.view.isWhole ? min(box.width, box.height) : max(box.width, box.height))
  }

  /// Replaces the properties of the version by those of the image.
  func complete(_ info: inout ImageInfo, of wish: ImageLoader.Wish) {
    if isFirstPart {
      info.isIncomplete = false
      if isEnough(for: wish.specification) { info.isSharp = true }
    } else if wish.stage == .preview {
      info.isSharp = false
    }
    guard imageWidth > 0, info.width > 0 else { return }
    info.scale = info.scale * info.width / imageWidth
    info.width = imageWidth
    info.height = imageHeight
  }
}

extension RenditionSpecification {
  /// The pixels of a cell. A whole image in characters needs no more than those by which a character is chosen; a part is measured
  /// in the pixels of the screen.
  var cellInPixels: (width: Int, height: Int) {
    isPart || screen.format.characterColors == nil ? (screen.cellWidth, screen.cellHeight) : (8, 16)
  }

  /// The box in pixels.
  var boxInPixels: (width: Int, height: Int) {
    let cell = cellInPixels
    return (columns * cell.width, rows * cell.height)
  }
}

extension ImageView {
  /// Whether the whole image fits in the box.
  fileprivate var isWhole: Bool { self == .whole || self == .enlarged }
}
