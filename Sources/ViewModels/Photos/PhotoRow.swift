import Finding
import FoundationEssentials
import Gallery
import Photos
import Services

/// A photo in the photo list, as strings that are ready to show.
public final class PhotoRow: RowViewModel, Pressable, Imaged, Markable, Decidable, Detailed, MultiFile {
  public let id: AnyHashable
  /// The name of the photo, or the title that it has just got.
  public var name: String { deciding?.newTitle(of: photo.image)?.printable ?? readName }
  private let readName: String
  /// The camera and the description; without a description, the camera, the exposure and the lens. Unknown parts are left
  /// out. Of one of several duplicates, what tells it from the others.
  public let subtitle: String
  /// The day on which the photo was taken, by the camera's clock, in the format yyyy-MM-dd, or the time in a section of
  /// that day; empty if it is unknown.
  public let date: String
  /// The formats of the photo's files, such as "RAW" or "RAW+JPEG"; nil for one file that is not raw.
  public let format: String?
  /// The place of the photo in its stack, or nil if it is in none.
  public let stack: StackPlace?
  /// The folder of the photo, with a slash at its end; empty if the photos are in one folder or grouped by it.
  public let folder: String
  /// The image's size and the keywords of a photo in a folder, for a line that would be empty; empty if they are unknown.
  public let fileFacts: String
  /// The image of the shown file, or of another one if that is a video.
  public let image: ImageLocation
  /// The name of the file if the photo beside it in the list, or another shot of the open stack, has the same name; nil if
  /// the name tells them apart.
  public let distinctName: String?
  public var deciding: PhotoDeciding? { context.deciding }
  /// Whether the shown file ends before its image does, as far as the file's metadata say.
  public let isIncomplete: Bool
  /// Whether the photo is for sale, or nil if the source doesn't say.
  public let saleBadge: SaleBadge?
  public var detail: PhotoDetail {
    PhotoDetail(photo, image: image, decisions: decisions, hasFileDate: context.hasFileDates, query: query)
  }

  /// The identifier of the photo: that of its first file.
  public var photoID: Photo.ID { files[0].id }
  /// The photos of all files, the one that is usually shown first.
  let files: [Photo]
  /// The files of each other shot that a decision about the photo is about, too.
  private let others: [[Photo]]
  /// Returns the stars of the shots that the row of a closed stack does not show; none for another row.
  private let starsBehind: @MainActor () -> [Int]
  /// The index of the photo in its table when the row was created.
  let photoIndex: TableIndex
  /// The index of the row in the list.
  private let index: RowIndex

  /// The camera, the parts of the exposure, and the lens, if they are the subtitle.
  private let subtitleFacts: [[String]]
  /// The parts of the exposure, and the lens, if the subtitle is the description.
  private let exposureFacts: [[String]]
  /// The photo of the shown file.
  public let photo: Photo
  private let context: Context

  /// The properties that all rows of a list share. A list that sets none of them has rows that only show their photos.
  public struct Context {
    /// The sections of the list, or nil for none.
    public var grouping: PhotoGrouping?
    /// Whether a photo's creation date is only that of the file, if the photo has no date of its own.
    public var hasFileDates = false
    /// The marks of the list, or nil if its rows can't be marked.
    public var marks: PhotoMarks?
    /// The decisions of the user, or nil if the photos have no sidecars.
    public var deciding: PhotoDeciding?
    /// The query whose matches are highlighted, or nil for none.
    public var query: PhotoQuery?
    /// The files that are shown instead of the first ones of their shots.
    var files: ShownFiles?
    /// Called with the photo of a pressed row.
    var onPress: (Photo) -> Void = { _ in }
    /// Called with the photo of a row that is to be shown in full.
    var onView: (Photo) -> Void = { _ in }
    /// Called with a photo and the file that is to be shown of it.
    var onShowFile: (_ shot: Photo.ID, _ file: Photo.ID) -> Void = { _, _ in }

    /// Creates a context without marks, decisions, sections and a query.
    public init() {}
  }

  /// Creates the row of a photo.
  ///
  /// - Parameters:
  ///   - files: The photos of all its files, the one that is usually shown first. There is at least one.
  ///   - others: The files of each other shot that a decision is about, too, because they are a closed set.
  ///   - index: The index of the row in the list.
  ///   - photoIndex: The index of the photo in its table.
  ///   - stack: The place of the photo in its stack, or nil if it is in none.
  ///   - starsBehind: Returns the stars of the other shots of a closed stack that were decided about.
  ///   - repeatsName: Whether the photo beside it in the list has the same name.
  public init(
    _ files: [Photo], with others: [[Photo]] = [], at index: RowIndex = 0, photoIndex: TableIndex = 0,
    stack: StackPlace? = nil, starsBehind: @escaping @MainActor () -> [Int] = { [] }, repeatsName: Bool = false,
    _ context: Context = Context()
  ) {
    let shown = context.files?[files[0].id]
    let photo = files.first { $0.id == shown } ?? files[0]
    let hasFileDate = context.hasFileDates
    let grouping = context.grouping
    self.files = files
    self.others = others
    self.photo = photo
    self.index = index
    self.photoIndex = photoIndex
    self.stack = stack
    self.starsBehind = starsBehind
    self.context = context
    format = PhotoParts.format(of: files)
    id = files[0].id
    readName = photo.displayName
    let exposure = [photo.metadata?.exposureParts, photo.metadata?.lens.map { [$0.printable] }]
      .compactMap(\.self).filter { !$0.isEmpty }
    let camera = photo.camera.map { [$0] } ?? []
    if let remark = stack?.remark {
      // The camera and the description of duplicates are the same.
      subtitle = remark
      subtitleFacts = []
      exposureFacts = []
    } else if let description = photo.description?.printable, !description.allSatisfy(\.isWhitespace) {
      subtitle = (camera + [description]).joined(separator: " - ")
      subtitleFacts = []
      exposureFacts = exposure
    } else {
      subtitleFacts = camera.isEmpty ? exposure : [camera] + exposure
      subtitle = Self.text(of: subtitleFacts)
      exposureFacts = []
    }
    // The paths of a catalog are not folders that the user has chosen.
    let path = hasFileDate && grouping != .folder ? photo.imageURL : ""
    folder = path.lastIndex(of: "/").map { String(path[...$0]).printable } ?? ""
    let facts = [photo.metadata?.pixelsText, photo.metadata?.keywords.map(\.printable).joined(separator: ", ")]
    fileFacts = hasFileDate ? facts.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: " · ") : ""
    distinctName = repeatsName || stack?.repeatsNames == true ? photo.file?.printableName : nil
    let time = CalendarTime(clock: photo.clock)
    if !hasFileDate || photo.metadata?.takenAt != nil {
      date = grouping == .day ? time.clockText : time.dayText
    } else {
      // A file that has not been read may have a date of its own.
      date = photo.metadata == nil ? "" : grouping == .day ? localized("file date") : localized("file \(time.dayText)")
    }
    image = photo.image
    isIncomplete = photo.metadata?.isCutOff ?? false
    saleBadge = photo.isForSale.map { SaleBadge(isForSale: $0) }
  }

  private static func text(of facts: [[String]]) -> String {
    facts.map { $0.joined(separator: ", ") }.joined(separator: " · ")
  }

  /// Returns the subtitle, without its last facts if it does not fit with them. A description is returned whole.
  public func subtitle(ifFits: (String) -> Bool) -> String { Self.text(of: subtitleFacts, ifFits) ?? subtitle }

  /// Returns the parts of the exposure and the lens that fit and are not in ``subtitle``, or an empty string.
  public func exposure(ifFits: (String) -> Bool) -> String { Self.text(of: exposureFacts, ifFits) ?? "" }

  /// Returns the facts as one text, without the last ones that do not fit, or nil if not even the first one fits.
  private static func text(of facts: [[String]], _ fits: (String) -> Bool) -> String? {
    var shortened = facts
    while let last = shortened.indices.last {
      let text = Self.text(of: shortened)
      if fits(text) { return text }
      shortened[last].removeLast()
      if shortened[last].isEmpty { shortened.removeLast() }
    }
    return nil
  }

  /// Selects and opens the photo, or shows an alert if it is not for sale.
  public func press() { context.onPress(photo) }

  /// Opens the photo, whether it is for sale or not.
  public func view() { context.onView(files[0]) }

  private var marks: PhotoMarks? { context.marks }
  private var query: PhotoQuery? { context.query }

  public var isMarked: Bool { marks.map { marks in files.contains { marks.contains($0.id) } } ?? false }

  public func toggleMark() {
    // The mark may be that of a file which was there before the first one.
    let marked = files.filter { marks?.contains($0.id) == true }
    if marked.isEmpty { marks?.toggle(photoID) } else { for file in marked { marks?.toggle(file.id) } }
  }

  public var decisions: PhotoDecisions {
    guard let deciding else { return PhotoDecisions(photo.metadata) }
    var decisions = deciding.decisions(about: files)
    // Each file is stored in its own orientation.
    decisions.orientation = deciding.decisions(about: photo.image, photo.metadata).orientation
    return decisions
  }

  /// The numbers of the shots of a closed stack that the row does not show and that have stars, or are rejected. Those of a set,
  /// such as a bracket, count if they are not decided as the shown one is.
  public var decidedBehind: (starred: Int, rejected: Int) {
    let shown = stack?.kind.isSet == true ? decisions.rating : nil
    let stars = starsBehind().filter { $0 != shown }
    return (stars.count { $0 > 0 }, stars.count { $0 == PhotoDecisions.rejected })
  }

  public var isRead: Bool { photo.metadata != nil }

  public var quarters: Int {
    decisions.orientation.map { (photo.metadata ?? PhotoMetadata()).quarters(to: $0) } ?? 0
  }

  public func decide(_ change: DecisionChange) { _ = request(change) }

  public func trash() { _ = deciding?.make(.files(.trash), forShots: [files] + others) }

  public func trashShownFile() { _ = deciding?.make(.files(.trash), forShots: [[photo]]) }

  /// Makes a decision about the photo.
  ///
  /// - Returns: The step, or nil if the photo has no sidecar.
  func request(_ change: DecisionChange) -> PhotoDeciding.RequestedStep? {
    deciding?.make(.decision(change), forShots: [files] + others)
  }

  /// Whether the row is in a range of marks that has not been completed.
  public var isInRange: Bool { marks?.range?.contains(index) ?? false }
}

// MARK: - Matches of the search

extension PhotoRow {
  /// Returns the ranges of the matches in the name or in a prefix of it.
  public func found(inName text: String) -> [Range<String.Index>] { query?.ranges(in: text, of: .name) ?? [] }

  /// The fields that may be a part of the subtitle or of the exposure beside it.
  private static let subtitleFields: [PhotoQuery.SearchedText] =
    [.description, .camera]
    + MetadataField.all.filter { $0.names.first == "lens" }.compactMap { PhotoQuery.SearchedText($0) }

  /// Returns the ranges of the matches in the subtitle, in the exposure, or in a part of one.
  public func found(inSubtitle text: String) -> [Range<String.Index>] {
    guard let query else { return [] }
    return Self.subtitleFields.flatMap { query.ranges(in: text, of: $0) }
  }

  /// Returns an excerpt that shows why the search found the photo, if the visible texts don't.
  ///
  /// - Parameters:
  ///   - name: The visible part of the name.
  ///   - subtitle: The visible part of the subtitle, and of the exposure.
  /// - Returns: An excerpt that contains a word of the query, or nil if each word is visible or there is no query.
  public func finding(besideName name: String, subtitle: String = "") -> FoundText? {
    guard let query else { return nil }
    let hidden = query.words.first { word in
      word.ranges(in: name, of: .name).isEmpty
        && Self.subtitleFields.allSatisfy { word.ranges(in: subtitle, of: $0).isEmpty }
    }
    return hidden.flatMap { FoundText($0, in: photo, query: query) }
  }
}

extension PhotoRow {
  public var fileName: String? { files.count > 1 ? photo.file?.printableName ?? photo.displayName : nil }

  public var fileImages: [ImageLocation] { files.map(\.image) }

  /// The name of the shown file, or nil if the photo is not in a file.
  public var shownFileName: String? { photo.file?.printableName }

  /// The width of the image divided by its height, as it is shown; that of most photos if it is unknown.
  public var aspect: Double {
    guard let metadata = photo.metadata, metadata.width > 0, metadata.height > 0 else { return 1.5 }
    let aspect = Double(metadata.width) / Double(metadata.height)
    return quarters % 2 == 0 ? aspect : 1 / aspect
  }

  /// The duration of the shown video, animation or live photo, a word for it if that is unknown, or nil for an image that doesn't
  /// move.
  public var duration: String? {
    let known = photo.metadata?.duration?.durationText
    switch photo.kind {
    case .video: return known ?? localized("Video")
    case .animation: return known ?? localized("Animation")
    case .image, .raw, .page: return movie == nil ? nil : known ?? localized("Live")
    }
  }

  /// The kind of the shown file.
  public var kind: PhotoKind { photo.kind }

  /// The file whose frames can be played: the shown video, the shown photo if there is a movie inside of it, or the video beside it;
  /// nil if there is none.
  public var movie: ImageLocation? {
    if photo.kind == .video || photo.metadata?.movieSize != nil { return photo.image }
    return files.first { $0.kind == .video }?.image
  }

  /// The playback of ``movie`` from its start.
  var playback: Playback {
    let rate = photo.metadata?.frameRate ?? 0
    let isOwn = movie == photo.image
    return Playback(
      duration: isOwn ? Int((photo.metadata?.duration ?? 0) * 1000) : 0,
      frameInterval: isOwn && rate > 0 ? 1000 / rate : nil)
  }

  /// Whether it is known where the photo was taken.
  public var hasPlace: Bool { photo.metadata?.place != nil }

  public func showOtherFile() {
    guard let place = files.firstIndex(where: { $0.id == photo.id }) else { return }
    context.onShowFile(photoID, files[(place + 1) % files.count].id)
  }
}

extension PhotoParts {
  /// Returns the formats that the names of a shot's files say, such as "RAW+JPEG"; nil for one file that is not raw.
  static func format(of files: [Photo]) -> String? {
    let raw = files.contains(where: isRaw) ? ["RAW"] : []
    guard files.count > 1 else { return raw.first }
    var others: [String] = []
    for name in files.filter({ !isRaw($0) }).map({ $0.file.map { Array($0.name) } ?? $0.originalName }) {
      let suffix = String(decoding: name.reversed().prefix { $0 != UInt8(ascii: ".") }.reversed(), as: UTF8.self)
      let format = suffix.uppercased() == "JPG" ? "JPEG" : suffix.uppercased().printable
      if !others.contains(format) { others.append(format) }
    }
    return files.count == 2 && raw.isEmpty && others.count == 1
      ? "\(others[0]) ×2" : (raw + others).joined(separator: "+")
  }

  private static func isRaw(_ photo: Photo) -> Bool { (photo.file.map(PhotoKind.init) ?? photo.kind) == .raw }
}

extension Photo {
  /// The name, or `Untitled` if it is empty.
  public var displayName: String { name.allSatisfy(\.isWhitespace) ? localized("Untitled") : name }
}
