import Gallery
import Services
import WorkerPool

/// The view model of the guestbook: a form of three rows, followed by the entries.
///
/// The form can be bound in two ways. The guestbook's room binds the form's ``rows`` one by one while they are on the
/// screen, each by its own input and output. The sign-in popup binds another form as a whole by ``transform(_:)``.
@MainActor
public final class GuestbookViewModel: ViewModelType {
  /// The user's actions in a form.
  @MainActor
  public struct Input {
    /// The name while it is typed.
    public let name: Observable<String>
    /// Signs the name if it is valid.
    public let validate: Subject<Void>

    /// Creates an input from the text of a field and the presses of a button.
    public init(name: Observable<String>, validate: Subject<Void>) {
      self.name = name
      self.validate = validate
    }
  }

  /// The content of a form. The form is bound for as long as its output exists.
  @MainActor
  public struct Output {
    /// The greeting `Hello NAME!` with the name as it was signed, or an empty string if there is none.
    public let greeting: Observable<String>
    /// The reason why the name is invalid, or nil if there is none.
    public let fault: Observable<String?>
    /// The subscriptions that bind the form to its input.
    let bindings: [Subscription]
  }

  /// The name field, the button and the greeting of the form, then the entries, newest first.
  @Published public private(set) var rows: [any RowViewModel]
  /// The name that was signed last, for the header to greet, or nil if there are no entries.
  @Published public private(set) var visitor: String?
  /// Whether the entries have been loaded.
  public private(set) var isLoaded = false
  /// The errors of failed requests, such as a name that could not be stored.
  public var alerts: Signal<Alert> { alertSubject }

  private let service: any GuestbookServiceProtocol
  private let calendar: LocalClock
  private let alertSubject = Subject<Alert>()
  private var formRows: [any RowViewModel] = []
  private var entries: [GuestbookEntry] = []
  /// The last request. Each request waits for the one before, so that the answers come in order.
  private(set) var work: Task<Void, Never>?

  /// Creates a guestbook without entries. Call ``load()`` to read them.
  public init(service: any GuestbookServiceProtocol, calendar: LocalClock = .system) {
    self.service = service
    self.calendar = calendar
    rows = []
    let form = makeForm()
    formRows = [NameFieldRow(form: form), ValidateRow(form: form), GreetingRow(form: form)]
    rows = formRows
  }

  /// Reads the entries and the visitor's name.
  public func load() {
    enqueue { [service] () throws(APIError) in
      (entries: try await service.entries(), visitor: try await service.visitor())
    } receive: { viewModel, book in
      viewModel.isLoaded = true
      viewModel.visitor = book.visitor
      viewModel.show(book.entries)
    }
  }

  /// Binds a new form to an input. Each call adds a form and leaves the earlier ones bound.
  public func transform(_ input: Input) -> Output {
    let form = makeForm()
    return Output(
      greeting: form.$greeting, fault: form.$fault,
      bindings: [input.name.bind(form.type), input.validate.bind { form.validate() }])
  }

  /// Waits until all signed names are stored or have failed.
  public func settle() async { await work?.value }

  private func makeForm() -> GuestbookForm {
    GuestbookForm { [weak self] form, name in self?.sign(name, form) }
  }

  private func sign(_ name: String, _ form: GuestbookForm) {
    enqueue { [service] () throws(APIError) in
      try await service.sign(name)
    } receive: { viewModel, entry in
      viewModel.visitor = entry.name
      viewModel.show([entry] + viewModel.entries)
    } fail: {
      form.takeBack()
    }
  }

  private func show(_ entries: [GuestbookEntry]) {
    self.entries = entries
    rows = formRows + entries.map { GuestbookEntryRow($0, calendar: calendar) }
  }

  private func enqueue<Value: Sendable>(
    _ body: @escaping @Sendable () async throws(APIError) -> Value,
    receive: @escaping (GuestbookViewModel, Value) -> Void, fail: @escaping () -> Void = {}
  ) {
    work = Task.onMainActor { [self, before = work] in
      await before?.value
      switch await result(body) {
      case .success(let value): receive(self, value)
      case .failure(let error):
        fail()
        alertSubject.send(Alert(title: localized("Guestbook error"), message: error.message))
      }
    }
  }
}
