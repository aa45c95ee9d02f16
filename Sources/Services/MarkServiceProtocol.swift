import Gallery

/// A service that keeps the marks of one source.
///
/// A marked photo is identified by the bytes of its image's location (``ImageLocation/bytes``), since its ID may change from
/// one session to the next.
public protocol MarkServiceProtocol: Sendable {
  /// Returns the locations of the marked photos.
  func marks() async throws(APIError) -> MarkedLocations
  /// Replaces the marks.
  ///
  /// - Parameter former: The marks that the caller has read or stored last. If another copy of the program has stored
  ///   others since, its changes stay.
  func setMarks(_ marks: MarkedLocations, insteadOf former: MarkedLocations) async throws(APIError)
}
