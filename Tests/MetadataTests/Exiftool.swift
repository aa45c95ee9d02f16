import Foundation
import TestPhotos

/// The tags that exiftool reads from the photos of the test corpora.
enum Exiftool {
  /// A value, which exiftool writes as a text or as a number.
  struct Value: Decodable {
    let text: String

    /// The numbers in the text.
    var numbers: [Double] { text.split(separator: " ").compactMap { Double($0) } }

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      text = try (try? container.decode(String.self)) ?? String(container.decode(Double.self))
    }
  }

  private static let path = "/usr/bin/exiftool"
  static let canCompare =
    FileManager.default.isExecutableFile(atPath: path) && FileManager.default.fileExists(atPath: TestPhotos.corpora)

  /// Returns the tags of each photo, with the path as `SourceFile`.
  static func photos(_ arguments: [String]) throws -> [[String: Value]] {
    let (process, output) = (Process(), Pipe())
    process.executableURL = URL(filePath: path)
    process.arguments = ["-json", "-r", "-ext", "*"] + arguments + ["\(TestPhotos.corpora)/exif"]
    (process.standardOutput, process.standardError) = (output, FileHandle.nullDevice)
    try process.run()
    return try JSONDecoder().decode([[String: Value]].self, from: output.fileHandleForReading.readToEnd() ?? Data())
  }
}
