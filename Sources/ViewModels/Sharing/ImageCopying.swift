import Gallery
import Photos
import Services
import WorkerPool

/// Copies the image of a photo to the user's clipboard: through the terminal, or else by a program of the desktop.
///
/// The copy is a PNG, since most programs on Linux paste no other images, not even JPEGs.
@MainActor
public final class ImageCopying {
  /// Called with the reason why an image was not copied.
  var onAlert: (Alert) -> Void = { _ in }
  /// Called with what is being done.
  var onNote: (String) -> Void = { _ in }

  private let maker: (any PhotoExporterProtocol)?
  private let desktop: any DesktopServiceProtocol
  /// The copy that is being made.
  private(set) var copying: Task<Void, Never>?

  /// The longest time that an image takes on a slow line.
  private static let longestTime = Duration.seconds(30)

  /// - Parameter maker: The service that makes PNGs of photos; nil if there is none.
  init(maker: (any PhotoExporterProtocol)?, desktop: any DesktopServiceProtocol) {
    self.maker = maker
    self.desktop = desktop
  }

  /// Copies the image of a file.
  /// - Parameter shown: The photo's metadata with the decisions, as the gallery shows them.
  func copy(_ file: FilePath, shown: PhotoMetadata, to clipboard: any ImageClipboard) {
    let name = file.printableName
    onNote(localized("Copying the image: \(name)"))
    copying = Task.onMainActor { [weak self, maker, desktop] in
      let command = clipboard.takesImages ? nil : await desktop.imageCopyCommand()
      guard clipboard.takesImages || command != nil else { return self?.alert(Self.advice) ?? () }
      let image = await Task(executorPreference: WorkerPool.shared) {
        await result { () async throws(ImageFault) in try await Self.png(of: file, shown, maker) }
      }.value
      switch image {
      case .failure(let fault): self?.alert(fault.message)
      case .success(nil): self?.alert(localized("This needs the image libraries. Install Tintype with them."))
      case .success(let png?):
        if let command { await self?.run(command, png, name) } else { self?.send(png, name, to: clipboard) }
      }
    }
  }

  private func send(_ png: [UInt8], _ name: String, to clipboard: any ImageClipboard) {
    let size = Int64(png.count).fileSizeText
    if let time = clipboard.time(of: png.count), time > Self.longestTime {
      let seconds = Int(time / .seconds(1))
      return alert(
        localized("The image has \(size), which takes \(seconds.grouped) s on this line. Export it in a smaller size."))
    }
    onNote(localized("Sending to the clipboard: \(name), \(size)"))
    clipboard.copy(png: png) { [weak self] answer in
      switch answer {
      case .done: self?.onNote(Self.note(name, size))
      case .denied: self?.alert(localized("The terminal doesn't let programs copy. Change that in its settings."))
      case .failed(let reason): self?.alert(localized("The terminal reports an error (\(reason)). Try again."))
      }
    }
  }

  private func run(_ command: [[UInt8]], _ png: [UInt8], _ name: String) async {
    switch await result({ [desktop] () async throws(APIError) in try await desktop.run(command, input: png) }) {
    case .success: onNote(Self.note(name, Int64(png.count).fileSizeText))
    case .failure(let error): alert(error.message)
    }
  }

  private static func note(_ name: String, _ size: String) -> String { localized("Copied the image: \(name), \(size)") }

  private static var advice: String {
    localized(
      "This terminal takes no images for the clipboard. kitty does, also in tmux with allow-passthrough. So do wl-copy on Wayland and xclip on X11."
    )
  }

  private func alert(_ message: String) {
    onAlert(Alert(title: localized("Can't copy the image"), message: message))
  }
}

// MARK: - The image

extension ImageCopying {
  /// The largest file that is copied as it is, in bytes.
  private nonisolated static let largestFile = 16 << 20
  /// The longer side of other images, in pixels. A photo of this size has about 15 MB as a PNG.
  private nonisolated static let longestSide = 4096
  /// The first bytes of a PNG (PNG specification, section 5.2).
  private nonisolated static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// Returns an image as a PNG: the file itself if it is one that is shown as it is, or else a new one; nil if none can be made.
  @concurrent
  private static func png(
    of file: FilePath, _ shown: PhotoMetadata, _ maker: (any PhotoExporterProtocol)?
  ) async throws(ImageFault) -> [UInt8]? {
    if shown.shownOrientation == .upright, shown.shownCrop == nil, file.head(signature.count) == signature {
      let bytes = file.head(largestFile + 1)
      if bytes.count <= largestFile { return bytes }
    }
    guard let maker else { return nil }
    var specification = ExportSpecification()
    specification.format = .png
    specification.size = .longEdge(longestSide)
    specification.metadata = .none
    return try await maker.contents(of: file, shown: shown, as: specification)
  }
}
