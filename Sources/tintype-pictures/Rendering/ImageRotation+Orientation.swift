import ImageWire

extension ImageRotation {
  /// Returns the orientation (Exif 2.32, tag 0x0112, 1 to 8) by which a stored image becomes the one that is shown.
  ///
  /// - Parameter exif: The orientation in the file.
  func orientation(for exif: Int) -> Int {
    switch self {
    case .upright: return exif
    case .stored: return 1
    case .clockwise90, .clockwise180, .clockwise270:
      // Each step to the right is a rotation clockwise by 90 degrees. The second row has the mirrored images.
      let cycle = [[1, 6, 3, 8], [2, 7, 4, 5]].first { $0.contains(exif) } ?? [1, 6, 3, 8]
      return cycle[((cycle.firstIndex(of: exif) ?? 0) + quarters) % 4]
    }
  }
}
