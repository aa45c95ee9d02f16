import Gallery
import ImageWire
import Terminal
import ViewModels

/// The line below a pane of a comparison: the photo's name, the decisions about it, and how sharp it is.
@MainActor
struct CompareCaption {
  /// The row of the photo, or nil if its file is gone.
  let row: PhotoRow?
  /// The name of the photo.
  let name: String
  /// The image of the photo, or nil if nothing of it was drawn.
  let pane: ComparePane?
  /// Whether the pane has the cursor.
  let isChosen: Bool
  /// Whether the photo is the sharpest one side by side.
  let isBest: Bool
  /// Whether another photo side by side has the same name, so that the names of the files tell them apart.
  var repeatsName = false

  /// The narrowest caption in which the sharpness has a word, in columns.
  private static let narrowestWords = 50
  /// The columns of a long name that no sign takes.
  private static let leastNameColumns = 12

  func draw(on line: Surface) {
    let caption = line.on(isChosen ? .selection : .window)
    caption.clear()
    let text = caption.clipped(to: line.bounds.inset(columns: 1))
    if isChosen { text.placeCursor() }
    var end = text.bounds.columns
    let name = CellText(name)
    let nameColumns = min(name.width, Self.leastNameColumns)
    for sign in signs(isShort: end < Self.narrowestWords) {
      let sign = (text: CellText(sign.text), role: sign.role)
      guard sign.text.width + 1 + nameColumns < end else { continue }
      text.put(sign.text, column: end - sign.text.width, sign.role)
      end -= sign.text.width + 2
    }
    text.put(name.truncatedInMiddle(to: max(0, end)), row == nil ? .secondary : isChosen ? .title : .text)
  }

  /// The signs at the right end, the last one first.
  private func signs(isShort: Bool) -> [(text: String, role: Role)] {
    guard let row else { return [] }
    var signs: [(String, Role)] = []
    if pane?.image.info.isIncomplete == true {
      signs.append((isShort ? localized("Incomplete") : localized("Incomplete file"), .negative))
    } else if let sharpness = pane?.sharpness {
      let words = Charset.isPlain && isBest ? localized("Sharpest: \(sharpness)") : localized("Sharpness \(sharpness)")
      signs.append((isShort && !Charset.isPlain ? "◈ \(sharpness)" : words, isBest ? .positive : .secondary))
    }
    signs += row.decisions.signs.reversed().map { ($0.text, $0.role) }
    if row.isMarked { signs.append(("✓", .accent)) }
    let file = repeatsName ? row.shownFileName : row.fileName
    if let file, file != row.detail.name { signs.append((file, .secondary)) }
    return signs
  }
}

/// The line below the panes of a comparison: which candidates are side by side, and how they are shown.
@MainActor
struct CompareStatus {
  let comparison: PhotoComparison
  /// The scale of the image at the cursor in words, or nil if no images are shown.
  let view: String?
  let areLinked: Bool
  let overlay: ImageOverlay

  func draw(on line: Surface) {
    let right = properties.joined(separator: " · ")
    let end = line.bounds.columns - CellText(right).width
    line.put(
      CellText(Self.progress(of: comparison), truncatedTo: max(0, end - 2)), comparison.isDecided ? .title : .secondary)
    if end > 0 { line.putRight(right, .secondary) }
  }

  /// Returns the candidates that are side by side, or the one that is left, in words.
  static func progress(of comparison: PhotoComparison) -> String {
    let count = comparison.count.grouped
    if comparison.isDecided {
      let row = comparison.chosenRow
      if row?.decisions.isRejected == true { return localized("All of \(count) are rejected.") }
      return localized("Kept \(row?.detail.name ?? "") (1 of \(count))")
    }
    let numbers = comparison.panes.indices.map(comparison.number)
    let isRange = numbers.count > 2 && zip(numbers, numbers.dropFirst()).allSatisfy { $1 == $0 + 1 }
    let shown =
      isRange ? "\(numbers[0])-\(numbers[numbers.count - 1])" : numbers.map(String.init).joined(separator: ", ")
    return localized("\(shown) of \(count)")
  }

  private var properties: [String] {
    var properties = [view].compactMap(\.self)
    if !areLinked { properties.append(localized("Unlinked")) }
    switch overlay {
    case .none, .fading, .pixel: break
    case .peaking: properties.append(localized("Focus peaking"))
    case .clipping: properties.append(localized("Clipping"))
    }
    if comparison.remainingCount > 0 { properties.append(localized("\(comparison.remainingCount.grouped) to come")) }
    return properties
  }
}
