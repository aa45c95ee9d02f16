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
    let versions = web.smallerVersions(of: image)
    if wish.stage == .preview { return versions.first }
    let box = wish.specification.boxInPixels
    // An image that fits in the box has no longer shorter side than the box.
    let side = presentation.view.isWhole ? min(box.width, box.height) : max(box.width, box.height)
    return versions.first { $0.shorterSide >= side }
  }

  /// Returns the address from which the image of a wish is fetched, or nil if it is not from the web.
  func address(of wish: Wish) -> String? {
    guard case .web(let image) = wish.specification.image else { return nil }
    return smallerVersion(for: wish)?.address ?? image
  }

  /// Returns all addresses of an image from the web.
  func addresses(of image: ImageLocation) -> [String] {
    guard case .web(let address) = image, let web else { return [] }
    return web.addresses(of: address)
  }

  func path(of wish: Wish) -> FilePath? {
    if case .file(let path) = wish.specification.image { return path }
    guard let address = address(of: wish), case .ready(let path)? = web?[address] else { return nil }
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
    let fetched = web.smallerVersions(of: address).map(\.address) + [address]
    for address in fetched { if case .failed(let error)? = web[address] { return .notFetched(error) } }
    return nil
  }

  func receiveFile(from address: String) {
    startWorkers()
    // If the fetch has failed, the reason is shown in place of the image, or another version of it is fetched.
    guard case .failed? = web?[address] else { return }
    if asked.contains(where: { !$0.value && addresses(of: $0.key.image).contains(address) }) { onRendition() }
  }
}

extension WebImageVersion {
  /// Returns the request for a worker that shows the version in place of the image.
  func request(_ request: RenditionRequest) -> RenditionRequest {
    var request = request
    // A file of the cache needs no thumbnail.
    request.stage = .once
    let isWhole = request.specification.presentation.view == .whole
    if isWhole, imageWidth == 0 || min(imageWidth, imageHeight) > shorterSide {
      request.specification.presentation.view = .enlarged
    }
    return request
  }

  /// Replaces the properties of the version by those of the image.
  func complete(_ info: inout ImageInfo, isPreview: Bool) {
    if isPreview { info.isSharp = false }
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
