import Foundation
import Gallery
import TestLimit
import Testing

@testable import Photos

@Suite(.limited) struct PhotoPartsTests {
  private func table(_ paths: [String]) -> PhotoTable {
    PhotoTable(
      paths.enumerated().map { id, path in
        Photo(
          id: id, name: path, createdAt: Date(timeIntervalSince1970: 0), imageURL: path,
          image: .file(FilePath("/\(path)"))
        )
      })
  }

  /// Returns the groups of files, the one that is shown first, and the files that are shown by themselves.
  private func shots(_ parts: PhotoParts = PhotoParts(), _ paths: String...) -> (groups: [[String]], shown: [String]) {
    let groups = parts.groups(of: table(paths))
    return (
      groups.all.map { $0.map { paths[$0.value] } }.sorted { $0[0] < $1[0] },
      paths.indices.filter { !groups.isHidden(TableIndex($0)) }.map { paths[$0] }
    )
  }

  @Test func aRawFileAndItsJPEGAreOnePhoto() {
    let found = shots(PhotoParts(), "a.CR2", "a.JPG", "b.nef", "c.jpg", "d.heic", "d.dng")
    #expect(found.groups == [["a.JPG", "a.CR2"], ["d.heic", "d.dng"]])
    #expect(found.shown == ["a.JPG", "b.nef", "c.jpg", "d.heic"])
  }

  @Test func theFilesOfAllCamerasAreRawFiles() {
    for suffix in ["crw", "MRW", "x3f", "iiq", "srw", "rwl", "3fr", "k25"] {
      let found = shots(PhotoParts(), "a.\(suffix)", "a.jpg")
      #expect(found.groups == [["a.jpg", "a.\(suffix)"]], "\(suffix)")
    }
  }

  /// An image that can't be shown must not hide one that can.
  @Test func unsupportedImagesStayApart() {
    let found = shots(PhotoParts(), "a.cr2", "a.icns", "b.jpg", "b.xcf", "c.cr2", "c.jpg", "c.ICNS")
    #expect(found.groups == [["c.jpg", "c.cr2"]])
    #expect(found.shown == ["a.cr2", "a.icns", "b.jpg", "b.xcf", "c.jpg", "c.ICNS"])
  }

  @Test func filesInDifferentFoldersStayApart() {
    let found = shots(PhotoParts(), "raw/a.cr2", "jpg/a.jpg", "a.dng", "raw/b.cr2", "raw/b.jpg", "raw.jpg")
    #expect(found.groups == [["raw/b.jpg", "raw/b.cr2"]])
  }

  /// Paths that are not UTF-8 may be shown as the same text.
  @Test func foldersThatLookAlikeStayApart() {
    let paths: [[UInt8]] = [Array("/x\u{1}/a.cr2".utf8), Array("/x\u{1}/a.jpg".utf8)]
    let photos = paths.enumerated().map { id, path in
      var bytes = path
      bytes[2] = id == 0 ? 0xF6 : 0xFC
      return Photo(
        id: id, name: "a", createdAt: Date(timeIntervalSince1970: 0),
        imageURL: "x\u{FFFD}/a.\(id == 0 ? "cr2" : "jpg")",
        image: .file(FilePath(bytes)))
    }
    #expect(PhotoParts().groups(of: PhotoTable(photos)).isEmpty)
  }

  @Test func imagesOfTheSameNameStayApart() {
    #expect(shots(PhotoParts(), "a.jpg", "a.png", "a.JPG", "A.cr2").groups.isEmpty)
    // With a raw file, they are all developed from it.
    #expect(shots(PhotoParts(), "a.cr2", "a.jpg", "a.png").groups == [["a.jpg", "a.png", "a.cr2"]])
  }

  @Test func aVideoBelongsToItsPhotoOrIsShownByItself() {
    let found = shots(PhotoParts(), "a.heic", "a.mov", "b.MOV", "c.jpg", "c.MP4")
    #expect(found.groups == [["a.heic", "a.mov"], ["c.jpg", "c.MP4"]])
    #expect(found.shown == ["a.heic", "b.MOV", "c.jpg"])
  }

  @Test func anEditedVersionIsShownForItsOriginal() {
    let found = shots(
      PhotoParts(), "a.jpg", "a_edited.jpg", "b-Edit.tif", "b.nef", "b10.nef", "_edited.jpg", "c_edited.jpg",
      "d-edited.heic",
      "d.heic", "d.mov")
    #expect(
      found.groups == [["a_edited.jpg", "a.jpg"], ["b-Edit.tif", "b.nef"], ["d-edited.heic", "d.heic", "d.mov"]])
    #expect(found.shown == ["a_edited.jpg", "b-Edit.tif", "b10.nef", "_edited.jpg", "c_edited.jpg", "d-edited.heic"])
    let own = shots(PhotoParts(editedEndings: [" fin", ""]), "a.jpg", "a FIN.jpg", "b.jpg", "b_edited.jpg")
    #expect(own.groups == [["a FIN.jpg", "a.jpg"]])
  }

  /// A name that a hash of another one collides with is compared as a whole.
  @Test func manyNamesAreToldApart() {
    let names = (0..<20_000).flatMap { ["x/IMG_\($0).cr2", "x/IMG_\($0).jpg"] }.shuffled()
    let groups = PhotoParts().groups(of: table(names))
    #expect(groups.count == 20_000)
    #expect(groups.hiddenCount == 20_000)
    #expect(groups.all.allSatisfy { $0.count == 2 && names[$0.first!.value].hasSuffix("jpg") })
  }

  @Test func photosThatTheGroupsDoNotKnowAreAlone() {
    let groups = PhotoParts().groups(of: table(["a.cr2", "a.jpg"]))
    #expect(groups.leader(of: 0) == 1 && groups.isHidden(0) && !groups.isHidden(1))
    #expect(groups.leader(of: 7) == 7 && !groups.isHidden(7) && groups.group(of: 7) == nil)
    #expect(PhotoParts().groups(of: table(["a.jpg"])).isEmpty && PhotoGroups().group(of: 0) == nil)
  }
}
