import Gallery

/// A server that keeps photos, and decisions about them.
public protocol PhotoServerProtocol: Sendable {
  /// Returns whether a photo is on the server.
  func has(_ photo: ImageLocation) -> Bool

  /// Changes the decisions about a photo, unless another program has changed them.
  ///
  /// The same change can be made again, as after a crash between the answer and noting it.
  ///
  /// - Parameters:
  ///   - edits: The new values.
  ///   - former: The values that the user saw, one for each new value.
  func change(
    _ photo: ImageLocation, by edits: DecisionEdits, from former: PhotoDecisions
  ) async throws(PhotoServerFault)

  /// Writes the original file of a photo to an open file.
  func download(_ photo: ImageLocation, to descriptor: Int32) async throws(PhotoServerFault)
}

/// A reason why a server did not change a photo.
public enum PhotoServerFault: Error, Hashable, Sendable {
  /// The server no longer has the photo.
  case missing
  /// The server can't be reached or does not know the user, or another one has answered in its place. The change may be possible
  /// later.
  case outage(APIError)
  /// The server itself refuses the change, which would be no different later.
  case refused(APIError)
  /// The photo has other values than the user saw.
  case conflict(PhotoDecisions)
}
