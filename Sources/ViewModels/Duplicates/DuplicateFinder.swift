import Gallery
import Photos
import Services

/// Finds the duplicates of a source, away from the main actor.
///
/// The hash of each photo says which ones may be the same picture, and the cells of these decide. So the images themselves are
/// decoded only of photos that probably have a duplicate.
public actor DuplicateFinder {
  private let service: any AppraisalServiceProtocol

  /// The photos that are appraised before a search can be canceled.
  private static let photosAtOnce = 256

  /// - Parameter service: The service that looks at photos.
  public init(service: any AppraisalServiceProtocol) { self.service = service }

  /// Finds the duplicates in a table. The files of one photo are no duplicates of each other, nor are the names of one file.
  ///
  /// - Parameter onProgress: Called with the number of photos that were looked at, of all.
  /// - Returns: nil if the task is canceled.
  public func duplicates(
    in photos: PhotoTable, onProgress: @Sendable (_ done: Int, _ total: Int) async -> Void = { _, _ in }
  ) async -> DuplicateGroups? {
    var candidates = await candidates(in: photos)
    await appraise(Array(candidates.indices), .hash, in: &candidates, onProgress)
    if Task.isCancelled { return nil }
    var search = DuplicateSearch(candidates)
    await appraise(search.similar, .cells, in: &search.candidates)
    let groups = search.groups { place in
      DuplicateRank(photos.files(of: search.candidates[place].photo), size: search.candidates[place].content?.size)
    }
    return Task.isCancelled ? nil : DuplicateGroups(groups.map { members($0.map { search.candidates[$0] }, photos) })
  }

  private func candidates(in photos: PhotoTable) async -> [DuplicateCandidate] {
    let shots = photos.indices.compactMap { photo -> (photo: TableIndex, path: FilePath)? in
      guard !photos.groups.isHidden(photo), case .file(let path) = photos.image(at: photo) else { return nil }
      return (photo, path)
    }
    let contents = await service.contents(of: shots.map(\.path))
    var seen: Set<FileContent.Identity> = []
    return zip(shots, contents).compactMap { shot, content in
      if let content, !seen.insert(content.identity).inserted { return nil }
      return DuplicateCandidate(
        photo: shot.photo, path: shot.path, content: content, shot: CameraShot(shot.photo, in: photos))
    }
  }

  private func appraise(
    _ places: [Int], _ detail: ImageAppraisal.Detail, in candidates: inout [DuplicateCandidate],
    _ onProgress: @Sendable (Int, Int) async -> Void = { _, _ in }
  ) async {
    // Two videos may begin with the same picture.
    let places = places.filter { PhotoKind(candidates[$0].path) != .video }
    for start in stride(from: 0, to: places.count, by: Self.photosAtOnce) where !Task.isCancelled {
      let some = places[start...].prefix(Self.photosAtOnce)
      let found = await service.appraisals(of: some.map { candidates[$0].path }, detail)
      for (place, appraisal) in zip(some, found) where appraisal != nil { candidates[place].appraisal = appraisal }
      await onProgress(start + some.count, places.count)
    }
  }

  private func members(_ group: [DuplicateCandidate], _ photos: PhotoTable) -> [DuplicateGroups.Member] {
    let digest = group.first?.content?.digest
    return group.map { candidate in
      DuplicateGroups.Member(
        id: photos.id(at: candidate.photo), size: candidate.content?.size,
        isEqual: digest != nil && candidate.content?.digest == digest)
    }
  }
}
