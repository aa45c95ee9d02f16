import Gallery
import Photos

extension PhotoFolding {
  /// Returns what a list of duplicates shows: each group as an open stack, the best photo first.
  ///
  /// - Parameter shots: The indices of the listed photos in their order. A group is at the place of the first one of them.
  func listing(
    _ duplicates: DuplicateGroups, among shots: [TableIndex], of photos: PhotoTable
  ) -> (order: [TableIndex], folding: PhotoFolding) {
    let indices = Dictionary(shots.map { (photos.id(at: $0), $0) }) { first, _ in first }
    var numbers: [Photo.ID: Int] = [:]
    for (number, group) in duplicates.groups.enumerated() { for member in group { numbers[member.id] = number } }
    var folding = PhotoFolding(files: files)
    var (order, groups, seen): ([TableIndex], [[TableIndex]], Set<Int>) = ([], [], [])
    for shot in shots {
      guard let number = numbers[photos.id(at: shot)] else {
        order.append(shot)
        continue
      }
      guard seen.insert(number).inserted else { continue }
      let members = duplicates.groups[number].filter { indices[$0.id] != nil }
      let group = members.compactMap { indices[$0.id] }
      order += group
      guard group.count > 1 else { continue }
      groups.append(group)
      folding.kinds[group[0]] = .duplicates
      folding.open[group[0]] = OpenStack(
        group, of: photos, remarks: DuplicateFacts.remarks(about: members, group.map(photos.files)))
    }
    folding.stacks = PhotoGroups(groups, photoCount: photos.count)
    return (order, folding)
  }
}
