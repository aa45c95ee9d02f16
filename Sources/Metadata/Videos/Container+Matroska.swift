// Videos in Matroska's elements, of which WebM has a part.
extension Container {
  /// Reads a video. A file without a track of images, such as a recording of sound alone, has no size.
  mutating func readMatroska(_ file: ImageFile) {
    take(MatroskaSegment(file).video)
  }
}
