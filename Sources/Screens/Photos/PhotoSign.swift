import Gallery
import Terminal
import ViewModels

/// A sign of a photo: a fact that rows and captions say in words, and tiles with a character or two.
struct PhotoSign {
  /// The parts of a row of one line, which has one character for each.
  enum Slot: CaseIterable {
    case mark, decision, fact
  }

  let slot: Slot
  let text: String
  /// A short form of the text.
  let short: String
  /// The character that a row of one line shows.
  let character: String
  let role: Role

  init(_ slot: Slot, _ text: String, short: String? = nil, character: String? = nil, _ role: Role) {
    self.slot = slot
    self.text = text
    self.short = short ?? text
    self.character = character ?? String(self.short.prefix(1))
    self.role = role
  }
}

extension PhotoRow {
  /// The signs of the photo in their order, which is the same in each list: the mark, a fault of the file, the decisions, the
  /// badge, the stack and the sharpness in it, the format, the duration, and the place.
  /// - Parameter isIncomplete: Whether only a part of the image could be decoded.
  func signs(isIncomplete: Bool = false) -> [PhotoSign] {
    var signs: [PhotoSign] = []
    if isMarked {
      signs.append(PhotoSign(.mark, "✓ \(localized("Marked"))", short: "✓", .accent))
    } else if isInRange {
      signs.append(PhotoSign(.mark, "│ \(localized("Range"))", short: "│", .accent))
    }
    if isIncomplete || self.isIncomplete {
      signs.append(PhotoSign(.fact, localized("Incomplete file"), short: "!", .negative))
    }
    signs += decisions.signs
    if let badge = saleBadge {
      signs.append(PhotoSign(.decision, "\(badge.symbol) \(badge.text)", short: badge.symbol, badge.role))
    }
    if let stack {
      let text = Charset.isPlain ? stack.text : "▤ \(stack.text)"
      signs.append(PhotoSign(.fact, text, short: stack.sign, .accent))
    }
    if stack?.isKept == true {
      let text = localized("Kept", context: "a shot")
      signs.append(PhotoSign(.fact, Charset.isPlain ? text : "◆ \(text)", short: "◆", .positive))
    }
    // A tile has no room for them.
    let (starred, rejected) = decidedBehind
    if starred > 0 {
      let text = Charset.isPlain ? localized("\(starred) with stars inside") : "\(starred) ★"
      signs.append(PhotoSign(.fact, text, short: "", .accent))
    }
    if rejected > 0 {
      let text = Charset.isPlain ? localized("\(rejected) rejected inside") : "\(rejected) ✗"
      signs.append(PhotoSign(.fact, text, short: "", .negative))
    }
    if let sharpness = stack?.sharpness {
      let isBest = sharpness == 100
      let words = isBest ? localized("Sharpest") : localized("Sharpness \(sharpness) %")
      let text = isBest || Charset.isPlain ? "◈ \(words)" : "◈ \(sharpness) %"
      signs.append(PhotoSign(.fact, text, short: isBest ? "◈" : "", isBest ? .positive : .secondary))
    }
    if let format { signs.append(PhotoSign(.fact, format, .secondary)) }
    if let duration { signs.append(PhotoSign(.fact, "▶ \(duration)", character: "▶", .secondary)) }
    if hasPlace { signs.append(PhotoSign(.fact, Charset.isPlain ? localized("Place") : "◎", .secondary)) }
    return signs
  }
}

extension PhotoDecisions {
  /// The signs of the rating: the stars or the cross of a rejected photo, and the label.
  var signs: [PhotoSign] {
    var signs: [PhotoSign] = []
    switch rating {
    case PhotoDecisions.rejected:
      signs.append(PhotoSign(.decision, "✗ \(localized("Rejected"))", short: "✗", .negative))
    case .some(1...5):
      let count = rating ?? 0
      let stars = String(repeating: "★", count: count)
      let text = Charset.isPlain ? localized("\(count) star", plural: "\(count) stars", count: count) : stars
      signs.append(PhotoSign(.decision, text, short: stars, character: "\(count)", .accent))
    default: break
    }
    if let label {
      if let color = ColorLabel(name: label), color.hasColor {
        signs.append(PhotoSign(.fact, Charset.isPlain ? color.text : "■", .label(color)))
      } else {
        signs.append(PhotoSign(.fact, label.printable, .secondary))
      }
    }
    if isFavorite {
      let text = localized("Favorite")
      signs.append(PhotoSign(.fact, Charset.isPlain ? text : "♥ \(text)", short: "♥", .accent))
    }
    if crop != nil { signs.append(PhotoSign(.fact, localized("Cropped"), .secondary)) }
    return signs
  }
}

extension StackPlace {
  /// A short form of the place, such as `▤ 12` of a stack that is not open, `± 3` of a bracket, or `2/12`. Plain screens have
  /// no character for a stack.
  var sign: String {
    if isOpen { return text }
    if kind == .bracket { return "± \(count)" }
    return Charset.isPlain ? localized("\(count) shot", plural: "\(count) shots", count: count) : "▤ \(count)"
  }
}

extension SaleBadge {
  var symbol: String { isForSale ? "●" : "○" }
  var role: Role { isForSale ? .positive : .negative }
}
