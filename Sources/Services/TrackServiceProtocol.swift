import Gallery

/// A service that reads the tracks of GPS receivers.
public protocol TrackServiceProtocol: Sendable {
  /// Returns the tracks of a file, or of all files of a folder that have one.
  func tracks(at path: FilePath) async throws(TrackFault) -> [NamedTrack]
}

/// A track and the name of its file.
public struct NamedTrack: Sendable {
  /// The name of the file.
  public let name: String
  /// The track.
  public let track: PositionTrack

  /// Creates a named track.
  public init(name: String, track: PositionTrack) {
    self.name = name
    self.track = track
  }
}
