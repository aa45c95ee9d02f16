import Gallery
import Photos
import Services

// Duplicates.
extension PhotoChoosingViewModel {
  /// Whether a row is one of a group of duplicates.
  public func isDuplicate(row: RowIndex) -> Bool { rows.duplicates(ofRow: row) != nil }

  /// Keeps the best photo of a row's group of duplicates, and rejects the others in one step. The best one is the first that is
  /// not rejected.
  ///
  /// - Returns: The row behind the group, or nil if nothing was rejected.
  public func keepBest(ofRow row: RowIndex) -> RowIndex? {
    guard canDecide, let group = rows.duplicates(ofRow: row), let place = rows.stackPlace(ofRow: row) else {
      return nil
    }
    let left = group.map(rows.files).filter { !deciding.decisions(about: $0).isRejected }
    guard let best = left.first, left.count > 1 else {
      onNote(localized("The other duplicates are rejected already."))
      return nil
    }
    deciding.make(
      .decision(.rating(PhotoDecisions.rejected)), forShots: Array(left.dropFirst()),
      remark: localized("kept \(best[0].file?.printableName ?? best[0].displayName)"))
    return row + (place.count - place.number + 1)
  }
}

extension PhotoRows {
  /// Returns the indices of the group of duplicates that a row belongs to, the best one first, or nil if it is in none.
  fileprivate func duplicates(ofRow row: RowIndex) -> ArraySlice<TableIndex>? {
    guard indices.contains(row), stackPlace(ofRow: row)?.kind == .duplicates else { return nil }
    return stack(ofRow: row)
  }
}
