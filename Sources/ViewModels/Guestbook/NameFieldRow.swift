import Gallery

/// The name field of the guestbook's form.
public final class NameFieldRow: RowViewModel {
  /// The user's actions in the field.
  @MainActor
  public struct Input {
    /// The name while it is typed.
    public let name: Observable<String>

    /// Creates an input from the text of a field.
    public init(name: Observable<String>) {
      self.name = name
    }
  }

  /// The content of the line below the field.
  @MainActor
  public struct Output {
    /// The reason why the name is invalid, to show below the field, or nil if there is none.
    public let fault: Observable<String?>
  }

  public let id: AnyHashable = "name"
  /// The input of the field, or nil while the row is not on the screen.
  public var input: Input? {
    didSet { binding = input?.name.bind { [form] in form.type($0) } }
  }
  /// The output of the field.
  public var output: Output { Output(fault: form.$fault) }
  public var words: [String] {
    [localized("Name"), input?.name.value, form.fault].compactMap(\.self).filter { !$0.isEmpty }
  }

  private let form: GuestbookForm
  private var binding: Subscription?

  init(form: GuestbookForm) {
    self.form = form
  }
}
