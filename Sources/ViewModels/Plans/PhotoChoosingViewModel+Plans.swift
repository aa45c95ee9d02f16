import Gallery
import Photos
import WorkerPool

// The plans that give each photo values of its own: templates, the right time, and positions.
extension PhotoChoosingViewModel {
  /// Finds out what a template changes of photos.
  public func plan(_ template: MetadataTemplate, of photos: [Photo], onPlan: @escaping (TemplatePlan) -> Void) {
    let shots = shownFiles(of: photos)
    Task.onMainActor { [possible = deciding.possible, codes = deciding.codes] in
      onPlan(
        await Task(executorPreference: WorkerPool.shared) {
          TemplatePlan(template, forShots: shots, possible: possible, codes: codes)
        }.value)
    }
  }

  /// Makes the form for the texts of photos.
  public func makeTextsForm(of photos: [Photo]) -> TextsViewModel {
    TextsViewModel(of: decisions(about: photos), possible: deciding.possible) { [weak self] template in
      self?.plan(template, of: photos) { [weak self] in self?.apply($0) }
    }
  }

  /// Makes the changes of a plan.
  public func apply(_ plan: any EditPlan) { if canDecide { deciding.make(plan) } }

  /// Makes the form that corrects the clock of the camera of a row's photo. It is nil if the photo has no time of a camera.
  public func makeClockForm(row: RowIndex, onForm: @escaping (ClockViewModel?) -> Void) {
    guard rows.indices.contains(row) else { return onForm(nil) }
    let photo = rows.photo(at: row)
    guard let time = deciding.decisions(about: photo.image, photo.metadata).takenAt else { return onForm(nil) }
    let camera = photo.shownCamera
    makeScopes(of: camera.map { .camera($0) } ?? .all, or: photo) { [weak self] scopes in
      onForm(ClockViewModel(photo, time: time, scopes: scopes) { [weak self] in self?.apply($0) })
    }
  }

  /// Makes the form that gives photos positions from a track. It is nil if no tracks can be read.
  ///
  /// - Parameters:
  ///   - folder: The open folder of this machine; nil for another source.
  ///   - folders: The folders that complete the field.
  public func makeTrackForm(
    row: RowIndex, in folder: FilePath?, folders: DestinationViewModel, onForm: @escaping (TrackViewModel?) -> Void
  ) {
    guard let tracks, rows.indices.contains(row) else { return onForm(nil) }
    makeScopes(of: .all, or: rows.photo(at: row)) { [weak self] scopes in
      onForm(
        TrackViewModel(folder: folder, scopes: scopes, service: tracks, folders: folders) { [weak self] in
          self?.apply($0)
        })
    }
  }

  /// A choice among all photos of the source.
  private enum Choice {
    case all
    case camera(String)

    var text: String {
      switch self {
      case .all: localized("all of this source")
      case .camera(let name): localized("all of \(name.printable)")
      }
    }
  }

  /// Makes the choices of photos for a form: many photos of the source, the marked ones, and one photo.
  private func makeScopes(of choice: Choice, or photo: Photo, then: @escaping ([PhotoScope]) -> Void) {
    let marked = marks.count > 0 ? shownFiles(of: withClosedBursts(markedPhotos)) : []
    let single = shownFiles(of: withClosedBursts([photo]))
    Task.onMainActor { [photos = snapshot.photos, unread = deciding.unread] in
      let all = await Self.shots(of: choice, in: photos, unread)
      let scopes = [
        // Marks come first, as for all commands.
        PhotoScope(text: localized("the marked ones: \(marked.count.grouped)"), shots: marked),
        PhotoScope(text: "\(choice.text): \(all.count.grouped)", shots: all),
        PhotoScope(
          text: single.count > 1 ? localized("this stack: \(single.count.grouped)") : localized("this one"),
          shots: single),
      ]
      then(scopes.filter { !$0.shots.isEmpty })
    }
  }

  /// Returns photos in the order of the list, each followed by the other shots of its closed burst. A rating is about the shot that is
  /// shown, but texts, times and places are the same for all of them.
  public func withClosedBursts(_ chosen: [Photo]) -> [Photo] {
    let wanted = Set(chosen.map(\.id))
    var bursts: [Photo.ID: [Photo]] = [:]
    for row in rows.indices where wanted.contains(rows.id(at: row)) {
      let (kind, shots) = rows.shots(ofRow: row)
      if kind == .burst { bursts[rows.id(at: row)] = shots.sorted().map { rows.photos[$0] } }
    }
    var seen: Set<Photo.ID> = []
    return inOrderOfList(chosen).flatMap { bursts[$0.id] ?? [$0] }.filter { seen.insert($0.id).inserted }
  }

  private func shownFiles(of photos: [Photo]) -> [[ShownFile]] {
    filesByShot(photos).map { shot in
      shot.map { ($0, deciding.decisions(about: $0.image, $0.metadata)) }
    }
  }

  /// Returns the files of many photos of a source.
  /// - Parameter unread: The decisions that the source may not have read yet.
  @concurrent
  private static func shots(
    of choice: Choice, in photos: PhotoTable, _ unread: [ImageLocation: DecisionEdits]
  ) async -> [[ShownFile]] {
    let camera = if case .camera(let name) = choice { Array(name.utf8) } else { [UInt8]?.none }
    return photos.indices.compactMap { index in
      guard !photos.groups.isHidden(index),
        camera.map({ wanted in photos.withText(.camera, at: index) { $0.elementsEqual(wanted) } }) ?? true
      else {
        return nil
      }
      return photos.files(of: index).map { file in
        (file, PhotoDecisions(file.metadata).applying(unread[file.image] ?? DecisionEdits()))
      }
    }
  }
}

extension Photo {
  /// The camera, which metadata or the catalog says.
  var shownCamera: String? { camera ?? metadata?.camera }
}
