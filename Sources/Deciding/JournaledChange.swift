import Foundation
import Gallery
import Sidecars

/// A change as the journal keeps it.
enum JournaledChange: Hashable, Codable, Sendable {
  /// A change that the user makes, with the keywords and the orientation of the photo's own file, which a sidecar replaces
  /// as a whole, and whether the photo has the label or the caption that the change removes.
  case decision(DecisionChange, keywords: [String], orientation: ImageOrientation, hasText: Bool? = nil)
  /// The change that restores what was there.
  case exact(SidecarChange)

  init(_ change: DecisionChange, of photo: Photo) {
    let orientation = photo.metadata?.orientation.flatMap(ImageOrientation.init(rawValue:))
    let hasText: Bool? =
      if case .set(let decision, nil) = change { PhotoDecisions(photo.metadata)[decision] != nil } else { nil }
    self = .decision(
      change, keywords: photo.metadata?.keywords ?? [], orientation: orientation ?? .upright, hasText: hasText)
  }

  /// Creates a change from a journal; without data, one that changes nothing. Returns nil if a newer version of the program has written it.
  init?(_ data: Data) {
    if data.isEmpty {
      self = .exact(SidecarChange())
      return
    }
    // The first version kept the changes of sidecars alone.
    let change =
      (try? JSONDecoder().decode(JournaledChange.self, from: data))
      ?? (try? JSONDecoder().decode(SidecarChange.self, from: data)).map { .exact($0) }
    guard let change else { return nil }
    self = change
  }

  /// Returns the change as it is kept, given what it leads to. Made twice, it changes no more than once, as after a crash
  /// between writing the sidecar and noting that.
  func kept(as change: SidecarChange) -> JournaledChange {
    if case .decision(.rotation, _, _, _) = self { .exact(change) } else { self }
  }

  /// The change for a journal.
  var data: Data { (try? JSONEncoder().encode(self)) ?? Data() }

  /// Returns the change of a sidecar that holds some decisions. What the user removes gets an empty value: without a value in
  /// the sidecar, the one in the photo's file would return.
  func sidecarChange(_ current: PhotoDecisions) -> SidecarChange {
    switch self {
    case .exact(let change): return change
    case .decision(let decision, let ownKeywords, let ownOrientation, let hasText):
      var change = SidecarChange()
      switch decision {
      case .set(let decision, let value?): change[decision] = .set(value)
      case .set(let decision, nil):
        if current[decision] != nil || hasText == true { change[decision] = DecisionEdit(decision.form.empty) }
      case .rotation(let quarters):
        let orientation = current.orientation ?? ownOrientation
        change[.orientation] = .set(.number(orientation.rotated(quarters: quarters).rawValue))
      case .keywords(let added, let removed):
        change.setKeywords(current, own: ownKeywords, adding: added, removing: removed)
      }
      return change
    }
  }
}

extension SidecarChange {
  /// Sets the keywords, and the hierarchical ones if there are some, which darktable and digiKam read first.
  fileprivate mutating func setKeywords(
    _ current: PhotoDecisions, own: [String], adding added: [String], removing removed: [String]
  ) {
    let former = current.keywords ?? own
    let flat = DecisionChange.keywords(former, adding: added, removing: removed)
    if flat != former { self[.keywords] = .set(.list(flat)) }
    guard let paths = current.hierarchicalKeywords, !paths.isEmpty else { return }
    let kept = paths.filter { path in !removed.contains { $0 == path.split(separator: "|").last.map(String.init) } }
    let names = Set(kept.flatMap { $0.split(separator: "|").map(String.init) })
    let all = kept + added.filter { !names.contains($0) }
    self[.hierarchicalKeywords] = all.isEmpty ? .remove : .set(.list(all))
  }
}
