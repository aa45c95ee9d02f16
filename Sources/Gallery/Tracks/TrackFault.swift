/// A reason why a track could not be read.
public enum TrackFault: Error, Hashable, Sendable {
  /// Nothing is at the path.
  case missing
  /// The folder has no file with a track.
  case noTracks
  /// Reading failed. `reason` is the system's.
  case unreadable(reason: String)
  /// There is nothing in the file.
  case empty
  /// The file is none of GPX, KML and NMEA.
  case unknownFormat
  /// The XML is not well-formed, for example because its end is missing.
  case damaged
  /// The file has more bytes or points than the limits.
  case tooLarge
  /// No point has a time, as in a route that was drawn on a map.
  case noTimes

  /// The fault as a sentence for the user.
  public var message: String {
    switch self {
    case .missing: localized("There is no such file.")
    case .noTracks: localized("No file of the folder is a track (GPX, KML or NMEA).")
    case .unreadable(let reason): localized("Can’t read the file: \(reason)")
    case .empty: localized("The file is empty.")
    case .unknownFormat: localized("The file isn’t a track. Use GPX, KML or NMEA.")
    case .damaged: localized("The file is damaged: its XML is not well-formed.")
    case .tooLarge: localized("The file is too large for a track.")
    case .noTimes: localized("The track has no times, so that no photo can be found on it.")
    }
  }
}
