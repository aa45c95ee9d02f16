import Foundation
import Gallery
import Services

extension HostileRound {
  /// Checks that each content is at some path, and that the files that are not the gallery's photos are as they were.
  func check(_ moment: String) {
    let places = [disks.bases.bare, disks.bases.disk]
    let found = Set(places.flatMap { Listing($0).files }.map(\.lastWord))
    let lost = contents.subtracting(found).map { "\($0) \(moment)" }
    if !lost.isEmpty { note("  LOST \(lost)") }
    figures.lost.formUnion(lost)
    for (path, fingerprint) in others where path.folder.resolved == path.folder {
      guard path.fingerprint != fingerprint else { continue }
      figures.replaced.insert("\(path.printable) \(moment)")
      note("  REPLACED \(path.printable)")
    }
  }

  /// The files and folders, without those of the trashes.
  func fingerprints() -> [String: String] {
    let all = Listing(disks.base)
    // An export that the journal could not note is made again, with a number. In a folder that becomes read-only, the copy that was
    // being made stays.
    let files = all.files.filter { path in
      let name = path.bytes.dropFirst(disks.base.bytes.count)
      return !["/data", "/disk/.Trash"].contains { name.starts(with: $0.utf8) } && path.folder.printableName != "web"
        && !path.printableName.hasSuffix(".tintype-part")
    }
    // A failed export leaves its folder.
    let folders = all.folders.filter { folder in files.contains { $0.bytes.starts(with: folder.bytes) } }
    return Dictionary(
      uniqueKeysWithValues: (files + folders).map {
        (String(decoding: $0.bytes.dropFirst(disks.base.bytes.count), as: UTF8.self), $0.isFolder ? "" : $0.fingerprint)
      })
  }
}

extension FilePath {
  var isSidecar: Bool { name.reversed().starts(with: ".xmp".utf8.reversed()) }

  /// The last word of the content, which tells a file from others.
  var lastWord: String { String(text.split(separator: " ").last ?? "") }
}

/// Makes new files by copying.
struct Copier: PhotoExporterProtocol {
  let usefulCount = 1

  func export(_ export: PhotoExport) async throws(ImageFault) -> Bool {
    let (target, bytes) = (export.target, export.file.head(1 << 20))
    do { return try AtomicFile.replace(target, if: .missing) { try $0(bytes) } } catch { throw .missing }
  }

  func contents(
    of photo: FilePath, shown: PhotoMetadata, as specification: ExportSpecification
  ) async throws(ImageFault) -> [UInt8] { photo.head(1 << 20) }
}
