/// The orientation by which a stored image becomes the one that is shown: a rotation, and for half of them a mirroring
/// before it (Exif 2.32, tag 0x0112; TIFF 6.0, tag 274).
public enum ImageOrientation: Int, Codable, Sendable {
  case upright = 1
  case mirrored, rotated180, mirroredRotated180, mirroredRotated270, rotated90, mirroredRotated90, rotated270

  /// The orientations in the order of rotations clockwise by 90 degrees. The second row has the mirrored images.
  private static let cycles: [[Self]] = [
    [.upright, .rotated90, .rotated180, .rotated270],
    [.mirrored, .mirroredRotated90, .mirroredRotated180, .mirroredRotated270],
  ]

  private var place: (cycle: Int, index: Int) {
    let cycle = Self.cycles[0].contains(self) ? 0 : 1
    return (cycle, Self.cycles[cycle].firstIndex(of: self) ?? 0)
  }

  /// Returns the orientation after a rotation of the shown image clockwise by quarters.
  public func rotated(quarters: Int) -> Self {
    Self.cycles[place.cycle][(place.index + quarters & 3) & 3]
  }

  /// Returns the quarters by which the image must be rotated clockwise to become another orientation of it, or nil if one
  /// of the two is mirrored.
  public func quarters(to other: Self) -> Int? {
    let (from, to) = (place, other.place)
    return from.cycle == to.cycle ? (to.index - from.index) & 3 : nil
  }
}
