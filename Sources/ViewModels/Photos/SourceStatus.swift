import Gallery
import Photos

/// The numbers and notices of the photo list's source, and the progress of reading it.
public struct SourceStatus {
  /// The newest snapshot of the source.
  private(set) var snapshot = PhotoSnapshot()
  private let calendar: LocalClock

  /// The number of snapshots that the source has sent. Images may have changed whenever it changes.
  public private(set) var snapshotNumber = 0
  /// Whether photos are being read.
  public internal(set) var isReading = false
  /// Whether the next page is being fetched.
  public internal(set) var isPaging = false
  /// The progress of reading the source, or nil if it is unknown or all of the source has been read.
  public private(set) var progress: ShownProgress?
  /// The error of the last attempt to fetch photos, while the source tries again; nil for none.
  public internal(set) var retriedError: APIError?

  init(calendar: LocalClock) { self.calendar = calendar }

  mutating func take(_ snapshot: PhotoSnapshot, progress: ShownProgress?) {
    self.snapshot = snapshot
    self.progress = progress
    snapshotNumber += 1
  }

  /// Takes note that no more photos come.
  mutating func end() {
    snapshot.isComplete = true
    isReading = false
    isPaging = false
    retriedError = nil
    progress = nil
  }

  /// The capabilities of the source.
  public var capabilities: SourceCapabilities { snapshot.capabilities }

  /// The number of photos that have been loaded.
  public var loadedCount: Int { snapshot.photos.count - snapshot.groups.hiddenCount }

  /// The number of photos in the source, including those on pages that have not been loaded.
  public var totalCount: Int { snapshot.totalItems - snapshot.groups.hiddenCount }

  /// The number of entries that could not be read.
  public var problemCount: Int { snapshot.problems.count }

  /// The problems of the first thousand entries that could not be read.
  public var problems: [SourceProblem] {
    snapshot.problems.first.map { problem in
      let file: String? = if case .file(let name) = problem.place { name } else { nil }
      return SourceProblem(text: problem.message.printable, file: file)
    }
  }

  /// The lines to show instead of rows if the source has no photos.
  public var emptyNotice: [String] {
    guard snapshot.capabilities.contains(.folders) else { return [localized("No photos in this catalog.")] }
    guard snapshot.capabilities.contains(.moving) else { return [localized("No photos in this archive.")] }
    return [localized("No photos in this folder."), localized("Hidden files are skipped.")]
  }

  /// The date and time of the cached photos that are shown because the source can't be reached, in the format
  /// yyyy-MM-dd HH:mm; nil if the photos come from the source itself.
  public var cachedSince: String? { snapshot.keptSince.map(calendar.minute) }
}

/// An entry of a source that could not be read.
public struct SourceProblem {
  /// The place and the reason in one line.
  public let text: String
  /// The path of the file, as the list shows it, or nil if the entry is in no file of its own.
  let file: String?

  /// Whether the list has a row for the entry.
  public var isListed: Bool { file != nil }
}
