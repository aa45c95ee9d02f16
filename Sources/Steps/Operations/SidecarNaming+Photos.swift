import Gallery
import Photos
import Sidecars

extension SidecarNaming {
  /// Returns the sidecars of a photo's files that go where these go. One that is also that of another file in the folder stays there.
  static func sidecars(ofPhotoIn files: [FilePath]) -> [FilePath] {
    var sidecars: [FilePath] = []
    for file in files {
      for sidecar in existing(of: file) where !sidecars.contains(sidecar) {
        let isOwn = sidecar.name.starts(with: file.name)
        if isOwn || !isShared(byFilesBeside: files, stem: PhotoName.stem(file)) { sidecars.append(sidecar) }
      }
    }
    return sidecars
  }

  /// Returns whether another photo or video has the same name but for the suffix.
  private static func isShared(byFilesBeside files: [FilePath], stem: FilePath) -> Bool {
    PhotoName.suffixes.contains { suffix in
      [suffix, suffix.uppercased()].contains { suffix in
        let other = FilePath(stem.bytes + Array(".\(suffix)".utf8))
        return !files.contains(other) && other.isThere
      }
    }
  }
}

/// The sidecars of photos, for other modules.
package enum PhotoSidecars {
  /// Returns the sidecars of a photo's files that go where these go.
  package static func paths(of files: [FilePath]) -> [FilePath] { SidecarNaming.sidecars(ofPhotoIn: files) }
}
