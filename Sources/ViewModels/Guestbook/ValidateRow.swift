import Gallery

/// The button of the guestbook's form.
public final class ValidateRow: RowViewModel, Pressable {
  /// The user's actions on the button.
  @MainActor
  public struct Input {
    /// Signs the name if it is valid.
    public let press: Subject<Void>

    /// Creates an input from the presses of a button.
    public init(press: Subject<Void>) {
      self.press = press
    }
  }

  public let id: AnyHashable = "validate"
  /// The title of the button.
  public var title: String { localized("Validate") }
  /// The input of the button, or nil while the row is not on the screen.
  public var input: Input? {
    didSet { binding = input?.press.bind { [form] in form.validate() } }
  }
  public var words: [String] { [title] }

  private let form: GuestbookForm
  private var binding: Subscription?

  init(form: GuestbookForm) {
    self.form = form
  }

  /// Sends a press to the input.
  public func press() { input?.press.send() }
}
