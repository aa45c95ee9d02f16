import Gallery
import Remote
import Screens

// The view with which a source opens.
extension Browse {
  /// The folder that is open, here or on another machine; nil for another source.
  @MainActor
  static func folder(of source: GallerySource) -> FilePath? {
    if case .remote(let address) = source { RemoteConnections.folder(of: address) } else { source.folder }
  }

  @MainActor
  func firstView(of source: GallerySource) -> FirstView {
    if let slideshow { return .slideshow(seconds: slideshow) }
    return Self.isOfPhoto(source) ? .viewer : .list
  }

  /// Whether one photo was named, which the viewer shows first.
  @MainActor
  static func isOfPhoto(_ source: GallerySource) -> Bool {
    switch source {
    case .photo: true
    case .remote(let address): RemoteConnections.opened(at: address)?.isPhoto ?? false
    case .bundled, .standardInput, .address, .immich, .fileServer, .catalog, .collection, .archive, .files: false
    }
  }

  /// The place that leads to the source. A photo is shown in its folder.
  @MainActor
  static func place(of source: GallerySource) -> Place {
    guard isOfPhoto(source), let folder = folder(of: source), let address = RemoteAddress(folder) else {
      return source.place
    }
    return GallerySource.remote(address).place
  }
}
