import Gallery

extension Photo {
  /// The name for a copy of the photo's original from a server, as bytes. It is a name in any folder, and is not hidden.
  public var originalName: [UInt8] {
    // The photo's own name may be a title.
    let name = nameInAddress ?? name
    let safe = String(name.printable.map { $0 == "/" ? "_" : $0 })
    let visible = safe.isEmpty || safe.hasPrefix(".") ? "_" + safe : safe
    // The suffix says what the file is.
    let dot = visible.lastIndex(of: ".") ?? visible.endIndex
    let suffix = visible[dot...].utf8.prefix(Self.longestName / 4)
    return Array(String(decoding: visible[..<dot].utf8.prefix(Self.longestName - suffix.count), as: UTF8.self).utf8)
      + suffix
  }

  /// The path of the photo's original on its server, of which the name of a new file is made.
  public var originalPath: FilePath {
    nameInAddress == nil ? FilePath("/").appending(originalName) : FilePath("/" + imageURL)
  }

  /// The name of a file at the end of the image's address; nil if there is only an ID.
  private var nameInAddress: String? {
    imageURL.split(separator: "/").last.flatMap { PhotoName.isPhoto(ArraySlice($0.utf8)) ? String($0) : nil }
  }

  /// The most bytes of a name from a server.
  private static let longestName = 200
}
