import Gallery

/// The properties of a video that its container says.
struct Video {
  /// The size of a frame with square pixels, before it is rotated, or zeros if there is no track of images.
  var size = (width: 0, height: 0)
  var orientation: ImageOrientation?
  var codec: String?
  /// The duration in seconds.
  var duration: Double?
  /// The average number of frames in a second.
  var frameRate: Double?
  /// The time at which the container was created, in seconds since 1970 UTC.
  var createdAt: Double?
  var tags = VideoTags()
  /// An XMP packet, or nothing.
  var xmp: ArraySlice<UInt8> = []
  var isCutOff = false

  /// Returns a size with square pixels.
  ///
  /// - Parameter ratio: The width of a pixel divided by its height.
  static func squared(_ size: (width: Int, height: Int), ratio: Double) -> (width: Int, height: Int) {
    guard ratio.isFinite, ratio > 0 else { return size }
    return (Int(exactly: (Double(size.width) * ratio).rounded()) ?? 0, size.height)
  }

  /// What the camera and the container say. A time in a tag comes first, since it has the zone in which it was recorded.
  var metadata: PhotoMetadata {
    var metadata = tags.metadata
    metadata.takenAt = metadata.takenAt ?? createdAt.map { CaptureTime(clock: $0, offset: 0) } ?? tags.day
    metadata.codec = codec
    metadata.duration = duration.flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
    metadata.frameRate = frameRate.flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
    return metadata
  }
}
