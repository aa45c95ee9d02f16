import Gallery

/// A service that looks at the pixels of photos to find out which are alike, and which are sharp.
public protocol AppraisalServiceProtocol: Sendable {
  /// Returns an appraisal of each file in their order, or nil for a file that can't be decoded. It ends early if the task is
  /// canceled.
  ///
  /// - Parameter detail: The parts of the appraisals that are wanted. They may have others, too.
  func appraisals(of files: [FilePath], _ detail: ImageAppraisal.Detail) async -> [ImageAppraisal?]

  /// Returns what tells which files have the same bytes, in the order of the files, or nil for a file that can't be read. It
  /// ends early if the task is canceled.
  func contents(of files: [FilePath]) async -> [FileContent?]
}
