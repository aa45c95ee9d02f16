extension [PartWriter.PlannedPart] {
  /// Returns the parts in slices, each of which copies about a number of bytes or makes some new files. Parts that only move
  /// files are together.
  func slices(copying most: Int64) -> [ArraySlice<PartWriter.PlannedPart>] {
    var (slices, start, size): ([ArraySlice<PartWriter.PlannedPart>], Int, Int64) = ([], 0, 0)
    for index in indices {
      let plan = self[index].plan
      size += Swift.max(plan.copiedSize, plan.atOnce > 1 ? most / Int64(4 * plan.atOnce) : 0)
      guard size >= most || index == endIndex - 1 else { continue }
      slices.append(self[start...index])
      (start, size) = (index + 1, 0)
    }
    return slices
  }
}
