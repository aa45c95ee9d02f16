/// The texts of an alert popup.
public struct Alert: Hashable, Sendable {
  /// The heading, such as "Can't load prints".
  public let title: String
  /// Printable sentences that say what happened and what the user can do.
  public let message: String
  /// The label of the only button.
  public let button: String
  /// The alternative to the button; nil for none.
  public let offer: Offer?

  /// The alternatives to the button. The view names the key for one.
  public enum Offer: Sendable {
    /// Loading again, which may help.
    case reload
    /// Looking at the photo, though it can't be opened.
    case view
  }

  /// Creates an alert.
  public init(
    title: String = localized("Alert"), message: String, button: String = localized("Ok"), offer: Offer? = nil
  ) {
    self.title = title
    self.message = message
    self.button = button
    self.offer = offer
  }

  /// Creates the alert for a failed load, which offers to load again.
  public init(title: String, _ error: APIError) {
    self.init(title: title, message: error.message, offer: .reload)
  }
}
