import Gallery
import Photos
import Services
import WorkerPool

/// The view model of the names that photos get by a pattern, each of which is shown before.
///
/// ```swift
/// let renaming = choosing.renaming(photos)
/// renaming.type("{date:%Y-%m-%d}_{seq:3}")
/// renaming.lines  // DSC_0412 → 2026-07-14_001, …
/// renaming.rename()
/// ```
@MainActor
public final class RenameViewModel {
  /// A photo with its old and its new name, without suffixes.
  public struct Line: Hashable, Sendable {
    /// The old name.
    public let old: String
    /// The new name; empty if the pattern gives none.
    public let new: String
    /// The reason why the photo can't have the name, or nil if it can.
    public var obstacle: String?
  }

  /// Called when the lines or the fault have changed.
  public var onChange: () -> Void = {}
  /// The photos in the order of the list.
  public private(set) var lines: [Line] = []
  /// The reason why the photos can't be renamed at the moment, or nil if they can.
  public private(set) var fault: String? = RenameViewModel.notReady

  private let photos: [Named]
  private let forecast: @Sendable ([FileRename]) async -> RenameForecast
  private let onRename: ([FileRename]) -> Void
  private var renames: [FileRename] = []
  private(set) var naming: Task<Void, Never>?

  private static var notReady: String { localized("The names are being checked…") }

  /// A photo with what its name is made of.
  struct Named: Sendable {
    let shot: [Photo]
    let values: NamePattern.Values
  }

  init(
    _ photos: [Named], forecast: @escaping @Sendable ([FileRename]) async -> RenameForecast,
    onRename: @escaping ([FileRename]) -> Void
  ) {
    self.photos = photos
    self.forecast = forecast
    self.onRename = onRename
  }

  deinit { naming?.cancel() }

  /// The number of the photos.
  public var count: Int { photos.count }

  /// Takes a pattern, and shows the names that it gives.
  public func type(_ text: String) {
    naming?.cancel()
    renames = []
    let pattern: NamePattern
    do throws(NamePattern.Fault) {
      pattern = try NamePattern(text)
    } catch {
      lines = []
      fault = error.message
      return onChange()
    }
    fault = Self.notReady
    naming = Task.onMainActor { [weak self, photos, forecast, before = naming] in
      // Of the letters that are typed meanwhile, only the last one counts.
      await before?.value
      if Task.isCancelled { return }
      let names = await Task(executorPreference: WorkerPool.shared) { Self.names(of: photos, by: pattern) }.value
      let renames = zip(photos, names).map { FileRename($0.shot, to: $1.new) }
      let answer = names.contains { $0.obstacle != nil } ? RenameForecast() : await forecast(renames)
      if !Task.isCancelled { self?.take(names, answer) }
    }
  }

  private nonisolated static func names(of photos: [Named], by pattern: NamePattern) -> [Line] {
    photos.map { photo in
      let old = PhotoName.stem(FilePath(Array(photo.values.path.name))).printable
      do throws(NamePattern.Fault) {
        let name = try pattern.name(of: photo.values)
        guard let text = String(validating: name, as: UTF8.self) else {
          return Line(old: old, new: "", obstacle: localized("The name is no readable text. Rename the photo alone."))
        }
        return Line(old: old, new: text)
      } catch {
        return Line(old: old, new: "", obstacle: error.message)
      }
    }
  }

  private func take(_ names: [Line], _ answer: RenameForecast) {
    lines = names
    for (place, obstacle) in answer.obstacles where lines.indices.contains(place) { lines[place].obstacle = obstacle }
    renames = answer.renames
    let obstacles = lines.compactMap(\.obstacle)
    let isSame = renames.isEmpty ? localized("All photos have these names already.") : nil
    fault =
      obstacles.first.map { first in
        let others = obstacles.count - 1
        return others == 0
          ? first
          : localized(
            "\(first) There is one more obstacle.", plural: "\(first) There are \(others.grouped) more obstacles.",
            count: others)
      } ?? isSame
    onChange()
  }

  /// Renames the photos. Does nothing while there is a ``fault``.
  public func rename() { if fault == nil { onRename(renames) } }
}

extension PhotoChoosingViewModel {
  /// Returns the view model of new names for photos. Their numbers follow the order of the list.
  public func renaming(_ photos: [Photo]) -> RenameViewModel {
    let shots = filesByShot(inOrderOfList(photos))
    let named = shots.enumerated().compactMap { index, shot -> RenameViewModel.Named? in
      guard let path = shot[0].file else { return nil }
      var values = NamePattern.Values(photo: shot[0], path: path, sequence: index + 1)
      values.metadata = values.metadata.with(deciding.decisions(about: shot))
      return RenameViewModel.Named(shot: shot, values: values)
    }
    return RenameViewModel(named) { [deciding] in
      await deciding.forecast($0)
    } onRename: { [deciding] in
      deciding.make(StepRequest($0))
    }
  }

  func inOrderOfList(_ photos: [Photo]) -> [Photo] {
    if photos.count < 2 { return photos }
    var rest = Dictionary(photos.map { ($0.id, $0) }) { first, _ in first }
    // Marked photos that the search leaves out come last.
    return rows.indices.compactMap { rest.removeValue(forKey: rows.id(at: $0)) } + photos.filter { rest[$0.id] != nil }
  }
}
