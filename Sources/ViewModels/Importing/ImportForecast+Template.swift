import Gallery
import Photos
import Services

extension ImportForecast {
  /// Returns what a template gives the copies in the folder where they are used. Backups stay as the card.
  ///
  /// - Parameter codes: The codes that the texts may have.
  public func plan(_ template: MetadataTemplate, codes: CodeList) -> TemplatePlan {
    let shots = imports.map { shot in
      let folder = shot.photo.file?.folder
      let copies = shot.copies.map(\.target).filter { $0.folder == folder && $0 != shot.photo.file && !$0.isSidecar }
      return ([shot.photo.file].compactMap(\.self) + copies).map { path in
        var photo = shot.photo
        photo.image = .file(path)
        return (photo: photo, decisions: PhotoDecisions(photo.metadata))
      }
    }
    return TemplatePlan(template, forShots: shots, possible: SourceCapabilities.folder.decisions, codes: codes)
  }
}

extension FilePath {
  fileprivate var isSidecar: Bool {
    Array(name).suffix(4).elementsEqual(".xmp".utf8) || Array(name).suffix(4).elementsEqual(".XMP".utf8)
  }
}
