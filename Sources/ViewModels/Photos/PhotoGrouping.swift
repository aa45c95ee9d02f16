import FoundationEssentials
import Gallery
import Photos

/// The sections of the photo list.
public enum PhotoGrouping: Hashable, Sendable {
  /// A section for each day of ``Photo/clock``, in a list sorted by date.
  case day
  /// A section for each month, in a contact sheet on which days would leave most of their rows empty.
  case month
  /// A section for each year, in such a sheet.
  case year
  /// A section for each folder, in a list of a folder's photos sorted by name.
  case folder

  /// Returns whether two photos of a table are in the same section.
  func areTogether(_ first: TableIndex, _ second: TableIndex, in photos: PhotoTable) -> Bool {
    switch self {
    case .day: Self.day(first, in: photos) == Self.day(second, in: photos)
    case .month, .year: heading(of: first, in: photos) == heading(of: second, in: photos)
    case .folder:
      photos.withPaths(first, second) { Self.folder($0).elementsEqual(Self.folder($1)) }
    }
  }

  /// Returns the heading of a photo's section.
  func heading(of photo: TableIndex, in photos: PhotoTable) -> String {
    switch self {
    case .day: CalendarTime(clock: photos.clock(at: photo)).weekdayText
    case .month: CalendarTime(clock: photos.clock(at: photo)).monthText
    case .year: CalendarTime(clock: photos.clock(at: photo)).yearText
    case .folder:
      photos.withText(.imageURL, at: photo) {
        String(decoding: Self.folder($0), as: UTF8.self).printable.nonEmpty ?? localized("This folder")
      }
    }
  }

  /// The next larger sections, or nil if there are none.
  var coarser: PhotoGrouping? {
    switch self {
    case .day: .month
    case .month: .year
    case .year, .folder: nil
    }
  }

  private static func day(_ photo: TableIndex, in photos: PhotoTable) -> Double {
    (photos.clock(at: photo) / 86_400).rounded(.down)
  }

  /// Returns the folder of a path with its last slash; empty for a path without one.
  static func folder(_ path: UnsafeBufferPointer<UInt8>) -> Slice<UnsafeBufferPointer<UInt8>> {
    path[..<(path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? path.startIndex)]
  }
}
