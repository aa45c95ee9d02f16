import Harness

// The middle of a screen of 100x30 cells, where the viewer shows the middle of the photo.
extension Screen {
  /// Red, green and blue of the color in the middle; nil if there is none.
  var partsInTheMiddle: [Int]? {
    guard case .rgb(let red, let green, let blue) = cells[14][50].style.background else { return nil }
    return [red, green, blue].map(Int.init)
  }

  /// Whether the middle has a color without hue.
  var isGrayInTheMiddle: Bool { partsInTheMiddle.map { Set($0).count == 1 } == true }

  /// The strongest part of the color in the middle: `r`, `g` or `b`, or `k` for black.
  var colorInTheMiddle: Character? {
    guard let parts = partsInTheMiddle, let most = parts.max() else { return nil }
    return most < 60 ? "k" : parts.firstIndex(of: most).map { Array("rgb")[$0] }
  }
}
