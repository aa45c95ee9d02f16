/// What an alert popup says.
public struct Alert: Hashable, Sendable {
  public let title: String
  public let message: String
  public let button: String
  /// Whether loading again may help. The view names the key for it.
  public let offersReload: Bool

  public init(title: String = "Alert", message: String, button: String = "Ok", offersReload: Bool = false) {
    self.title = title
    self.message = message
    self.button = button
    self.offersReload = offersReload
  }

  /// What is said where something could not be loaded.
  public init(title: String, _ error: APIError) {
    self.init(title: title, message: error.message, offersReload: true)
  }
}
