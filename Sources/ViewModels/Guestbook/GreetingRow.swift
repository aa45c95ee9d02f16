/// The greeting of the guestbook's form.
public final class GreetingRow: RowViewModel {
  /// The content of the row.
  @MainActor
  public struct Output {
    /// The greeting of the name that was signed last, or an empty string if there is none.
    public let greeting: Observable<String>
  }

  public let id: AnyHashable = "greeting"
  /// The output of the row.
  public var output: Output { Output(greeting: form.$greeting) }
  public var words: [String] { [form.greeting] }

  private let form: GuestbookForm

  init(form: GuestbookForm) {
    self.form = form
  }
}
