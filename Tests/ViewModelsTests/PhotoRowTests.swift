import Foundation
import Gallery
import Testing

@testable import ViewModels

@MainActor
@Suite struct PhotoRowTests {
  @Test(arguments: [
    ("X100", "Fog", "X100 - Fog"), ("X100", nil, "X100"), (nil, "Fog", "Fog"), (nil, nil, ""),
    (nil, "two\nlines", "two lines"),
  ])
  func theSubtitleLeavesMissingPartsOut(camera: String?, description: String?, subtitle: String) {
    let row = PhotoRow(photo("A", camera: camera, description: description))
    #expect(row.subtitle == subtitle)
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
      return [PhotoRow(photo).date] + PhotoDetail(photo).fields.prefix(1).map(\.value)
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
    #expect(PhotoRow(photo("A", isForSale: true)).saleBadge?.text == "For sale")
    #expect(PhotoRow(photo("A", isForSale: false)).saleBadge?.text == "Not for sale")
    #expect(PhotoRow(photo("A", isForSale: nil)).saleBadge == nil)
  }
}
