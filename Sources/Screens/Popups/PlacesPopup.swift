import Gallery
import Terminal
import ViewModels

extension FindPopup {
  /// Makes the list of the places that the user can go to. Their photos are counted while the list is open.
  static func places(_ places: PlacesViewModel, host: any RoomHost) -> FindPopup {
    let popup = FindPopup(
      name: localized("Folders"), hint: localized("Type to find a folder"), entries: [],
      notice: [localized("No folder was opened before.")],
      noMatch: noFolder(matching:), hints: [.moveUp, .press, .close], keys: host.keys
    ) { places.go(to: places.entries[$0].place) }
    popup.choiceLabel = localized("Open")
    popup.updating = places.$entries.bind { [unowned popup, unowned host] entries in
      popup.entries = entries.map { Entry(texts: .init(title: $0.title), note: $0.note) }
      host.setNeedsDisplay()
    }
    places.list()
    return popup
  }

  private static func noFolder(matching text: String) -> [String] { [localized("No folder matches “\(text)”.")] }
}

extension PlacesViewModel.Entry {
  fileprivate var title: String { kind == .parent ? "../ \(place.name)" : place.name }

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
