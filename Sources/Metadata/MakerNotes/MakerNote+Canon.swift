// Canon's tags 0x0012 (AFInfo), 0x0026 (AFInfo2), and 0x003C (AFInfo3): rows of 16-bit numbers. Their points are relative
// to the center of the image, in coordinates that have their own size.
extension MakerNote {
  /// The most numbers of a tag that are read. Cameras with 1,053 points write 4,400.
  private static let mostWords = 1 << 15

  /// The point in focus that the camera marks as the first one, or the one in the middle of all points in focus.
  var canonFocus: StoredFocus? {
    for tag in [0x003C, 0x0026, 0x0012] {
      guard let field = field(tag) else { continue }
      let words = reader.words(of: field, atMost: Self.mostWords)
      guard let points = tag == 0x0012 ? CanonPoints(older: words) : CanonPoints(newer: words) else { continue }
      // Only EOS cameras have positive ordinates above the center, and only others mark a point as the first one.
      let isEOS = model.contains("EOS")
      return points.focus(isUpward: isEOS, hasPrimary: !isEOS && tag != 0x003C)
    }
    return nil
  }
}

/// The points at which a camera can focus, and those that are in focus.
private struct CanonPoints {
  private let (width, height): (Int, Int)
  /// The size of the system of coordinates. The points of some PowerShots have a quarter of the image's rows.
  private let (spanX, spanY): (Int, Int)
  private let points: [(x: Int, y: Int)]
  private let inFocus: [Int]
  private let primary: Int?

  /// Reads AFInfo: the numbers of all and of valid points, sizes, abscissas, ordinates, and bits.
  init?(older words: [Int]) {
    guard words.count >= 8 else { return nil }
    // Some PowerShots write eight numbers of unknown meaning before the first point. Their tags have this length.
    self.init(words, sizesAt: 2, pointsAt: 8, count: words[0], valid: words[1], gap: words.count == 36 ? 8 : 0)
  }

  /// Reads AFInfo2 or AFInfo3: the length, the mode, the numbers of all and of valid points, sizes, the points' sides,
  /// abscissas, ordinates, and bits.
  init?(newer words: [Int]) {
    // The length confirms that no program has moved the tag.
    guard words.count >= 8, words[0] == 2 * words.count, words[2] > 0 else { return nil }
    let bits = (words[2] + 15) / 16
    self.init(words, sizesAt: 4, pointsAt: 8 + 2 * words[2], count: words[2], valid: words[3], gap: bits + 1)
  }

  private init?(_ words: [Int], sizesAt sizes: Int, pointsAt start: Int, count: Int, valid: Int, gap: Int) {
    let bits = start + 2 * count
    let end = bits + (count + 15) / 16
    guard (1...4096).contains(count), end <= words.count else { return nil }
    func signed(_ index: Int) -> Int { Int(Int16(truncatingIfNeeded: words[index])) }
    width = words[sizes]
    height = words[sizes + 1]
    spanX = words[sizes + 2]
    spanY = words[sizes + 3]
    points = (0..<count).map { (signed(start + $0), signed(start + count + $0)) }
    inFocus = (0..<min(count, valid)).filter { words[bits + $0 / 16] >> ($0 % 16) & 1 == 1 }
    primary = end + gap < words.count ? words[end + gap] : nil
  }

  func focus(isUpward: Bool, hasPrimary: Bool) -> StoredFocus? {
    // A program that rotates images exchanges the image's sides, but leaves the points as they were.
    guard spanX > 0, spanY > 0, (spanX >= spanY) == (width >= height), let index = index(hasPrimary: hasPrimary) else {
      return nil
    }
    let (x, y) = (Double(points[index].x), Double(isUpward ? -points[index].y : points[index].y))
    return StoredFocus(x: 0.5 + x / Double(spanX), y: 0.5 + y / Double(spanY), width: width, height: height)
  }

  private func index(hasPrimary: Bool) -> Int? {
    if hasPrimary, let primary, inFocus.contains(primary) { return primary }
    // The background may be in the middle, so this returns the point in focus that is next to it.
    let middleX = inFocus.reduce(0) { $0 + points[$1].x } / max(inFocus.count, 1)
    let middleY = inFocus.reduce(0) { $0 + points[$1].y } / max(inFocus.count, 1)
    func distance(_ index: Int) -> Int {
      let (x, y) = (points[index].x - middleX, points[index].y - middleY)
      return x * x + y * y
    }
    return inFocus.min { distance($0) < distance($1) }
  }
}
