import Gallery
import Photos
import WorkerPool

/// Counts the keywords of photos.
enum KeywordCensus {
  /// Returns the keywords, the most used first, and equally used ones by their names.
  ///
  /// - Parameter new: Keywords that the source may not have read yet.
  static func keywords(of photos: PhotoTable, and new: Set<String>) async -> [String] {
    await Task(executorPreference: WorkerPool.shared) {
      var counts = Dictionary(uniqueKeysWithValues: new.map { ($0, 0) })
      for index in photos.indices {
        for keyword in photos.metadataBesideColumns(at: index)?.keywords ?? [] { counts[keyword, default: 0] += 1 }
      }
      return counts.sorted { (-$0.value, $0.key) < (-$1.value, $1.key) }.map(\.key)
    }.value
  }
}
