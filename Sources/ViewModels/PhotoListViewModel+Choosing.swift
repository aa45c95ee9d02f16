import Catalog
import Finding
import Gallery
import Photos
import Services
import WorkerPool

extension PhotoListViewModel {
  /// Marks a row's photo, or no longer.
  public func toggleMark(row: Int) {
    guard rows.indices.contains(row) else { return }
    marks.rangeStart = nil
    marks.toggle(rows.id(at: row))
  }

  /// Begins a range of marks at a row, or ends it there: then all photos from its beginning on are marked.
  public func markRange(to row: Int) {
    guard rows.indices.contains(row) else { return }
    guard let start = marks.rangeStart.flatMap(self.row(of:)) else {
      marks.rangeStart = rows.id(at: row)
      return
    }
    marks.rangeStart = nil
    marks.insert((min(start, row)...max(start, row)).map(rows.id(at:)))
  }

  /// Marks all photos of the list: of what was found, or of all; where they all are, none of them.
  public func markAll() {
    marks.rangeStart = nil
    let ids =
      finding.keepsWholeList && finding.query != nil
      ? finding.foundRows.map { rows.id(at: Int($0)) } : rows.indices.map(rows.id(at:))
    if ids.allSatisfy(marks.contains) { marks.remove(ids) } else { marks.insert(ids) }
  }

  /// Forgets all marks, and where a range was begun.
  public func clearMarks() { marks.removeAll() }

  /// The photos that are marked, as the source has them in order; where none are, that of a row.
  public func chosen(otherwise row: Int) -> [Photo] {
    marks.count.value > 0 ? markedPhotos : photo(row: row).map { [$0] } ?? []
  }

  /// The photos that are marked, as the source has them in order.
  public var markedPhotos: [Photo] {
    guard marks.count.value > 0 else { return [] }
    let photos = snapshot.photos
    return photos.indices.filter { marks.contains(photos.id(at: $0)) }.map { photos[$0] }
  }

  /// Where the images of the photos are that are chosen: paths and addresses, one to a line.
  public func places(otherwise row: Int) -> String {
    chosen(otherwise: row).map { String(decoding: $0.image.bytes, as: UTF8.self) }.joined(separator: "\n")
  }

  /// Opens the photos that are chosen outside, some at most.
  public func openOutside(otherwise row: Int) {
    let photos = chosen(otherwise: row)
    guard photos.count <= Self.mostOpened else {
      return onAlert(
        Alert(message: "\(photos.count.photosText) are too many to open. Mark \(Self.mostOpened) at most."))
    }
    opening = Task.onMainActor { [weak self, desktop] in
      await withTaskGroup(of: Result<Void, APIError>.self) { group in
        for photo in photos {
          group.addTask { await result { () async throws(APIError) in try await desktop.open(photo.image) } }
        }
        var told: APIError?
        for await case .failure(let error) in group where error != told {
          // What is the matter with one photo is mostly so with all.
          told = error
          self?.onAlert(Alert(message: error.message))
        }
      }
    }
  }

  private static var mostOpened: Int { 20 }

  /// Writes the photos that are chosen as a catalog, and tells when that is done, or why not.
  ///
  /// - Parameter path: Absolute.
  public func export(to path: String, otherwise row: Int) {
    let photos = chosen(otherwise: row)
    Task.onMainActor { [weak self] in
      let alert = await Self.write(photos, to: path)
      self?.onAlert(alert)
    }
  }

  @concurrent
  private static func write(_ photos: [Photo], to path: String) async -> Alert {
    let writer = CatalogWriter(photos, to: FilePath(path))
    do {
      try AtomicFile.write(to: FilePath(path)) { try writer.write($0) }
    } catch {
      return Alert(
        message: (error as? AtomicFile.Failure)?.message ?? "\(path.printable) could not be written (\(error)).")
    }
    let leftOut = writer.leftOut.map { "\n\($0.name): \($0.reason)" }.joined()
    return Alert(
      title: "Written", message: "\(writer.count.photosText) written to \(path.printable).\(leftOut)")
  }
}

extension Int {
  /// `1 photo`, `10,000 photos`
  public var photosText: String { "\(grouped) \(self == 1 ? "photo" : "photos")" }
}
