import Gallery
import Services
import WorkerPool

/// The view model of the field for the folder that photos are moved or copied to.
///
/// While the field is empty, it offers the folders that were used last and those that the user has named. Then it offers the
/// folders that go on from the text:
///
/// ```swift
/// let destination = DestinationViewModel(service: service, folder: "/home/ann/Pictures", named: [], home: "/home/ann")
/// destination.type("sel")  // offers "select/", the folder /home/ann/Pictures/select
/// destination.folder(of: "../2026")  // the folder /home/ann/2026
/// ```
@MainActor
public final class DestinationViewModel {
  /// A folder that is offered.
  public struct Suggestion: Hashable, Sendable {
    /// The text of the field that leads to the folder.
    public let text: String
    /// Why the folder is offered while the field is empty: its name in the configuration, or nothing.
    public let note: String
    /// The folder.
    public let folder: FilePath
  }

  /// The folders that are offered, the best first.
  @Published public private(set) var suggestions: [Suggestion] = []

  private let service: any PlaceServiceProtocol
  private let folder: FilePath
  private let named: [Place]
  private let home: FilePath?
  private let onUse: (FilePath) -> Void
  private(set) var listing: Task<Void, Never>?
  /// Whether the folders for the last text are still looked for, so that ``suggestions`` are those for an earlier one.
  public private(set) var isListing = false

  /// The most folders that are offered.
  private static let mostSuggestions = 10

  /// - Parameters:
  ///   - folder: The open folder, in which relative paths begin.
  ///   - named: The sources that the user has named. Those that are folders are offered.
  ///   - home: The folder that `~` stands for.
  ///   - onUse: Called with the folder that the user chooses, to keep it for the next time.
  public init(
    service: any PlaceServiceProtocol, folder: FilePath, named: [Place], home: FilePath?,
    onUse: @escaping (FilePath) -> Void = { _ in }
  ) {
    self.service = service
    self.folder = folder
    self.named = named
    self.home = home
    self.onUse = onUse
  }

  deinit { listing?.cancel() }

  /// The machine on which relative paths begin, if that is another one.
  public var machine: String? { folder.remote?.machine.printable }

  /// Returns the folder that a text leads to, or nil if it is empty.
  public func folder(of text: String) -> FilePath? {
    text.isEmpty ? nil : FilePath(typed: text, in: folder, home: home)
  }

  /// Offers folders for a text.
  public func type(_ text: String) {
    listing?.cancel()
    isListing = true
    let path = TypedPath(text, in: folder, home: home)
    listing = Task.onMainActor { [weak self, service] in
      let used = text.isEmpty ? (try? await service.recentDestinations()) ?? [] : []
      let folders = await service.folders(in: path.folder)
      let beside = text.isEmpty ? await service.folders(in: path.folder.folder) : []
      guard let self, !Task.isCancelled else { return }
      isListing = false
      let below = folders.filter(path.goesOn).map { Suggestion(text: "\(path.text(of: $0))/", note: "", folder: $0) }
      let others = beside.filter { $0 != path.folder }.map {
        Suggestion(text: "../\($0.printableName)/", note: "", folder: $0)
      }
      suggestions = Array(
        (text.isEmpty ? unique(lasting(used), near: below + others) : below).prefix(Self.mostSuggestions))
    }
  }

  /// The folders that were used last, and those with a name.
  private func lasting(_ used: [FilePath]) -> [Suggestion] {
    var seen: Set<FilePath> = []
    let folders = used.map { ($0, "") } + named.compactMap { place in place.folder.map { ($0, place.name) } }
    return folders.filter { seen.insert($0.0).inserted }.map { Suggestion(text: $0.printable, note: $1, folder: $0) }
  }

  /// Returns folders that were used last and those nearby, each once. Those nearby have the shorter texts.
  private func unique(_ lasting: [Suggestion], near: [Suggestion]) -> [Suggestion] {
    let known = Dictionary(near.map { ($0.folder, $0) }) { first, _ in first }
    let first = lasting.map { last in
      known[last.folder].map { Suggestion(text: $0.text, note: last.note, folder: $0.folder) } ?? last
    }
    let seen = Set(first.map(\.folder))
    return first + near.filter { !seen.contains($0.folder) }
  }

  /// Takes note of the folder that the user has chosen.
  public func use(_ folder: FilePath) { onUse(folder) }
}
