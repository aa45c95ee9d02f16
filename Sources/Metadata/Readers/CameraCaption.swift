/// The captions that cameras write into each of their photos, which say nothing of the photo.
enum CameraCaption {
  private static let texts: Set<String> = [
    "OLYMPUS DIGITAL CAMERA", "KONICA MINOLTA DIGITAL CAMERA", "MINOLTA DIGITAL CAMERA", "SAMSUNG DIGITAL CAMERA",
    "SAMSUNG CAMERA PICTURES", "KODAK DIGITAL STILL CAMERA", "DIGITAL CAMERA", "SONY DSC", "EXIF_JPEG_PICTURE",
    "DEFAULT", "DAV", "EDF", "SDR", "RHDR", "MDE",
  ]

  /// Returns whether a caption is one of them, or the camera's own name of the file, as drones write it.
  static func isUsual(_ caption: String) -> Bool {
    let text = caption.uppercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return texts.contains(text) || text.hasPrefix("DCIM\\")
  }
}
