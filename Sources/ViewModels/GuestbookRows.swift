import Finding
import Gallery

/// The form's name field.
public final class NameFieldRow: RowViewModel {
  @MainActor
  public struct Input {
    /// The name as it is typed.
    public let name: Observable<String>

    public init(name: Observable<String>) {
      self.name = name
    }
  }

  @MainActor
  public struct Output {
    /// What is wrong with the name, to stand under the field.
    public let fault: Observable<String?>
  }

  public let id: AnyHashable = "name"
  /// Given when the row comes on screen.
  public var input: Input? {
    didSet { binding = input?.name.bind { [form] in form.type($0) } }
  }
  public var output: Output { Output(fault: form.fault) }

  private let form: GuestbookForm
  private var binding: Subscription?

  init(form: GuestbookForm) {
    self.form = form
  }
}

/// The form's Validate button.
public final class ValidateRow: RowViewModel, Pressable {
  @MainActor
  public struct Input {
    public let press: Subject<Void>

    public init(press: Subject<Void>) {
      self.press = press
    }
  }

  public let id: AnyHashable = "validate"
  public let title = "Validate"
  /// Given when the row comes on screen.
  public var input: Input? {
    didSet { binding = input?.press.bind { [form] in form.validate() } }
  }

  private let form: GuestbookForm
  private var binding: Subscription?

  init(form: GuestbookForm) {
    self.form = form
  }

  /// As a press of its input.
  public func press() { input?.press.send() }
}

/// The form's greeting.
public final class GreetingRow: RowViewModel {
  @MainActor
  public struct Output {
    /// Empty before the first valid press.
    public let greeting: Observable<String>
  }

  public let id: AnyHashable = "greeting"
  public var output: Output { Output(greeting: form.greeting) }

  private let form: GuestbookForm

  init(form: GuestbookForm) {
    self.form = form
  }
}

/// Somebody who signed.
public final class GuestbookEntryRow: RowViewModel {
  public let id: AnyHashable
  public let section: String?
  public let name: String
  /// yyyy-MM-dd HH:mm on the person's clock.
  public let date: String

  init(_ entry: GuestbookEntry, calendar: LocalClock) {
    id = entry.id
    section = "Signed by"
    name = entry.name
    date = calendar.minute(of: entry.date)
  }
}
