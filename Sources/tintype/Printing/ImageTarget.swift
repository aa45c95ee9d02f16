import Foundation
import ImageWire
import Terminal

/// The way in which `show` gets images to the terminal.
enum ImageTarget {
  /// They are printed where the cursor is, or into a pipe.
  case output
  /// They are text with kitty's placeholders, which another program may move.
  case placeholders
  /// They are drawn in these cells, beside the text of another program.
  case place(Rect, hasPlaceholders: Bool)

  private var hasPlaceholders: Bool {
    switch self {
    case .output: false
    case .placeholders: true
    case .place(_, let hasPlaceholders): hasPlaceholders
    }
  }

  /// Whether the images are shown in another program.
  var isForPreviews: Bool { if case .output = self { false } else { true } }

  /// Returns what is asked about the terminal.
  func question(isTerminal: Bool, asks: Bool?, choice: OutputChoice) -> TerminalProbe.Question {
    if choice == .none { return .nothing }
    switch self {
    case .output: return (asks ?? isTerminal) ? .terminal : isTerminal ? .environment : .nothing
    case .placeholders, .place:
      // Another program reads the terminal. A choice of the user's needs no answer.
      return asks == true ? .terminal : choice == .auto ? .environment : .nothing
    }
  }

  /// Returns the output format, or nil if no images are wanted.
  /// - Parameters:
  ///   - isTerminal: Whether the output is the terminal itself.
  ///   - wasAsked: Whether the terminal was asked what it can show.
  func format(
    _ choice: OutputChoice, on capabilities: Capabilities, isTerminal: Bool, wasAsked: Bool, depth: ColorDepth
  ) -> OutputFormat? {
    let format = choice.format(on: capabilities, depth: hasPlaceholders ? .truecolor : depth, charset: .current)
    guard case .kitty(var transfer) = format else {
      return hasPlaceholders ? OutputChoice.symbols.format(on: capabilities, depth: depth, charset: .current) : format
    }
    // The terminal deletes a file once it has read it, but the program behind a pipe may send the image again.
    if !isTerminal { transfer.isLocal = false }
    if hasPlaceholders {
      // A terminal that was asked is known not to have them.
      if choice == .auto, wasAsked, !transfer.hasPlaceholders {
        return OutputChoice.symbols.format(on: capabilities, depth: depth, charset: .current)
      }
      transfer.hasPlaceholders = true
    } else if case .place = self, !transfer.isPassedThrough {
      // Every kitty places images, and they take no color of a cell.
      transfer.hasPlaceholders = false
    }
    return .kitty(transfer)
  }

  /// Returns the largest size of an image.
  /// - Parameters:
  ///   - output: The size of the terminal that is the output; nil if that is a pipe.
  ///   - screen: The size of the process's terminal; nil if there is none.
  func box(in output: Size?, screen: Size?, _ format: OutputFormat?, _ environment: [String: String]) -> CellBox {
    if let place = place(on: screen) {
      // Terminals scroll when such an image reaches the last line.
      let isAtBottom = format?.delivery == .drawn && place.endRow == screen?.rows
      return CellBox(columns: place.columns, rows: isAtBottom ? max(1, place.rows - 1) : place.rows)
    }
    // The prompt needs a line, too.
    if let output { return CellBox(columns: output.columns, rows: max(1, output.rows - 1)) }
    return FzfWindow(environment: environment)?.box(on: screen, format) ?? CellBox(columns: 80, rows: 24)
  }

  /// Returns the cells in which an image is drawn, as far as they are on the screen; nil if it is printed.
  func place(on screen: Size?) -> Rect? {
    guard case .place(let rect, _) = self else { return nil }
    return screen.map { rect.intersection(Rect($0)) } ?? rect
  }
}
