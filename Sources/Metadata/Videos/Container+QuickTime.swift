// Videos in the boxes of QuickTime and MPEG-4.
extension Container {
  /// Reads a video. A file without a track of images, such as a recording of sound alone, has no size.
  mutating func readQuickTime(_ file: ImageFile) {
    take(QuickTimeMovie(file).video)
  }

  /// Takes what a container says about its video.
  mutating func take(_ video: Video) {
    size = video.size
    formatOrientation = video.orientation
    isCutOff = video.isCutOff
    xmp = video.xmp
    ownMetadata = video.metadata
    ownTexts = video.tags.texts
  }
}
