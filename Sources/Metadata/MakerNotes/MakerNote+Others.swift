// Makers that write a point alone, which refers to the size that Exif gives the image.
extension MakerNote {
  /// Reads Fujifilm's tags 0x1023 (FocusPixel) and 0x1021 (FocusMode).
  func fujifilmFocus(size: (width: Int, height: Int)) -> StoredFocus? {
    guard let point = field(0x1023).map({ reader.words(of: $0) }), point.count == 2,
      field(0x1021).flatMap(reader.integer) != 1
    else { return nil }
    return StoredFocus(x: point[0], y: point[1], width: size.width, height: size.height)
  }

  /// Reads Panasonic's tags 0x004D (AFPointPosition) and 0x0007 (FocusMode). A position above 1 means that it is unknown.
  func panasonicFocus(size: (width: Int, height: Int)) -> StoredFocus? {
    guard let point = field(0x004D), let x = reader.real(of: point), let y = reader.real(of: point, at: 1),
      field(0x0007).flatMap(reader.integer) != 2
    else { return nil }
    return StoredFocus(x: x, y: y, width: size.width, height: size.height)
  }

  /// The directory of the settings of a camera of Olympus.
  var olympusSettings: MakerNote? {
    guard let directory = field(0x2020).flatMap(reader.integer) else { return nil }
    return MakerNote(maker: .olympus, model: model, directory: directory, by: reader)
  }

  /// Reads Olympus's tags 0x0305 (AFPointSelected) and 0x0301 (FocusMode) in the directory of the camera's settings. The
  /// point is a rectangle behind a number of unknown meaning.
  func olympusFocus(size: (width: Int, height: Int)) -> StoredFocus? {
    guard let settings = olympusSettings, let point = settings.field(0x0305),
      settings.field(0x0301).flatMap(reader.integer) != 10
    else { return nil }
    let sides = (1...4).compactMap { reader.real(of: point, at: $0) }
    guard sides.count == 4 else { return nil }
    return StoredFocus(
      x: (sides[0] + sides[2]) / 2, y: (sides[1] + sides[3]) / 2, width: size.width, height: size.height)
  }
}
