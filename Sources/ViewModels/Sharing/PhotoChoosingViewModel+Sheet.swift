import Gallery
import Photos
import Services

extension PhotoChoosingViewModel {
  /// The most photos of a contact sheet.
  public static let mostOnSheet = 5000

  /// The number of photos of which a contact sheet would be made: the marked ones, or else all that are listed.
  public var sheetCount: Int { marks.count > 0 ? marks.count : rows.count }

  /// Makes the form for a contact sheet of the marked photos, or of all that are listed; nil if none has an image in a file.
  /// - Parameter folder: The open folder.
  public func makeSheet(in folder: FilePath?) -> SheetViewModel? {
    let shots = marks.count > 0 ? inOrderOfList(markedPhotos) : rows.indices.map { rows.photo(at: $0) }
    let photos = filesByShot(shots).compactMap { shot in
      shownImage(of: shot).map { ($0, deciding.decisions(about: shot)) }
    }
    let items = photos.compactMap { photo, decisions in
      photo.file.map { PhotoSheet.Item($0, shown: MetadataRecord((photo.metadata ?? PhotoMetadata()).with(decisions))) }
    }
    guard let first = photos.first(where: { $0.0.file != nil })?.0 else { return nil }
    let name = folder?.printableName ?? "sheet"
    // A sheet of photos on another machine is made there.
    let target = folder.flatMap { $0.isRemote ? $0 : nil } ?? .workingFolder
    var sheet = PhotoSheet(of: items, in: folder, to: target.appending("\(name).pdf".utf8))
    sheet.title = folder?.printableName ?? ""
    return SheetViewModel(sheet, first: first) { [deciding] in deciding.make($0) }
  }

  /// Returns the file of a shot that is shown, or else the first one. A video that belongs to an image is left out; of one by
  /// itself, the still is made.
  func shownImage(of shot: [Photo]) -> Photo? {
    let shown = shownFiles[shot[0].id]
    return shot.first { $0.id == shown && $0.kind != .video } ?? shot.first { $0.kind != .video } ?? shot.first
  }
}
