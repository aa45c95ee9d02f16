import Terminal

/// What lies on the screen, the topmost getting the keys: a room, the viewer, a popup.
@MainActor
protocol Layer: AnyObject {
  /// Which part of the screen it draws in.
  var extent: Extent { get }
  /// The commands the footer offers, in this order, while they are available.
  var hints: [Command] { get }
  /// What the footer calls a command, where here it is another thing than elsewhere.
  func label(of command: Command) -> String?

  func draw(on surface: Surface)
  func availability(of command: Command) -> Availability
  /// Carries out a command that is available.
  func perform(_ command: Command)
  func handle(_ mouse: Mouse)
  /// Takes what is typed into a field, before it is looked at as a command.
  /// - Returns: Whether it was for a field.
  func type(_ event: InputEvent) -> Bool
}

/// A layer that is closed by itself.
@MainActor
protocol Popup: Layer {
  /// Takes it from the screen.
  var onClose: () -> Void { get set }
}

extension Surface {
  /// Draws a popup's empty box with its title in the border.
  func drawBox(_ box: Rect, title: String) {
    let popup = clipped(to: box)
    popup.clear()
    popup.border(.accent)
    popup.put(CellText(" \(title) ", truncatedTo: popup.bounds.columns - 4), column: 2, .heading)
  }
}

extension Layer {
  func label(of _: Command) -> String? { nil }
  func type(_: InputEvent) -> Bool { false }
}

enum Extent {
  /// Between the header and the footer.
  case room
  /// All above the footer, hiding what lies below.
  case window
  /// Anywhere above the footer, what lies below staying visible beside it.
  case popup
}
