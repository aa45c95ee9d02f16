import Gallery

/// A service that looks for new photos on memory cards. It copies nothing.
public protocol ImportServiceProtocol: Sendable {
  /// Returns the top folders of the removable volumes that have photos of a camera (DCF, the folder `DCIM`).
  func cards() async -> [FilePath]

  /// Finds out which photos of a card are new, and where their copies would go.
  ///
  /// - Parameter work: Gets the number of photos, and stops the search.
  func forecast(of card: FilePath, _ rule: ImportRule, _ work: StepWork) async throws(ImportFault) -> ImportForecast

  /// Creates the folder that photos go to, so that it can be opened before the first of them is there.
  ///
  /// - Returns: Whether there is the folder.
  func create(_ folder: FilePath) async -> Bool
}

/// A reason why a card can't be imported.
public enum ImportFault: Error, Hashable, Sendable {
  /// There is no folder for the card.
  case noCard(FilePath)
  /// Two of the places are one folder.
  case samePlace
  /// A place is on the card, where nothing is written.
  case onCard(place: FilePath, card: FilePath)
  /// There is no folder for a backup. It is not created, since its disk may not be attached.
  case noBackup(FilePath)
  /// The card can't be read.
  case unreadable(APIError)

  /// The reason as a sentence.
  public var message: String {
    switch self {
    case .noCard(let folder): localized("There is no folder \(folder.printable). Insert the card.")
    case .samePlace: localized("The photos and their backup go to the same folder. Choose another one.")
    case .onCard(let place, let card):
      localized("\(place.printable) is in \(card.printable), and nothing is written there. Choose another folder.")
    case .noBackup(let folder): localized("There is no folder \(folder.printable). Attach its disk, or create it.")
    case .unreadable(let error): error.message
    }
  }
}

extension ImportRule {
  /// Returns the reason why photos can't be imported from some files and folders, or nil if they can.
  public func fault(from paths: [FilePath]) -> ImportFault? {
    if Set(places).count < places.count { return .samePlace }
    for place in places {
      for path in paths where path.isFolder && place.isInside(path) { return .onCard(place: place, card: path) }
    }
    return backups.first { !$0.isFolder }.map { .noBackup($0) }
  }
}

extension FilePath {
  /// Returns whether the path is that of a folder or leads into it.
  fileprivate func isInside(_ folder: FilePath) -> Bool {
    let missing = missingFolders.count
    var existing = self
    for _ in 0..<missing { existing = existing.folder }
    guard let existing = existing.resolved, let folder = folder.resolved else { return false }
    return existing == folder || existing.bytes.starts(with: folder.appending([]).bytes)
  }
}
