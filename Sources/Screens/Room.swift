import Gallery
import Terminal
import ViewModels

/// The gallery's rooms, in their order.
public enum RoomName: String, CaseIterable, Sendable {
  case photos, wall, prints, covers, guestbook

  /// The command that leads there.
  var command: Command {
    switch self {
    case .photos: .photosRoom
    case .wall: .wallRoom
    case .prints: .printsRoom
    case .covers: .coversRoom
    case .guestbook: .guestbookRoom
    }
  }
}

/// One of the gallery's rooms: what lies below the header while no popup and no viewer does.
@MainActor
protocol Room: Layer {
  /// As the header names it.
  var name: String { get }
  /// What there is in it, at the right of the header: parts with ` · ` between them, of which the last ones are left out
  /// where there is no room.
  var status: String { get }
  var isLoading: Bool { get }

  /// The room comes on the screen: the first time it fetches what it shows.
  func enter()
  /// One is on the way through the rooms: nothing may hold up the keys that lead on.
  func passThrough()
  /// It leaves the screen: its rows let go of what they show live.
  func leave()
}

extension Room {
  func passThrough() {}

  var extent: Extent { .room }
}

/// What a room asks of the window that it is in.
@MainActor
protocol RoomHost: AnyObject {
  func setNeedsDisplay()
  /// - Parameter layer: The one to be reloaded where the alert offers that.
  func show(_ alert: Alert, from layer: any Layer)
  func open(_ popup: any Popup)
  /// Hands a text to the person's clipboard, as far as the terminal does that.
  /// - Returns: Whether it is not too long for that.
  func copy(_ text: String) -> Bool
  /// Says something in the footer until the next key.
  func note(_ text: String)
  /// Shows a row in the whole window, and from there the others.
  /// - Parameters:
  ///   - index: Into `rows`.
  ///   - rows: Those that can be looked at, as they are at the moment.
  ///   - slideshowSeconds: How long each is shown, where they are to follow by themselves.
  ///   - onTurn: Called with the one that is shown instead, as an index into `rows`.
  func view(
    _ index: Int, among rows: @escaping () -> any RowList, slideshowSeconds: Double?,
    onTurn: @escaping (Int) -> Void)
}
