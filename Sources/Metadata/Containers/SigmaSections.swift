import Gallery

/// The sections of a Sigma X3F, whose directory is at the end of the file (Foveon's "X3F Raw Image File Format", 1.0).
struct SigmaSections {
  /// The size of the image as it is stored, or zeros.
  private(set) var size = (width: 0, height: 0)
  /// Exif's orientation, from 1 to 8.
  private(set) var orientation = 1
  /// The place and the length of the largest JPEG, or nil if there is none.
  private(set) var jpeg: (offset: Int, count: Int)?

  /// The most sections that are read. Cameras write about ten.
  private static let mostSections = 100
  /// The length of the header of a section with an image.
  private static let imageHeaderSize = 28

  init(_ file: ImageFile) {
    func number(_ offset: Int) -> Int { file.number(at: offset, count: 4, .littleEndian) }
    // Version 4 has more fields before the size.
    let head = number(4) >> 16 >= 4 ? 40 : 28
    size = (number(head), number(head + 4))
    orientation = ImageOrientation.upright.rotated(quarters: number(head + 8) / 90).rawValue
    let directory = number(file.size - 4)
    guard file.typeName(at: directory) == "SECd" else { return }
    for index in 0..<min(number(directory + 8), Self.mostSections) {
      let entry = directory + 12 + 12 * index
      let (place, length) = (number(entry), number(entry + 4))
      // The format 18 is a JPEG.
      guard ["IMAG", "IMA2"].contains(file.typeName(at: entry + 8)), file.typeName(at: place) == "SECi",
        number(place + 12) == 18, length > Self.imageHeaderSize, length > jpeg?.count ?? 0
      else { continue }
      jpeg = (place + Self.imageHeaderSize, length - Self.imageHeaderSize)
    }
  }
}
