import Gallery
import Terminal
import ViewModels

extension FindPopup {
  /// Makes the list of the collections to which photos are added. Another name that is typed makes a new one.
  /// - Parameters:
  ///   - subject: The photos in words.
  ///   - onChoice: Called with the name of the collection.
  static func collecting(
    _ subject: String, in collections: PhotoCollections, host: any RoomHost, onChoice: @escaping (String) -> Void
  ) -> FindPopup {
    var names: [String] = []
    let popup = FindPopup(
      name: localized("Add \(subject) to"), hint: localized("Type a name, also a new one"), entries: [],
      notice: [localized("No collection yet. Type a name for the first one.")], noMatch: invalidName,
      hints: [.moveUp, .press, .close], keys: host.keys
    ) { onChoice(names[$0]) }
    popup.choiceLabel = localized("Add")
    popup.leastColumns = leastCollectionColumns
    var typed = ""
    let list = { [unowned popup] in
      let new = PhotoCollection.name(typed).flatMap { collections.collection(named: $0) == nil ? $0 : nil }
      names = collections.all.map(\.name) + [new].compactMap(\.self)
      popup.entries =
        collections.all.map { Entry($0) }
        + [new].compactMap(\.self).map {
          Entry(texts: .init(title: $0), note: localized("new collection"), isLast: true)
        }
    }
    popup.onType = { text in
      typed = text
      list()
    }
    popup.updating = collections.$all.bind { [unowned host] _ in
      list()
      host.setNeedsDisplay()
    }
    return popup
  }

  /// Makes the list of the collections, of which the user opens one.
  ///
  /// - Parameters:
  ///   - opened: The name of the collection that is open; nil for another source.
  ///   - canUndo: Whether a collection that is deleted can be brought back.
  ///   - onDelete: Called with the name of a collection to delete.
  static func collections(
    _ collections: PhotoCollections, host: any RoomHost, opened: String? = nil, canUndo: Bool,
    onDelete: @escaping (String) -> Void
  ) -> FindPopup {
    var names: [String] = []
    let key = host.keys.keyName(of: .collect)
    let popup = FindPopup(
      name: localized("Collections"), hint: localized("Type to find a collection"), entries: [],
      notice: [localized("No collection yet."), localized("Press \(key) on a photo to add it to one.")],
      noMatch: noCollection(matching:), hints: [.moveUp, .press, .rename, .removeSearch, .close], keys: host.keys
    ) { host.open(Place(collection: names[$0])) }
    popup.choiceLabel = localized("Open")
    popup.leastColumns = leastCollectionColumns
    popup.updating = collections.$all.bind { [unowned popup, unowned host] all in
      names = all.map(\.name)
      popup.entries = all.map { Entry($0) }
      host.setNeedsDisplay()
    }
    popup.moreActions = { [unowned popup, unowned host] in
      guard let name = popup.highlighted.map({ names[$0] }) else { return [] }
      return [
        Action(.rename, label: localized("Rename…")) {
          host.open(renaming(name, isOpen: name == opened, collections, host))
        },
        Action(.removeSearch, label: localized("Delete…")) { host.open(deleting(name, canUndo, onDelete)) },
      ]
    }
    return popup
  }

  private static func renaming(
    _ name: String, isOpen: Bool, _ collections: PhotoCollections, _ host: any RoomHost
  ) -> FieldPopup {
    FieldPopup(
      title: localized("Rename \(name)"), label: localized("Name"), text: name, button: localized("Rename"),
      refusal: { PhotoCollection.name($0) == nil ? invalidName($0)[0] : nil },
      onEnter: { [weak host] text in
        guard let new = PhotoCollection.name(text), new != name else { return }
        collections.rename(name, to: new) { isRenamed in
          host?.note(
            isRenamed ? localized("\(name) is now \(new)") : localized("There is another collection “\(new)”."))
          // The open source has the old name.
          if isRenamed, isOpen { host?.open(Place(collection: new)) }
        }
      })
  }

  private static func deleting(
    _ name: String, _ canUndo: Bool, _ onDelete: @escaping (String) -> Void
  ) -> ChoicePopup {
    ChoicePopup(
      title: localized("Delete the collection “\(name)”?"),
      text: [
        canUndo
          ? localized("Its photos stay where they are.")
          : localized("Its photos stay where they are. The collection can't be brought back.")
      ],
      choices: [.init(key: "n", text: localized("Keep it")), .init(key: "y", text: localized("Delete it"))]
    ) { if $0 == 1 { onDelete(name) } }
  }

  /// The names of collections are often short.
  private static var leastCollectionColumns: Int { 46 }

  private static func noCollection(matching text: String) -> [String] {
    [localized("No collection matches “\(text)”.")]
  }

  private static func invalidName(_: String) -> [String] {
    [localized("A name has up to \(PhotoCollection.longestName) characters, and no quotes.")]
  }
}

extension FindPopup.Entry {
  /// Creates the line of a collection, with the number of its files.
  init(_ collection: PhotoCollection, heading: String? = nil) {
    self.init(
      texts: .init(title: collection.name),
      note: localized(
        "\(collection.count.grouped) file", plural: "\(collection.count.grouped) files", count: collection.count),
      heading: heading)
  }
}
