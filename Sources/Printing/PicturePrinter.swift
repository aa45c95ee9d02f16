import PictureWire
import Terminal

/// Renditions as text for wherever the cursor is, or for a pipe: each takes so many lines and ends at the start of the
/// next.
public struct PicturePrinter {
  private let form: PictureForm

  public init(form: PictureForm) { self.form = form }

  /// - Parameter id: Of the request that was answered.
  public func bytes(for content: PictureAnswer.Content, id: UInt32) -> [UInt8] {
    switch content {
    case .cells(let picture): text(picture)
    case .graphic(let picture): graphic(picture, id: id)
    case .failure, .noPreview: []
    }
  }

  private func text(_ picture: CellPicture) -> [UInt8] {
    guard case .symbols(let colors, _) = form else { return [] }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(picture.cells.count * 16)
    for row in 0..<picture.rows {
      var (foreground, background): (UInt32?, UInt32?) = (nil, nil)
      for cell in picture.cells[row * picture.columns..<(row + 1) * picture.columns] {
        if colors != .monochrome, cell.foreground != foreground, cell.scalar != 0x20 {
          bytes.appendColor(cell.foreground, colors, isBackground: false)
          foreground = cell.foreground
        }
        if colors != .monochrome, cell.background != background {
          bytes.appendColor(cell.background, colors, isBackground: true)
          background = cell.background
        }
        bytes += (Unicode.Scalar(cell.scalar) ?? " ").utf8
      }
      bytes += colors == .monochrome ? "\n".utf8 : "\u{1B}[0m\n".utf8
    }
    return bytes
  }

  private func graphic(_ picture: GraphicPicture, id: UInt32) -> [UInt8] {
    if case .kitty(let transfer) = form, transfer.hasPlaceholders {
      return picture.bytes + PlaceholderText.bytes(id: id, columns: picture.columns, rows: picture.rows)
    }
    // Room first, so that the terminal does not scroll under the picture.
    let room = String(repeating: "\n", count: picture.rows) + "\u{1B}[\(picture.rows)A\u{1B}7"
    let place = form.isKitty ? "\u{1B}_Gq=2,a=p,i=\(id),C=1\u{1B}\\" : ""
    return Array(room.utf8) + picture.bytes + Array("\(place)\u{1B}8\u{1B}[\(picture.rows)B".utf8)
  }
}

extension PictureForm {
  fileprivate var isKitty: Bool {
    if case .kitty = self { true } else { false }
  }
}

extension [UInt8] {
  /// Selects a colour (ECMA-48 SGR; ISO 8613-6 for more than 16 colours).
  fileprivate mutating func appendColor(_ color: UInt32, _ colors: PictureColors, isBackground: Bool) {
    let base = isBackground ? 40 : 30
    let none = CellPicture.Cell.none
    self += "\u{1B}[".utf8
    switch colors {
    case _ where color == none: appendNumber(base + 9)
    case .truecolor:
      appendNumber(base + 8)
      self += ";2".utf8
      for shift in [16, 8, 0] {
        append(UInt8(ascii: ";"))
        appendNumber(Int(color >> shift & 0xFF))
      }
    case .palette256:
      appendNumber(base + 8)
      self += ";5;".utf8
      appendNumber(Int(color))
    case .palette16, .palette8, .monochrome: appendNumber(color < 8 ? base + Int(color) : base + 60 + Int(color) - 8)
    }
    append(UInt8(ascii: "m"))
  }

  /// In decimal; at most three digits, as colours have.
  private mutating func appendNumber(_ number: Int) {
    if number >= 100 { append(UInt8(ascii: "0") + UInt8(number / 100 % 10)) }
    if number >= 10 { append(UInt8(ascii: "0") + UInt8(number / 10 % 10)) }
    append(UInt8(ascii: "0") + UInt8(number % 10))
  }
}
