import Gallery
import Photos
import Services
import WorkerPool

// What the user does with collections. Each change is a step, which can be undone.
extension PhotoChoosingViewModel {
  /// Adds photos to a collection, which is created if there is none. Those that are in it stay where they are.
  public func collect(_ shots: [Photo], in name: String, of collections: PhotoCollections) {
    let shots = filesByShot(shots).map { $0.filter { $0.file != nil } }.filter { !$0.isEmpty }
    let name = collections.collection(named: name)?.name ?? name
    collecting = Task.onMainActor { [weak self, before = collecting] in
      await before?.value
      let known = await collections.files(of: name)
      // An alert has said why a collection can't be read.
      if known == nil, collections.collection(named: name) != nil { return }
      guard let self, !shots.isEmpty else { return }
      let files = Set(known ?? [])
      let new = shots.filter { $0.contains { file in file.file.map { !files.contains($0) } ?? false } }
      guard !new.isEmpty else {
        onNote(localized("In \(name) already: \(shots.count.photosText)"))
        return
      }
      var edit = CollectionEdit(name)
      edit.insert(new.joined().compactMap(\.file).filter { !files.contains($0) }, at: .last)
      deciding.make(StepRequest(CollectionChange(edit, on: known), ofShots: new))
      // The next change begins with this one.
      await deciding.settle()
    }
  }

  /// Returns the photo of a row, or none if it has none.
  public func photos(of row: any RowViewModel) -> [Photo] { (row as? PhotoRow).map { [$0.files[0]] } ?? [] }

  /// Takes photos out of the open collection. Their files stay where they are.
  public func takeOut(_ shots: [Photo], of name: String) {
    let shots = filesByShot(shots)
    guard !shots.isEmpty else { return }
    var edit = CollectionEdit(name)
    edit.remove(shots.joined().compactMap(\.file))
    deciding.make(StepRequest(CollectionChange(edit, on: files), ofShots: shots))
    marks.unmark(shots.joined().map(\.id))
  }

  /// Whether ``delete(_:of:)`` can be undone: the step belongs to the open folder, which needs photos for that.
  public var canUndoDeletion: Bool { canDecide && !files.isEmpty }

  /// Deletes a collection. Its photos stay where they are.
  public func delete(_ name: String, of collections: PhotoCollections) {
    guard canUndoDeletion, let carrier = rows.first?.photo ?? snapshot.photos.first else {
      return collections.delete(name) { [weak self] in self?.onNote(localized("Deleted: \(name)")) }
    }
    collecting = Task.onMainActor { [weak self, before = collecting] in
      await before?.value
      guard let known = await collections.files(of: name), let self else { return }
      let change = CollectionChange(.deletion(of: name, with: known), on: known)
      deciding.make(StepRequest(change, ofShots: [[carrier]]))
      await deciding.settle()
    }
  }

  /// Moves photos of the open collection up or down by a place, as far as that is possible.
  public func move(_ shots: [Photo], by step: Int, in name: String) {
    let photos = snapshot.photos
    let chosen = Set(shots.map(\.id))
    var order = photos.indices.filter { !snapshot.groups.isHidden($0) }
    let wasMoved = order.map { chosen.contains(photos.id(at: $0)) }
    // Of photos that follow each other, the first one that moves makes room for the next one.
    var isMoved = wasMoved
    let places = step < 0 ? Array(order.indices.dropFirst()) : order.indices.dropLast().reversed()
    for place in places where isMoved[place] && !isMoved[place + step] {
      order.swapAt(place, place + step)
      isMoved.swapAt(place, place + step)
    }
    guard isMoved != wasMoved else {
      onNote(step < 0 ? localized("This is the first photo.") : localized("This is the last photo."))
      return
    }
    var edit = CollectionEdit(name)
    var last: FilePath?
    for (photo, isMoved) in zip(order, isMoved) {
      let files = photos.files(of: photo).compactMap(\.file)
      if isMoved { edit.insert(files, at: last.map(CollectionEdit.Place.after) ?? .first) }
      last = files.last ?? last
    }
    let moved = order.indices.filter { isMoved[$0] }.map { photos.files(of: order[$0]) }
    deciding.make(StepRequest(CollectionChange(edit, on: files), ofShots: moved))
  }

  /// The files of the open source in its order.
  private var files: [FilePath] {
    snapshot.photos.indices.compactMap { snapshot.photos.image(at: $0).file }
  }
}
