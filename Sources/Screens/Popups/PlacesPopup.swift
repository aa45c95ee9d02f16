import Gallery
import Terminal
import ViewModels

extension FindPopup {
  /// An entry of the list of places that leads elsewhere in the open source.
  struct Way {
    let entry: Entry
    let go: @MainActor () -> Void
  }

  /// Makes the list of the places that the user can go to. The photos of folders are counted while the list is open.
  /// - Parameters:
  ///   - ways: The entries below the places, such as the saved searches.
  ///   - images: Draws the covers of the places.
  static func places(
    _ places: PlacesViewModel, _ ways: [Way], images: ImageLayer, host: any RoomHost
  ) -> FindPopup {
    let popup = FindPopup(
      name: localized("Folders"), hint: localized("Type a name, or a path such as ~/Pictures"), entries: [],
      notice: [localized("No folder was opened before.")],
      noMatch: noFolder(matching:), hints: [.moveUp, .press, .close], keys: host.keys
    ) { index in
      let count = places.entries.count
      if index < count { places.go(to: places.entries[index].place) } else { ways[index - count].go() }
    }
    popup.choiceLabel = localized("Open")
    popup.updating = places.$entries.bind { [unowned popup, unowned host] entries in
      popup.entries =
        entries.map { entry in
          let keys = entry.kind == .parent ? [host.keys.keyName(of: .parentFolder)] : []
          return Entry(
            texts: .init(title: entry.title, keys: keys), note: entry.note, heading: entry.heading, image: entry.cover)
        } + ways.map(\.entry)
      host.setNeedsDisplay()
    }
    popup.images = images
    popup.onType = { [unowned places] in places.type($0) }
    places.type("")
    places.list()
    return popup
  }

  private static func noFolder(matching text: String) -> [String] { [localized("No folder matches “\(text)”.")] }
}

extension PlacesViewModel.Entry {
  fileprivate var title: String { kind == .parent ? "../ \(place.name)" : text ?? place.name }

  fileprivate var heading: String {
    switch kind {
    case .parent, .folder: localized("This folder")
    case .archive: localized("Archives and PDFs")
    case .beside: localized("Beside this folder")
    case .part: localized("On this server")
    case .start, .typed: localized("Your folders")
    case .named: localized("Sources")
    case .recent: localized("Opened before")
    case .bundledGallery: localized("Comes with Tintype")
    }
  }

  /// The folder that the place is in, or its address.
  private var location: String {
    place.folder.map(\.folder.printable) ?? place.arguments.first.map { String(decoding: $0, as: UTF8.self).printable }
      ?? ""
  }

  /// The most columns of the folder that a place is in.
  private static var locationColumns: Int { 32 }

  /// The number of photos in a folder, or where another place is.
  fileprivate var note: String {
    switch kind {
    case .parent: localized("parent folder")
    case .folder: photoCount?.photosText ?? Charset.current.ellipsis
    case .part: photoCount?.photosText ?? ""
    case .named, .recent, .start:
      CellText(location).truncatedInMiddle(to: Self.locationColumns).string
    case .archive, .beside, .typed, .bundledGallery: ""
    }
  }
}
