/// The images that lie over the cells of a terminal (kitty, "Terminal graphics protocol": a=p).
public struct Placements: Sendable {
  private struct Part: Sendable {
    var image: UInt32
    /// The number by which the program knows the part; 0 if it has none.
    var number: UInt32
    /// The layer: what has a larger one lies above.
    var layer: Int
    var rows: Range<Int>
    var columns: Range<Int>
    var crop: Crop
  }

  /// The pixels of an image that are shown.
  public struct Crop: Sendable {
    public let x, y, width, height: Int
  }

  /// The width and the height of a cell in pixels.
  static let cell = (width: 10, height: 20)

  /// The parts in the order of their arrival: in one layer, the last one lies on top.
  private var parts: [Part] = []

  /// The ids of the images.
  public var ids: Set<UInt32> { Set(parts.map(\.image)) }

  /// Returns the id of the image that a cell shows; nil if none lies there.
  public func image(row: Int, column: Int) -> UInt32? {
    let here = parts.filter { $0.rows.contains(row) && $0.columns.contains(column) }
    return here.last { $0.layer == here.map(\.layer).max() }?.image
  }

  /// Returns the pixels of an image that its last part shows, or nil if it is not on the screen.
  public func crop(of image: UInt32) -> Crop? { parts.last { $0.image == image }?.crop }

  /// Places an image, or a part of it, at the cursor.
  mutating func place(_ image: UInt32, of pixels: PixelImage, at cursor: Screen.Cursor, _ keys: [String: String]) {
    func number(_ key: String) -> Int? { keys[key].flatMap { Int($0) } }
    let width = number("w") ?? pixels.width - (number("x") ?? 0)
    let height = number("h") ?? pixels.height - (number("y") ?? 0)
    let columns = number("c") ?? (width + Self.cell.width - 1) / Self.cell.width
    let rows = number("r") ?? (height + Self.cell.height - 1) / Self.cell.height
    let part = Part(
      image: image, number: keys["p"].flatMap(UInt32.init) ?? 0, layer: number("z") ?? 0,
      rows: cursor.row..<(cursor.row + max(0, rows)), columns: cursor.column..<(cursor.column + max(0, columns)),
      crop: Crop(x: number("x") ?? 0, y: number("y") ?? 0, width: width, height: height))
    if part.number > 0 { remove(image, number: part.number) }
    parts.append(part)
  }

  /// Removes an image, or the part of it with a number.
  mutating func remove(_ image: UInt32, number: UInt32 = 0) {
    parts.removeAll { $0.image == image && (number == 0 || $0.number == number) }
  }

  /// Removes all images in a layer.
  mutating func remove(layer: Int) { parts.removeAll { $0.layer == layer } }

  /// Removes the images with ids in a range.
  mutating func remove(from first: UInt32, to last: UInt32) {
    parts.removeAll { $0.image >= first && $0.image <= last }
  }

  /// Removes all images, as when the screen is cleared.
  mutating func removeAll() { parts = [] }
}
