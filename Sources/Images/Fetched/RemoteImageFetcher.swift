import ImageWire

/// A connection that fetches images from another machine.
public protocol RemoteImageFetcher: Sendable {
  /// Whether there is a connection at the moment. If not, it is tried again.
  var isConnected: Bool { get }
  /// The bytes that the line takes in a second, or 0 if that is not known.
  var throughput: Int { get }

  /// Starts to fetch a rendition that a worker of the other machine makes.
  ///
  /// - Parameters:
  ///   - request: The request, with the path of the file there.
  ///   - isAhead: Whether the image is not in view yet.
  ///   - knownAt: The modification time of the file from which the image is here already, in nanoseconds since 1970; 0 if it is not.
  ///     If the file still has it, the answer is ``ImageAnswer/Content/noPreview``.
  ///   - handler: Called on another thread with the answer each time more of it has come; with nil if the connection breaks.
  /// - Returns: The number of the fetch, or nil if there is no connection.
  func fetch(
    _ request: ImageRequest, isAhead: Bool, knownAt: Int,
    _ handler: @escaping @Sendable ((answer: ImageAnswer, isWhole: Bool)?) -> Void
  ) -> UInt32?

  /// Stops a fetch.
  func stop(_ fetch: UInt32)
}
