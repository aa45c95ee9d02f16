extension [PartWriter.PlannedPart] {
  /// Returns the parts in slices, each of which copies about a number of bytes. Parts that copy nothing are together.
  func slices(copying most: Int64) -> [ArraySlice<PartWriter.PlannedPart>] {
    var (slices, start, size): ([ArraySlice<PartWriter.PlannedPart>], Int, Int64) = ([], 0, 0)
    for index in indices {
      size += self[index].plan.copiedSize
      guard size >= most || index == endIndex - 1 else { continue }
      slices.append(self[start...index])
      (start, size) = (index + 1, 0)
    }
    return slices
  }
}
