import Gallery

/// A service that looks at the pixels of photos to find out which are alike, and which are sharp.
public protocol AppraisalServiceProtocol: Sendable {
  /// Returns an appraisal of each file in their order, or nil for a file that can't be decoded. It ends early if the task is
  /// canceled.
  ///
  /// - Parameter hasSharpness: Whether the sharpness is wanted, for which the whole image is decoded, or only the hash.
  func appraisals(of files: [FilePath], hasSharpness: Bool) async -> [ImageAppraisal?]
}
