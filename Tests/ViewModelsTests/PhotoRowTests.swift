import Foundation
import Gallery
import TestLimit
import Testing

@testable import ViewModels

@MainActor
@Suite(.limited) struct PhotoRowTests {
  @Test(arguments: [
    ("X100", "Fog", "X100 - Fog"), ("X100", nil, "X100"), (nil, "Fog", "Fog"), (nil, nil, ""), ("X100", " ", "X100"),
    (nil, "two\nlines", "two lines"),
  ])
  func theSubtitleIsTheCameraAndTheDescription(camera: String?, description: String?, subtitle: String) {
    #expect(PhotoRow([photo("A", camera: camera, description: description)]).subtitle == subtitle)
  }

  /// Returns the row of a photo in a folder, with its metadata.
  private func row(_ metadata: PhotoMetadata?, grouping: PhotoGrouping? = nil) -> PhotoRow {
    let photo = Photo(
      id: 1, name: "A", createdAt: Date(timeIntervalSince1970: 1_509_926_400), imageURL: "Rome/old/a.jpg",
      image: .file("/Rome/old/a.jpg"), camera: metadata?.camera, metadata: metadata)
    var context = PhotoRow.Context()
    context.grouping = grouping
    context.hasFileDates = true
    return PhotoRow([photo], context)
  }

  @Test func aRowShowsWhatIsKnownOfThePhoto() {
    var metadata = PhotoMetadata()
    metadata.camera = "X100"
    (metadata.exposureTime, metadata.fNumber, metadata.focalLength, metadata.iso) = (0.004, 2, 23, 200)
    (metadata.lens, metadata.rating, metadata.label) = ("XF23mm", 3, "Red")
    let row = row(metadata)
    #expect(row.subtitle == "X100 · 1/250 s, f/2, 23 mm, ISO 200 · XF23mm")
    #expect(row.decisions == PhotoDecisions(rating: 3, label: "Red"))
    #expect(row.folder == "Rome/old/")
    #expect(self.row(metadata, grouping: .folder).folder == "")
  }

  /// The exposure and the lens are not in the subtitle that has a description. The last facts are left out first.
  @Test func theExposureIsBesideADescription() {
    var metadata = PhotoMetadata()
    (metadata.exposureTime, metadata.fNumber, metadata.lens) = (0.004, 2, "XF23mm")
    func row(_ description: String?) -> PhotoRow {
      PhotoRow([
        Photo(
          id: 1, name: "A", description: description, createdAt: Date(timeIntervalSince1970: 0), imageURL: "a.jpg",
          image: .file("/a.jpg"), camera: "X100", metadata: metadata)
      ])
    }
    let texts = [row("Fog"), row(nil)].map { row in [row.subtitle, row.exposure { _ in true }] }
    #expect(texts == [["X100 - Fog", "1/250 s, f/2 · XF23mm"], ["X100 · 1/250 s, f/2 · XF23mm", ""]])
    let lengths = [30, 12, 8, 1]
    #expect(
      lengths.map { length in row("Fog").exposure { $0.count <= length } }
        == ["1/250 s, f/2 · XF23mm", "1/250 s, f/2", "1/250 s", ""])
    #expect(
      lengths.map { length in row(nil).subtitle { $0.count <= length } }
        == ["X100 · 1/250 s, f/2 · XF23mm", "X100", "X100", "X100 · 1/250 s, f/2 · XF23mm"])
    #expect(row("Fog").subtitle { _ in false } == "X100 - Fog")
  }

  /// The date of a file is never shown as the date on which the photo was taken.
  @Test func theDateOfAFileIsCalledSo() {
    var dated = PhotoMetadata()
    dated.takenAt = CaptureTime(clock: 1_071_403_304.25)
    #expect(row(dated).date == "2003-12-14" && row(dated, grouping: .day).date == "12:01")
    #expect(row(PhotoMetadata()).date == "file 2017-11-06")
    #expect(row(PhotoMetadata(), grouping: .day).date == "file date")
    #expect(row(nil).date == "", "the file has not been read")
  }

  /// A date is shown as the camera or the catalog wrote it, in any time zone of the user.
  @Test func theDateIsInThePhotosTimeZone() {
    func date(createdOffset: Int, takenAt: CaptureTime? = nil) -> [String] {
      var metadata = PhotoMetadata()
      metadata.takenAt = takenAt
      // 2017-11-06T00:00Z
      let photo = Photo(
        id: 1, name: "A", createdAt: Date(timeIntervalSince1970: 1_509_926_400), createdOffset: createdOffset,
        imageURL: "a.jpg", image: .file("/a.jpg"), metadata: metadata)
      return [PhotoRow([photo]).date] + PhotoDetail(photo).fields.prefix(1).map(\.value)
    }
    #expect(date(createdOffset: 0) == ["2017-11-06", "2017-11-06 00:00"])
    #expect(date(createdOffset: 9 * 3600) == ["2017-11-06", "2017-11-06 09:00"])
    #expect(date(createdOffset: -5 * 3600) == ["2017-11-05", "2017-11-05 19:00"])
    let clock = 1_071_403_304.25
    for offset in [nil, 0, -12_600] {
      let taken = CaptureTime(clock: clock, offset: offset)
      #expect(date(createdOffset: 3600, takenAt: taken) == ["2003-12-14", "2003-12-14 12:01"])
    }
  }

  @Test func theBadgeSaysWhetherThePhotoIsForSale() {
    #expect(PhotoRow([photo("A", isForSale: true)]).saleBadge?.text == "For sale")
    #expect(PhotoRow([photo("A", isForSale: false)]).saleBadge?.text == "Not for sale")
    #expect(PhotoRow([photo("A", isForSale: nil)]).saleBadge == nil)
  }

  @Test func theAspectIsThatOfTheImageAsItIsShown() {
    var metadata = PhotoMetadata()
    #expect(row(nil).aspect == 1.5 && row(metadata).aspect == 1.5)
    metadata.width = 4000
    #expect(row(metadata).aspect == 1.5, "the height is unknown")
    metadata.height = 2000
    #expect(row(metadata).aspect == 2)
    metadata.chosenOrientation = 6
    #expect(row(metadata).quarters == 1 && row(metadata).aspect == 0.5)
    metadata.chosenOrientation = 3
    #expect(row(metadata).quarters == 2 && row(metadata).aspect == 2)
  }
}
