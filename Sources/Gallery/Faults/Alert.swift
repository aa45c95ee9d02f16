/// The texts of an alert popup.
public struct Alert: Hashable, Sendable {
  /// The heading, such as "Can't load prints".
  public let title: String
  /// Printable sentences that say what happened and what the user can do.
  public let message: String
  /// The label of the only button.
  public let button: String
  /// Whether loading again may help. The view names the key for it.
  public let offersReload: Bool

  /// Creates an alert.
  public init(
    title: String = localized("Alert"), message: String, button: String = localized("Ok"), offersReload: Bool = false
  ) {
    self.title = title
    self.message = message
    self.button = button
    self.offersReload = offersReload
  }

  /// Creates the alert for a failed load, which offers to load again.
  public init(title: String, _ error: APIError) {
    self.init(title: title, message: error.message, offersReload: true)
  }
}
