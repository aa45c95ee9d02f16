/// What an alert popup says.
public struct Alert: Hashable, Sendable {
  public let title: String
  public let message: String
  public let button: String

  public init(title: String = "Alert", message: String, button: String = "Ok") {
    self.title = title
    self.message = message
    self.button = button
  }
}
