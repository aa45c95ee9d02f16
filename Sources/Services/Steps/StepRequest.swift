import Gallery
import Photos

/// A change of photos that the user has requested, which becomes one step.
public struct StepRequest: Sendable {
  /// The kinds of changes. For each, `Steps` has an operation.
  public enum Change: Hashable, Sendable {
    /// The user decides about the photos.
    case decision(DecisionChange)
    /// The files of whole photos go to another place.
    case files(FileChange)
    /// A new file is made of the photo.
    case export(PhotoExport)
    /// A contact sheet is made. It is the part of its first photo in the journal.
    case sheet(PhotoSheet)
    /// A collection is changed. The change is the part of its first photo in the journal.
    case collection(CollectionChange)

    /// Whether the change is one of whole photos, with all their files. Others are changes of each file.
    public var isOfWholePhotos: Bool {
      switch self {
      case .decision: false
      case .files, .export, .sheet, .collection: true
      }
    }

    /// Whether the outcome depends on what the photo's own file contains.
    public var dependsOnFile: Bool {
      switch self {
      case .decision(let change): change.dependsOnFile
      case .files, .export, .sheet, .collection: false
      }
    }

    /// Returns the files of a photo that the change is about. A server keeps the decisions about a live photo with the photo, and not with
    /// its movie.
    public func files(of shot: [Photo]) -> [Photo] {
      let possible = shot.filter(isPossible)
      guard case .decision = self, possible.first?.file == nil else { return possible }
      let images = possible.filter { $0.kind != .video }
      return images.isEmpty ? possible : images
    }

    /// Returns whether the change is possible for a photo. One on a server has no file here, but it can be downloaded.
    public func isPossible(for photo: Photo) -> Bool {
      switch self {
      case .decision, .files(.copy), .export: true
      case .files, .sheet, .collection: photo.file != nil
      }
    }

    /// A remark for a change whose effect does not show by itself, or nil.
    public var remark: String? { if case .decision(let change) = self { change.remark } else { nil } }

    /// Returns the change of named photos in words, such as `3 stars on Dune`.
    public func title(for name: String) -> String {
      switch self {
      case .decision(let change): change.title(for: name)
      case .files(let change): change.title(for: name)
      case .export(let export): export.title(for: name)
      case .sheet(let sheet): sheet.title(for: name)
      case .collection(let change): change.title(for: name)
      }
    }
  }

  /// One of the photos.
  public struct Target: Sendable {
    /// The change of the photo.
    public let change: Change
    /// The photo.
    public let photo: Photo
    /// The decisions that the photo showed before the change; nil if it has not been read.
    public let shown: PhotoDecisions?
    /// The files: that of the photo, or all of a whole photo.
    public let files: [FilePath]
    /// The other files of a whole photo on a server.
    public var others: [Photo] = []
  }

  /// The photos.
  public let targets: [Target]
  /// The step in words.
  public let title: String

  /// Creates a request.
  ///
  /// - Parameters:
  ///   - shots: The photos of all files of each shot.
  ///   - name: The photos in words, or nil for the name of one file or the number of several.
  ///   - shown: Returns the decisions that a photo shows.
  public init(
    _ change: Change, forShots shots: [[Photo]], called name: String? = nil,
    showing shown: (Photo) -> PhotoDecisions = { PhotoDecisions($0.metadata) }
  ) {
    let targets = change.isOfWholePhotos ? shots : shots.joined().map { [$0] }
    self.targets = targets.map { files in
      Target(
        change: change, photo: files[0], shown: files[0].metadata == nil ? nil : shown(files[0]),
        files: files.compactMap(\.file), others: files.dropFirst().filter { $0.file == nil })
    }
    title = change.title(for: name ?? Self.name(of: targets.map { $0[0] }))
  }

  /// Creates a request for photos that have one file each.
  public init(_ change: Change, for photos: [Photo], called name: String? = nil) {
    self.init(change, forShots: photos.map { [$0] }, called: name)
  }

  /// Creates a request that renames photos one after the other, as one step.
  public init(_ renames: [FileRename], called name: String? = nil) {
    targets = renames.map {
      Target(change: .files(.rename(to: $0.stem)), photo: $0.photo, shown: nil, files: $0.files)
    }
    let count = Set(renames.map(\.photo.id)).count
    title =
      count == 1
      ? FileChange.rename(to: renames[renames.count - 1].stem).title(for: name ?? Self.name(of: [renames[0].photo]))
      : localized("Rename \(name ?? Self.countText(count))")
  }

  /// Creates a request that changes photos each in its own way, as one step.
  ///
  /// - Parameters:
  ///   - changes: The changes, of which the first one names the step.
  ///   - name: The photos in words, or nil for the name of one file or the number of several.
  ///   - shown: Returns the decisions that a photo shows.
  public init(
    _ changes: [(photo: Photo, change: DecisionChange)], called name: String? = nil,
    showing shown: (Photo) -> PhotoDecisions = { PhotoDecisions($0.metadata) }
  ) {
    targets = changes.map { photo, change in
      Target(
        change: .decision(change), photo: photo, shown: photo.metadata == nil ? nil : shown(photo),
        files: [photo.file].compactMap(\.self))
    }
    title = changes.first?.change.title(for: name ?? Self.name(of: changes.map(\.photo))) ?? ""
  }

  /// Creates a request that makes new files of photos, as one step.
  public init(_ exports: [(photo: Photo, export: PhotoExport)]) {
    targets = exports.map {
      Target(change: .export($0.export), photo: $0.photo, shown: nil, files: [$0.photo.file].compactMap(\.self))
    }
    title = exports.first?.export.title(for: Self.name(of: exports.map(\.photo))) ?? ""
  }

  /// Creates a request that makes a contact sheet.
  /// - Parameter first: The first photo of the sheet.
  public init(_ sheet: PhotoSheet, first: Photo) {
    targets = [Target(change: .sheet(sheet), photo: first, shown: nil, files: [first.file].compactMap(\.self))]
    title = sheet.title(for: Self.countText(sheet.items.count))
  }

  /// Creates a request that changes a collection.
  /// - Parameter shots: The files of the photos that the change is about. There is at least one.
  public init(_ change: CollectionChange, ofShots shots: [[Photo]]) {
    targets = [Target(change: .collection(change), photo: shots[0][0], shown: nil, files: [])]
    title = change.title(for: Self.name(of: shots.map { $0[0] }))
  }

  /// Creates a request that imports photos as one step.
  public init(_ imports: [FileImport]) {
    targets = imports.map {
      Target(change: .files(.importing(as: $0.stems)), photo: $0.photo, shown: nil, files: $0.files)
    }
    title = FileChange.importing(as: []).title(for: Self.name(of: imports.map(\.photo)))
  }

  /// Returns the request with other changes and paths, as for the machine that has the photos.
  public func mapped(change: (Change) -> Change, path: (FilePath) -> FilePath) -> StepRequest {
    StepRequest(
      targets: targets.map { target in
        var photo = target.photo
        photo.image = photo.file.map { .file(path($0)) } ?? photo.image
        return Target(
          change: change(target.change), photo: photo, shown: target.shown, files: target.files.map(path),
          others: target.others)
      }, title: title)
  }

  private init(targets: [Target], title: String) {
    self.targets = targets
    self.title = title
  }

  private static func countText(_ count: Int) -> String {
    localized("\(count) photo", plural: "\(count) photos", count: count)
  }

  private static func name(of photos: [Photo]) -> String {
    photos.count == 1
      ? photos[0].file?.printableName ?? photos[0].name
      : countText(photos.count)
  }
}
