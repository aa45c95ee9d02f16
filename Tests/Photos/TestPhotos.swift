import Foundation

/// Small photos without metadata that tests decode, beside the bundled ones. Their authors are in `CREDITS.tsv`.
public enum TestPhotos {
  public static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "images").path

  /// The absolute path of one of them, such as `chelsea.jpg`.
  public static func path(_ name: String) -> String { "\(folder)/\(name)" }
}
