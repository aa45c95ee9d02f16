import Foundation
import Gallery
import Services
import TestLimit
import Testing

@testable import ViewModels

@MainActor
@Suite(.limited) struct GuestbookViewModelTests {
  private let service = HeldGuestbookService()
  private let history = History()
  private let viewModel: GuestbookViewModel
  @Published private var name = ""
  private let press = Subject<Void>()
  private let subscriptions: [Subscription]

  init() {
    let viewModel = GuestbookViewModel(service: service, calendar: LocalClock { _ in 0 })
    self.viewModel = viewModel
    subscriptions = [
      viewModel.$rows.bind { [history] rows in
        history.add("entries \(rows.compactMap { ($0 as? GuestbookEntryRow)?.name })")
      },
      viewModel.alerts.bind { [history] in history.add("alert \($0.message)") },
    ]
  }

  /// The two ways to bind the form: row by row, or as a whole.
  enum Way: CaseIterable { case rows, whole }

  /// Binds the form, and returns its outputs and what keeps it bound.
  private func bind(_ way: Way) throws -> (greeting: Observable<String>, fault: Observable<String?>, kept: Any) {
    switch way {
    case .rows:
      let field = try #require(viewModel.rows[0] as? NameFieldRow)
      let button = try #require(viewModel.rows[1] as? ValidateRow)
      let greeting = try #require(viewModel.rows[2] as? GreetingRow)
      field.input = NameFieldRow.Input(name: $name)
      button.input = ValidateRow.Input(press: press)
      return (greeting.output.greeting, field.output.fault, ())
    case .whole:
      let output = viewModel.transform(GuestbookViewModel.Input(name: $name, validate: press))
      return (output.greeting, output.fault, output)
    }
  }

  @Test(arguments: Way.allCases)
  func theGreetingShowsTheNameAtTheTimeOfThePress(way: Way) async throws {
    let form = try bind(way)
    let greeting = form.greeting.bind { [history] in history.add("greeting \($0)") }
    name = "A"
    name = "  Ada 日本 "
    press.send()
    name = "Bea"
    #expect(history.entries[1...] == ["greeting ", "greeting Hello Ada 日本!"])
    try await service.signs.answer(0, .success(entry(1, "Ada 日本")))
    try await history.wait(for: 4)
    #expect(history.entries[3...] == [#"entries ["Ada 日本"]"#])
    #expect(await service.signs.requests == ["Ada 日本"])
    #expect(viewModel.visitor == "Ada 日本")
    withExtendedLifetime((greeting, form.kept)) {}
  }

  @Test(arguments: Way.allCases)
  func aNameIsSignedOnceHoweverOftenTheButtonIsPressed(way: Way) async throws {
    let form = try bind(way)
    name = "Ada"
    press.send()
    press.send()
    name = "Ada "
    press.send()
    try await service.signs.answer(0, .success(entry(1, "Ada")))
    try await history.wait(for: 2)
    press.send()
    name = "Bea"
    press.send()
    press.send()
    try await service.signs.answer(1, .failure(.cancelled))
    try await history.wait(for: 3)
    // A name that could not be stored can be signed again.
    press.send()
    try await service.signs.answer(2, .success(entry(2, "Bea")))
    try await history.wait(for: 4)
    #expect(await service.signs.requests == ["Ada", "Bea", "Bea"])
    withExtendedLifetime(form.kept) {}
  }

  @Test(arguments: Way.allCases)
  func aNameIsSignedAgainAfterAnInvalidOne(way: Way) async throws {
    let form = try bind(way)
    for text in ["Ada", "", "Ada"] {
      name = text
      press.send()
    }
    try #require(form.greeting.value == "Hello Ada!")
    try await service.signs.answer(0, .success(entry(1, "Ada")))
    try await service.signs.waitUntilAsked(2)
    #expect(await service.signs.requests == ["Ada", "Ada"])
    withExtendedLifetime(form.kept) {}
  }

  @Test(arguments: Way.allCases)
  func aFaultIsShownUntilTheNameChanges(way: Way) throws {
    let form = try bind(way)
    let subscriptions = [
      form.greeting.bind { [history] in history.add("greeting \($0)") },
      form.fault.bind { [history] in history.add("fault \($0 ?? "-")") },
    ]
    press.send()
    name = "   "
    press.send()
    name = String(repeating: "é", count: 65)
    press.send()
    name = String(repeating: "é", count: 64) + " "
    press.send()
    name = ""
    press.send()
    let longest = String(repeating: "é", count: 64)
    #expect(
      history.entries[1...] == [
        "greeting ", "fault -", "fault Type your name first.", "fault -", "fault Enter a name.",
        "fault -", "fault Names can be up to 64 characters long (yours has 65).", "fault -",
        "greeting Hello \(longest)!",
        "greeting ", "fault Type your name first.",
      ])
    withExtendedLifetime((subscriptions, form.kept)) {}
  }

  @Test func aRowThatIsNotOnTheScreenIsNotBound() throws {
    let form = try bind(.rows)
    name = "Ada"
    let field = try #require(viewModel.rows[0] as? NameFieldRow)
    let button = try #require(viewModel.rows[1] as? ValidateRow)
    field.input = nil
    button.input = nil
    #expect($name.subscriptionCount == 0)
    press.send()
    button.press()
    #expect(form.greeting.value == "")
    // The row returns to the screen with the current name, and is pressed as a row.
    name = "Bea"
    field.input = NameFieldRow.Input(name: $name)
    button.input = ValidateRow.Input(press: press)
    button.press()
    #expect(form.greeting.value == "Hello Bea!")
  }

  @Test func thePopupHasItsOwnForm() throws {
    let room = try bind(.rows)
    let popup = viewModel.transform(
      GuestbookViewModel.Input(name: Published(wrappedValue: "Bea").projectedValue, validate: press))
    name = "Ada"
    press.send()
    #expect([room.greeting.value, popup.greeting.value] == ["Hello Ada!", "Hello Bea!"])
  }

  @Test func loadingShowsTheEntriesWithTheirDates() async throws {
    viewModel.load()
    try await service.books.answer(0, .success([entry(2, "Bea"), entry(1, "Ada")]))
    try await service.visitors.answer(0, .success("Bea"))
    try await history.wait(for: 2)
    #expect(history.entries == ["entries []", #"entries ["Bea", "Ada"]"#])
    #expect(viewModel.visitor == "Bea")
    let row = try #require(viewModel.rows[3] as? GuestbookEntryRow)
    #expect(row.date == "Thursday, 1970-01-01 at 00:02" && row.shortDate == "1970-01-01 00:02")
    #expect(row.section == "Signed by")
  }

  @Test func aNameThatIsNotStoredAlerts() async throws {
    let error = APIError.notKept(path: "/g", .full)
    let form = try bind(.whole)
    name = "Ada"
    press.send()
    try await service.signs.answer(0, .failure(error))
    try await history.wait(for: 2)
    #expect(history.entries[1...] == ["alert \(error.message)"])
    #expect(viewModel.visitor == nil)
    withExtendedLifetime(form.kept) {}
  }

  private func entry(_ minutes: Int64, _ name: String) -> GuestbookEntry {
    GuestbookEntry(id: minutes, name: name, date: Date(timeIntervalSince1970: Double(minutes) * 60))
  }
}

private final class HeldGuestbookService: GuestbookServiceProtocol {
  let books = Held<Void, [GuestbookEntry]>()
  let visitors = Held<Void, String?>()
  let signs = Held<String, GuestbookEntry>()

  func entries() async throws(APIError) -> [GuestbookEntry] { try await books.ask(()) }
  func visitor() async throws(APIError) -> String? { try await visitors.ask(()) }
  func sign(_ name: String) async throws(APIError) -> GuestbookEntry { try await signs.ask(name) }
}
