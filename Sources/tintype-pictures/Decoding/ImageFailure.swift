/// The reason why an image cannot be decoded.
enum ImageFailure: Error, CustomStringConvertible {
  /// The image has more pixels than are decoded.
  case tooLarge(Int, Int)
  /// The file ends before anything of its image can be decoded.
  case incomplete
  case damaged(String)
  /// A raw file has no preview.
  case noPreview

  var description: String {
    switch self {
    case .tooLarge(let width, let height): "Too large: \(width)×\(height) pixels"
    case .incomplete: "Incomplete file (cut off, or still being copied)"
    case .damaged(let reason): "Damaged image: \(reason)"
    case .noPreview: "No preview in this raw file"
    }
  }
}
