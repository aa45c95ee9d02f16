import Gallery
import Photos
import Services
import WorkerPool

/// The actions that hand photos over to other programs: open, copy as paths, and write as a catalog.
@MainActor
public final class PhotoSharing {
  /// Called with the reason why an action was not completed.
  var onAlert: (Alert) -> Void = { _ in }
  /// Called with the address of a map if there is no web browser.
  public var onAddress: (String) -> Void = { _ in }
  /// Called with what an action did.
  var onNote: (String) -> Void = { _ in }

  private let desktop: any DesktopServiceProtocol
  private let exporter: any ExportServiceProtocol
  /// The working folder, which stays the same.
  private let folder = FilePath.workingFolder
  private(set) var opening: Task<Void, Never>?
  private(set) var running: Task<Void, Never>?

  /// The largest number of files that are opened at a time.
  private static let mostOpened = 20

  init(desktop: any DesktopServiceProtocol, exporter: any ExportServiceProtocol) {
    self.desktop = desktop
    self.exporter = exporter
  }

  /// Opens all files of shots in the programs that the desktop uses for them. An alert reports too many files or an error.
  public func open(_ shots: [[Photo]]) {
    let photos = shots.flatMap(\.self)
    guard photos.count <= Self.mostOpened else {
      let count = shots.count.photosText
      return onAlert(
        Alert(
          title: localized("Too many photos"),
          message: photos.count == shots.count
            ? localized("\(count) are too many to open. Mark \(Self.mostOpened) at most.")
            : localized(
              "The files of \(count) are too many to open. Mark fewer photos."))
      )
    }
    opening = Task.onMainActor { [weak self, desktop] in
      await withTaskGroup(of: Result<Void, APIError>.self) { group in
        for photo in photos {
          group.addTask {
            await result { () async throws(APIError) in try await desktop.open(desktop.location(of: photo.image)) }
          }
        }
        // Photos usually fail for the same reason, which one alert reports.
        var reported: APIError?
        for await case .failure(let error) in group where error != reported {
          reported = error
          self?.onAlert(Alert(title: localized("Can't open the photo"), message: error.message))
        }
      }
    }
  }

  /// Opens an image in the program that the desktop uses for it, or plays a video from a time with sound. An alert reports an
  /// error.
  ///
  /// - Parameter seconds: The time in a video; nil for another image.
  public func open(_ image: ImageLocation, from seconds: Double?) {
    opening = Task.onMainActor { [weak self, desktop] in
      let answer = await result { () async throws(APIError) in
        if let seconds, let command = await desktop.playCommand(from: seconds) {
          try await desktop.run(command + [image.bytes], input: [])
        } else {
          try await desktop.open(desktop.location(of: image))
        }
      }
      guard case .failure(let error) = answer else { return }
      self?.onAlert(Alert(title: localized("Can't open the photo"), message: error.message))
    }
  }

  /// Opens a map in the web browser. Without a browser, ``onAddress`` gets the address.
  public func openMap(_ address: String) {
    opening = Task.onMainActor { [weak self, desktop] in
      let answer = await result { () async throws(APIError) in try await desktop.browse(address) }
      guard case .failure = answer else { return }
      self?.onAddress(address)
    }
  }

  /// Runs a command of the user's own beside the gallery. A note reports its end, and an alert its failure.
  /// - Parameters:
  ///   - file: The highlighted photo's file.
  ///   - files: The files of all photos that the command is meant for.
  public func run(_ command: UserCommand, on file: ImageLocation, _ files: [ImageLocation]) {
    onNote(localized("Running: \(command.name)"))
    running = Task.onMainActor { [weak self, desktop] in
      let end = await result { () async throws(APIError) in
        try await desktop.run(command.arguments(file, files), input: [])
      }
      switch end {
      case .success: self?.onNote(localized("Done: \(command.name)"))
      case .failure(let error): self?.report(error, of: command)
      }
    }
  }

  /// Reports that a command of the user's own failed.
  public func report(_ error: APIError, of command: UserCommand) {
    onAlert(Alert(title: localized("“\(command.name)” failed"), message: error.message))
  }

  /// Returns the paths and addresses of photos, one per line.
  public func paths(of photos: [Photo]) -> String {
    // Other programs know a file on another machine as `nas:/srv/a.jpg`.
    photos.map { photo in
      let place = desktop.location(of: photo.image)
      return place.isRemote ? place.printable : String(decoding: place.bytes, as: UTF8.self)
    }.joined(separator: "\n")
  }

  /// Writes all files of shots as a catalog, without the videos of images. A note reports the number of shots written; an alert lists the
  /// skipped files or the error.
  ///
  /// - Parameters:
  ///   - name: The path of the file, which may be relative to the working folder.
  ///   - replaces: Whether a catalog that exists there is replaced.
  ///   - onExisting: Called instead if there is a file that is not to be replaced.
  public func export(
    _ shots: [[Photo]], to name: String, replaces: Bool = false, onExisting: @escaping () -> Void = {}
  ) {
    let path = FilePath(name.utf8, in: folder)
    Task.onMainActor { [weak self, exporter] in
      let images = shots.map { shot in shot.count > 1 ? shot.filter { $0.kind != .video } : shot }
      let answer = await result { () async throws(ExportError) in
        try await exporter.export(images.flatMap(\.self), to: path, replaces: replaces)
      }
      switch answer {
      case .success(let report):
        let text = report.text(path, shots: images)
        if report.skipped.isEmpty {
          self?.onNote(text)
        } else {
          self?.onAlert(Alert(title: localized("Not all saved"), message: text))
        }
      case .failure(.alreadyExists): onExisting()
      case .failure(let error): self?.onAlert(Alert(title: localized("Can't save the catalog"), message: error.message))
      }
    }
  }
}

extension ExportReport {
  /// Returns how many shots were saved where, and the files that were left out.
  fileprivate func text(_ path: FilePath, shots: [[Photo]]) -> String {
    // The list shows the files of a shot as one photo.
    let leftOut = Set(skipped.map(\.name))
    let others = shots.map { $0.count { !leftOut.contains($0.file?.printable ?? "") } }.reduce(0) {
      $0 + max(0, $1 - 1)
    }
    let count = count - others
    return localized("Saved \(count.photosText) in \(path.printable).")
      + skipped.map { "\n\($0.name): \($0.reason)" }.joined()
  }
}
