import Foundation

/// Small photos without metadata for the tests. Their authors are in `CREDITS.tsv`.
public enum TestPhotos {
  /// The folder of the photos.
  public static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "images").path

  /// The folder of public test data: the one that `TINTYPE_CORPORA` names, or one next to the checkout. It may be missing.
  public static let corpora: String = {
    let beside = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../shared/corpora")
    return ProcessInfo.processInfo.environment["TINTYPE_CORPORA"] ?? beside.standardizedFileURL.path
  }()

  /// Returns the absolute path of a photo, such as `chelsea.jpg`.
  public static func path(_ name: String) -> String { "\(folder)/\(name)" }
}
