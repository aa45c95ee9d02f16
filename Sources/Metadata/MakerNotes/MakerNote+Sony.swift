// Sony's tags 0x2027 and 0x204A (FocusLocation), 0x2037 (FocusFrameSize), and 0x201B (FocusMode).
extension MakerNote {
  /// The point that playback enlarges: the image's size and the point, in pixels.
  ///
  /// A camera that does not know the point writes the center. The frame has no size then, or the focus mode is manual.
  var sonyFocus: StoredFocus? {
    let words = [0x2027, 0x204A].lazy.compactMap(field).map { reader.words(of: $0) }.first {
      $0.count == 4 && $0[0] > 0 && $0[1] > 0
    }
    // Most compact cameras always write 0 here.
    let isManual = !model.hasPrefix("DSC-") && field(0x201B).flatMap(reader.integer) == 0
    guard let words, !isManual else { return nil }
    let isCenter = abs(2 * words[2] - words[0]) <= 2 && abs(2 * words[3] - words[1]) <= 2
    if isCenter, let frame = field(0x2037).map({ reader.words(of: $0) }), frame.count == 3, frame[2] == 0 { return nil }
    return StoredFocus(x: words[2], y: words[3], width: words[0], height: words[1])
  }
}
