import Gallery

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The scheme by which a sidecar is named after its photo.
public enum SidecarNaming: String, Codable, CaseIterable, Sendable {
  /// `a.jpg.xmp`, as darktable and digiKam name it.
  case afterExtension
  /// `a.xmp`, as Lightroom, Capture One and the XMP Specification (part 3, "Sidecar files") name it. `a.jpg` and `a.cr2` share it.
  case insteadOfExtension

  /// Returns the path of the sidecar of a photo.
  public func path(of photo: FilePath) -> FilePath { path(of: photo, extension: "xmp") }

  fileprivate func path(of photo: FilePath, extension: String) -> FilePath {
    let name = photo.name
    var stem = name
    if self == .insteadOfExtension, let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex {
      stem = name[..<dot]
    }
    return photo.folder.appending(stem + ".\(`extension`)".utf8)
  }

  /// Returns the paths at which there are sidecars of a photo, or damaged ones. The one that counts is first.
  ///
  /// If there are two, the name with the extension wins, because it can belong to no other photo. Some programs write
  /// the extension in capitals.
  public static func existing(of photo: FilePath) -> [FilePath] {
    var paths: [FilePath] = []
    for naming in [SidecarNaming.afterExtension, .insteadOfExtension] {
      for path in ["xmp", "XMP"].map({ naming.path(of: photo, extension: $0) }) where !paths.contains(path) {
        var status = stat()
        if path.withCString({ lstat($0, &status) }) == 0 { paths.append(path) }
      }
    }
    return paths
  }
}
