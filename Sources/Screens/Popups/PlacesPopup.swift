import Gallery
import Terminal
import ViewModels

extension FindPopup {
  /// Makes the list of the places that the user can go to, and of the saved searches. The photos of folders are counted while
  /// the list is open.
  /// - Parameter onRun: Called with the search that the user chooses.
  static func places(
    _ places: PlacesViewModel, _ searches: [SavedSearch], host: any RoomHost, onRun: @escaping (SavedSearch) -> Void
  ) -> FindPopup {
    let popup = FindPopup(
      name: localized("Folders"), hint: localized("Type to find a folder"), entries: [],
      notice: [localized("No folder was opened before.")],
      noMatch: noFolder(matching:), hints: [.moveUp, .press, .close], keys: host.keys
    ) { index in
      let count = places.entries.count
      if index < count { places.go(to: places.entries[index].place) } else { onRun(searches[index - count]) }
    }
    popup.choiceLabel = localized("Open")
    let found = searches.map { Entry($0, heading: localized("Saved searches")) }
    popup.updating = places.$entries.bind { [unowned popup, unowned host] entries in
      popup.entries = entries.map { Entry(texts: .init(title: $0.title), note: $0.note, heading: $0.heading) } + found
      host.setNeedsDisplay()
    }
    places.list()
    return popup
  }

  private static func noFolder(matching text: String) -> [String] { [localized("No folder matches “\(text)”.")] }
}

extension PlacesViewModel.Entry {
  fileprivate var title: String { kind == .parent ? "../ \(place.name)" : place.name }

  fileprivate var heading: String {
    switch kind {
    case .parent, .folder: localized("Folders")
    case .recent, .bundledGallery: localized("Opened before")
    }
  }

  /// The most columns of the folder that a place is in.
  private static var locationColumns: Int { 32 }

  /// The number of photos in a folder, or where another place is.
  fileprivate var note: String {
    switch kind {
    case .parent: localized("parent folder")
    case .folder: photoCount?.photosText ?? Charset.current.ellipsis
    case .recent:
      CellText(FilePath(place.arguments[0]).folder.printable).truncatedInMiddle(to: Self.locationColumns).string
    case .bundledGallery: ""
    }
  }
}
