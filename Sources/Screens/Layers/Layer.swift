import Gallery
import Terminal
import ViewModels

/// A layer of the screen: a room, the viewer or a popup. The topmost layer gets the keys.
@MainActor
protocol Layer: AnyObject {
  /// The layer's name: that of a place, such as a room, or the title of a popup.
  var name: String { get }
  /// The part of the screen that the layer covers.
  var extent: Extent { get }
  /// The actions of the layer at the moment. If two have the same command, the first counts.
  @ActionList var actions: [Action] { get }
  /// The entries that the layer adds to the list of commands.
  var shortcuts: [Shortcut] { get }
  /// The photos that the user's own commands work on; nil in a layer without photos.
  var commandTarget: CommandTarget? { get }
  /// The layer's message and its highlighted row, in one line for those who do not see it; nil for
  /// nothing.
  var announcement: String? { get }
  /// The commands that the footer offers while they are possible, in this order.
  var hints: [Command] { get }
  /// A sentence that the footer shows instead of the hints as long as it applies; nil for none.
  var warning: String? { get }
  /// Whether a text field of the layer takes the characters that are typed.
  var isTyping: Bool { get }

  /// Draws the layer from its state, without changing what it shows.
  func draw(on surface: Surface)
  /// Requests the images of what the user may open over all of the window.
  func prepareNext(for window: Surface)
  /// Carries out one of ``actions``. A layer implements this to do something before or after all of them.
  func perform(_ action: Action)
  /// Handles a click or a turn of the wheel.
  func handle(_ mouse: Mouse)
  /// Gives an event to the layer's text field, before it is looked up as a key of a command.
  /// - Returns: Whether the field took the event.
  func type(_ event: InputEvent) -> Bool
}

extension Layer {
  var warning: String? { nil }
  var shortcuts: [Shortcut] { [] }
  var commandTarget: CommandTarget? { nil }
  var isTyping: Bool { false }
  func prepareNext(for _: Surface) {}
  func perform(_ action: Action) { action.perform() }
  func type(_: InputEvent) -> Bool { false }

  /// Returns the number of a row, for an announcement.
  func numberText(ofRow row: Int, of count: Int) -> String { localized("\((row + 1).grouped) of \(count.grouped)") }

  /// Carries out a command if the layer has a possible action for it.
  func perform(_ command: Command) {
    guard let action = actions.first(where: { $0.command == command }), action.isPossible else { return }
    perform(action)
  }
}

/// The photos that a command of the user's own works on.
struct CommandTarget {
  /// The highlighted photo.
  let file: ImageLocation
  /// Returns all marked photos, or the highlighted one if none is marked.
  let files: @MainActor () -> [ImageLocation]
}

/// The part of the screen that a layer covers.
enum Extent {
  /// The part between the header and the footer.
  case room
  /// Everything above the footer. What lies below is hidden.
  case window
  /// The whole screen. The footer appears over it if there is something to say.
  case screen
  /// A box above the footer. What lies below stays visible around it.
  case popup

  /// Whether what lies below is hidden.
  var isCovering: Bool { self == .window || self == .screen }
}

/// A layer that the user closes.
@MainActor
protocol Popup: Layer {
  /// Called when the popup closes, to remove it from the screen.
  var onClose: () -> Void { get set }
}

extension Rect {
  /// Returns whether a button of the mouse was pressed outside of the rectangle, which closes a popup there.
  func isMissed(by mouse: Mouse) -> Bool {
    mouse.action == .press && !contains(column: mouse.column, row: mouse.row)
  }
}

extension Surface {
  /// Draws arrows at the right edge that point to lines out of view.
  func drawArrows(above: Bool, below: Bool) {
    if above { putRight("↑", row: 0, .accent) }
    if below { putRight("↓", row: bounds.rows - 1, .accent) }
  }

  /// Draws a popup's empty box with its title in the border.
  func drawBox(_ box: Rect, title: String) {
    let popup = clipped(to: box)
    popup.clear()
    popup.border(.accent)
    popup.put(CellText(" \(title) ", truncatedTo: popup.bounds.columns - 4), column: 2, .heading)
  }
}
