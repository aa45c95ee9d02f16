import Finding
import Gallery
import Services
import WorkerPool

/// The guestbook: a form of three rows, and who signed.
///
/// The form is bound in two places to the same logic: the room binds ``rows`` as they come on screen, by their inputs
/// and outputs; the sign-in popup binds all of it at once, by ``transform(_:)``.
@MainActor
public final class GuestbookViewModel {
  @MainActor
  public struct Input {
    /// The name as it is typed.
    public let name: Observable<String>
    public let validate: Subject<Void>

    public init(name: Observable<String>, validate: Subject<Void>) {
      self.name = name
      self.validate = validate
    }
  }

  @MainActor
  public struct Output {
    /// `Hello NAME!`, for the name as it stood at the press; empty before.
    public let greeting: Observable<String>
    /// What is wrong with the name; nil if nothing is.
    public let fault: Observable<String?>
    /// What holds the form bound to its input, for as long as the form is shown.
    let bindings: [Subscription]
  }

  /// Called when ``rows`` have changed.
  public var onReload: () -> Void = {}
  /// Called with what the person must be told.
  public var onAlert: (Alert) -> Void = { _ in }
  /// Called with each name that was written into the book.
  public var onSigned: (GuestbookEntry) -> Void = { _ in }

  /// The name field, the button, the greeting, then who signed, newest first.
  public private(set) var rows: [any RowViewModel] {
    didSet { onReload() }
  }
  /// Whether the book has been read.
  public private(set) var isLoaded = false
  /// Who signed last, for the header to greet; nil before anybody did.
  public let visitor = Observable<String?>(nil)

  private let service: any GuestbookServiceProtocol
  private let calendar: LocalClock
  private var formRows: [any RowViewModel] = []
  private var entries: [GuestbookEntry] = []
  /// The last thing asked for: each waits for the one before, so that answers come in order.
  private(set) var work: Task<Void, Never>?

  public init(service: any GuestbookServiceProtocol, calendar: LocalClock = .system) {
    self.service = service
    self.calendar = calendar
    rows = []
    let form = makeForm()
    formRows = [NameFieldRow(form: form), ValidateRow(form: form), GreetingRow(form: form)]
    rows = formRows
  }

  /// Reads who signed, and the visitor's name.
  public func load() {
    enqueue { [service] () throws(APIError) in
      (entries: try await service.entries(), visitor: try await service.visitor())
    } receive: { viewModel, book in
      viewModel.isLoaded = true
      viewModel.visitor.value = book.visitor
      viewModel.show(book.entries)
    }
  }

  /// Binds the form as one screen, with a form of its own.
  public func transform(_ input: Input) -> Output {
    let form = makeForm()
    return Output(
      greeting: form.greeting, fault: form.fault,
      bindings: [input.name.bind(form.type), input.validate.bind { form.validate() }])
  }

  /// Waits until all that was signed is kept, or could not be.
  public func settle() async { await work?.value }

  private func makeForm() -> GuestbookForm {
    GuestbookForm { [weak self] form, name in self?.sign(name, form) }
  }

  private func sign(_ name: String, _ form: GuestbookForm) {
    enqueue { [service] () throws(APIError) in
      try await service.sign(name)
    } receive: { viewModel, entry in
      viewModel.visitor.value = entry.name
      viewModel.show([entry] + viewModel.entries)
      viewModel.onSigned(entry)
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
        onAlert(Alert(message: error.message))
      }
    }
  }
}
