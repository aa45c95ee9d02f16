import Gallery
import Store

// The parts of a slice are noted together when they are written. A part that changes a path of an earlier one begins a slice: after
// a crash, the photo that has come to a place would be taken for the one that has left it.
extension [PartWriter.PlannedPart] {
  /// Returns the parts in slices, each of which copies about a number of bytes or makes some new files. Parts that only move
  /// files are together.
  func slices(copying most: Int64) -> [ArraySlice<PartWriter.PlannedPart>] {
    slices(
      of: most, paths: { $0.plan.operation.paths(of: $0.part.photo) },
      size: { Swift.max($0.plan.copiedSize, $0.plan.atOnce > 1 ? most / Int64(4 * $0.plan.atOnce) : 0) })
  }
}

extension [StepJournal.Part] {
  /// Returns the parts in slices of a number of photos at most.
  func slices(of count: Int) -> [ArraySlice<StepJournal.Part>] {
    slices(of: Int64(count), paths: { FileOperation(journal: $0.redo)?.paths(of: $0.photo) ?? [] }, size: { _ in 1 })
  }
}

extension Array {
  /// Returns the elements in slices that are closed when they have a size.
  fileprivate func slices(
    of most: Int64, paths: (Element) -> [FilePath], size: (Element) -> Int64
  ) -> [ArraySlice<Element>] {
    var (slices, start, sum, changed): ([ArraySlice<Element>], Int, Int64, Set<FilePath>) = ([], 0, 0, [])
    for index in indices {
      let paths = paths(self[index])
      if index > start, sum >= most || !changed.isDisjoint(with: paths) {
        slices.append(self[start..<index])
        (start, sum, changed) = (index, 0, [])
      }
      sum += size(self[index])
      changed.formUnion(paths)
    }
    if start < endIndex { slices.append(self[start...]) }
    return slices
  }
}
