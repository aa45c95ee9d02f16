import CNcurses

/// The content of one cell, or of two if it is wide: a character and the marks that combine with it.
public struct Cluster: Hashable, Sendable {
  /// The character and its marks.
  public let scalars: [Unicode.Scalar]
  /// The width in cells: 1 or 2.
  public let width: Int
}

/// Text measured in cells, the same way on every terminal.
///
/// Terminals disagree on the width of emoji sequences, flags, keycaps and presentation selectors. Such a cluster is
/// reduced to its first symbol, on which all agree, so that no text after it is pushed out of place.
public struct CellText: Sendable {
  /// The contents of the cells.
  public private(set) var clusters: [Cluster] = []
  /// The width in cells.
  public private(set) var width = 0

  /// Creates text from all of a string.
  public init(_ text: String, charset: Charset = .current) {
    self.init(text, measuredTo: .max, charset: charset)
  }

  /// Creates text that is at most `columns` wide, with an ellipsis in place of the rest. Of a long string, no more than the
  /// visible part is read.
  public init(_ text: String, truncatedTo columns: Int, charset: Charset = .current) {
    self = CellText(text, measuredTo: columns, charset: charset).truncated(to: columns, charset: charset)
  }

  private init(_ text: String, measuredTo columns: Int, charset: Charset) {
    for character in text {
      if let ascii = character.asciiValue, (0x20..<0x7F).contains(ascii) {
        append(Self.asciiClusters[Int(ascii - 0x20)])
      } else {
        append(character, charset: charset)
      }
      if width > columns { return }
    }
  }

  private init(_ clusters: some Sequence<Cluster>) {
    for cluster in clusters { append(cluster) }
  }

  /// Returns text that is at most `columns` wide, with an ellipsis in place of the rest.
  public func truncated(to columns: Int, charset: Charset = .current) -> CellText {
    guard width > columns else { return self }
    let ellipsis = CellText(charset.ellipsis, charset: charset)
    guard columns > ellipsis.width else { return prefix(columns) }
    var head = prefix(columns - ellipsis.width)
    while head.clusters.last?.scalars == [" "] { head = CellText(head.clusters.dropLast()) }
    return CellText(head.clusters + ellipsis.clusters)
  }

  /// Returns text that is at most `columns` wide, with an ellipsis in place of its middle. The names of files often differ at
  /// their ends.
  public func truncatedInMiddle(to columns: Int, charset: Charset = .current) -> CellText {
    guard width > columns else { return self }
    let ellipsis = CellText(charset.ellipsis, charset: charset)
    let room = columns - ellipsis.width
    guard room > 1 else { return truncated(to: columns, charset: charset) }
    var left = room * 2 / 3
    let tail = clusters.reversed().prefix { cluster in
      left -= cluster.width
      return left >= 0
    }
    let head = prefix(room - tail.reduce(0) { $0 + $1.width })
    return CellText(head.clusters + ellipsis.clusters + tail.reversed())
  }

  /// Returns parts of the text with the columns in which they start: those that `find` returns of the visible text.
  public func parts(_ find: (String) -> [Range<String.Index>]) -> [(column: Int, text: CellText)] {
    var shown = String.UnicodeScalarView()
    for cluster in clusters { shown.append(contentsOf: cluster.scalars) }
    let text = String(shown)
    return find(text).map { range in
      let scalars = text.unicodeScalars
      let start = scalars.distance(from: scalars.startIndex, to: range.lowerBound)
      let end = start + scalars.distance(from: range.lowerBound, to: range.upperBound)
      var column = 0
      var passed = 0
      var part = CellText([])
      for cluster in clusters {
        if passed >= end { break }
        if passed >= start { part.append(cluster) } else { column += cluster.width }
        passed += cluster.scalars.count
      }
      return (column, part)
    }
  }

  /// Returns the clusters from the start that fit in `columns`.
  public func prefix(_ columns: Int) -> CellText {
    var left = columns
    return CellText(
      clusters.prefix { cluster in
        left -= cluster.width
        return left >= 0
      })
  }

  /// Returns lines of at most `columns`, broken at spaces. A word that is too long is broken at the end of the line.
  public func wrapped(to columns: Int) -> [CellText] {
    guard columns > 0 else { return [] }
    var lines: [CellText] = []
    var line = CellText([])
    for word in clusters.split(separator: Self.space) {
      if !line.clusters.isEmpty {
        if line.width + 1 + word.reduce(0, { $0 + $1.width }) <= columns {
          line.append(Self.space)
        } else {
          lines.append(line)
          line = CellText([])
        }
      }
      // A wide character does not fit in a column of one cell.
      for cluster in word where cluster.width <= columns {
        if line.width + cluster.width > columns {
          lines.append(line)
          line = CellText([])
        }
        line.append(cluster)
      }
    }
    return lines + (line.clusters.isEmpty && !lines.isEmpty ? [] : [line])
  }

  /// Returns at most `lines` lines of at most `columns`, broken at spaces. If there are more, the last one ends with an
  /// ellipsis in place of the rest.
  public func wrapped(to columns: Int, lines: Int, charset: Charset = .current) -> [CellText] {
    let all = wrapped(to: columns)
    guard lines > 0, all.count > lines else { return Array(all.prefix(lines)) }
    let last = CellText(all[lines - 1].clusters + [Self.space] + all[lines].clusters)
    return all.prefix(lines - 1) + [last.truncated(to: columns, charset: charset)]
  }

  /// The clusters of which most text consists, made once.
  private static let asciiClusters = (UInt8(0x20)..<0x7F).map { Cluster(scalars: [Unicode.Scalar($0)], width: 1) }
  private static let space = Cluster(scalars: [" "], width: 1)

  private mutating func append(_ cluster: Cluster) {
    clusters.append(cluster)
    width += cluster.width
  }

  private mutating func append(_ character: Character, charset: Charset) {
    if let spelling = charset.spelling(of: character) {
      for scalar in spelling.unicodeScalars { append(Cluster(scalars: [scalar], width: 1)) }
      return
    }
    let scalars = Array(character.unicodeScalars)
    if scalars.count == 2, scalars.allSatisfy(\.isRegionalIndicator) {
      // A flag is shown as its country's two letters, on whose width all terminals agree.
      for scalar in scalars { append(Cluster(scalars: [scalar.regionalLetter], width: 1)) }
      return
    }
    var base: [Unicode.Scalar] = []
    var baseWidth = 0
    // Other scripts join letters with the same marks. Their marks stay.
    let isEmojiSequence = scalars.count > 1 && scalars[0].properties.isEmoji
    for scalar in scalars where !scalar.isEmojiSequenceMark {
      switch Int(cncurses_width(scalar.value)) {
      case 0 where base.isEmpty:
        // A mark without a base character gets a dotted circle.
        base = ["\u{25CC}", scalar]
        baseWidth = 1
      case 0:
        if base.count < Self.mostScalars { base.append(scalar) }
      case _ where isEmojiSequence && !base.isEmpty:
        break
      case let width:
        if !base.isEmpty { append(Cluster(scalars: base, width: baseWidth)) }
        base = width > 0 ? [scalar] : ["\u{FFFD}"]
        baseWidth = max(1, width)
      }
    }
    append(base.isEmpty ? Cluster(scalars: ["\u{FFFD}"], width: 1) : Cluster(scalars: base, width: baseWidth))
  }

  /// The number of scalars that ncurses keeps in a cell (CCHARW_MAX).
  private static let mostScalars = 5
}

extension Unicode.Scalar {
  fileprivate var isRegionalIndicator: Bool { (0x1F1E6...0x1F1FF).contains(value) }

  fileprivate var regionalLetter: Unicode.Scalar {
    Unicode.Scalar(UInt8(ascii: "A") + UInt8(value - 0x1F1E6))
  }

  /// Whether this is a joiner, a variation selector, the enclosing keycap or a tag.
  fileprivate var isEmojiSequenceMark: Bool {
    switch value {
    case 0x200C, 0x200D, 0x20E3, 0xE0000...0xE007F: true
    default: properties.isVariationSelector
    }
  }
}
