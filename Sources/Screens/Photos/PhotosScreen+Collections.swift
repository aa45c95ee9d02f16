import Finding
import Gallery
import Photos
import Terminal
import ViewModels

// The collections: adding the marked photos, or the highlighted one if none is marked, and the order of the open one.
extension PhotosScreen {
  @ActionList var collectionActions: [Action] {
    Action(.collections) { [self] in openCollections() }
    let marked = choosing.marks.count > 0 ? choosing.marks.count.grouped : nil
    Action(
      .collect, label: marked.map { localized("Collect \($0)…") },
      refusal: noPhoto ?? Action.cannotCollect(pane.list.highlightedRow)
    ) { [self] in
      chooseCollection(for: chosenPhotos())
    }
    let name = source.place.collection ?? ""
    let notOpen = source.place.collection == nil ? localized("No collection is open.") : noPhoto
    Action(.takeOut, label: marked.map { localized("Take \($0) out") }, refusal: notOpen) { [self] in
      choosing.takeOut(chosenPhotos(), of: name)
    }
    let isArranged = viewModel.search.query != nil || viewModel.search.order != PhotoOrder()
    let unordered =
      notOpen ?? (isArranged ? localized("First end the search, and sort in the collection's order.") : nil)
    Action(.moveEarlier, refusal: unordered) { [self] in move(by: -1, in: name) }
    Action(.moveLater, refusal: unordered) { [self] in move(by: 1, in: name) }
  }

  private func move(by step: Int, in name: String) {
    choosing.move(chosenPhotos(), by: step, in: name)
  }

  /// Asks for the collection to which photos are added.
  func chooseCollection(for photos: [Photo]) {
    guard !photos.isEmpty else { return }
    let collections = host.collections
    let subject = choosing.filePreview(of: photos).subject
    host.open(
      FindPopup.collecting(subject, in: collections, host: host) { [choosing] name in
        choosing.collect(photos, in: name, of: collections)
      })
  }

  private func openCollections() {
    let collections = host.collections
    host.open(
      FindPopup.collections(collections, host: host, opened: source.place.collection, canUndo: choosing.canUndoDeletion)
      { [choosing] in
        choosing.delete($0, of: collections)
      })
  }
}

extension Action {
  /// Returns the reason why a photo can't be in a collection, or nil if it can.
  @MainActor
  static func cannotCollect(_ photo: Any?) -> String? {
    if let reason = cannotLeave(photo) { return reason }
    return (photo as? any Imaged)?.image.file == nil ? localized("It is on a server. Copy it to a folder first.") : nil
  }
}
