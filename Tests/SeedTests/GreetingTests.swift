import Foundation
import Gallery
import Services
import TestLimit
import Testing
import ViewModels

/// The cases of the articles that say hello: a name is typed, a button is pressed, and a greeting appears. Each case runs with both
/// designs of the view model.
@MainActor
@Suite(.limited) struct GreetingTests {
  private let mockGuestbookService = MockGuestbookService()
  private let viewModel: GuestbookViewModel
  private let name = Published(wrappedValue: "")
  private let validate = Subject<Void>()

  init() {
    viewModel = GuestbookViewModel(service: mockGuestbookService)
  }

  /// The designs of the articles: `transform(input:)`, or an input and an output as properties of each row.
  enum Design: CaseIterable { case transform, properties }

  @Test func theButtonSaysValidate() throws {
    let button = try #require(viewModel.rows[1] as? ValidateRow)
    #expect(button.title == "Validate")
  }

  @Test(arguments: Design.allCases)
  func validatingSaysHello(design: Design) throws {
    let form = try bind(design)
    name.wrappedValue = "Ada"
    #expect(form.greeting.value == "")
    validate.send()
    #expect(form.greeting.value == "Hello Ada!")
  }

  @Test(arguments: Design.allCases)
  func theGreetingKeepsTheNameThatWasValidated(design: Design) throws {
    let form = try bind(design)
    name.wrappedValue = "Ada"
    validate.send()
    name.wrappedValue = "Bea"
    #expect(form.greeting.value == "Hello Ada!")
    validate.send()
    #expect(form.greeting.value == "Hello Bea!")
  }

  @Test(arguments: Design.allCases)
  func anEmptyNameIsNotGreeted(design: Design) throws {
    let form = try bind(design)
    validate.send()
    #expect(form.greeting.value == "")
    #expect(form.fault.value == "Type your name first.")
    name.wrappedValue = "A"
    #expect(form.fault.value == nil)
  }

  @Test(arguments: Design.allCases)
  func aGreetedNameIsSigned(design: Design) async throws {
    let form = try bind(design)
    name.wrappedValue = "Ada"
    validate.send()
    try await mockGuestbookService.signs.answer(
      .success(GuestbookEntry(id: 1, name: "Ada", date: Date(timeIntervalSince1970: 0))))
    await viewModel.settle()
    #expect(viewModel.visitor == "Ada")
    #expect(mockGuestbookService.signs.requests == ["Ada"])
    withExtendedLifetime(form) {}
  }

  @Test func aRowThatLeftTheScreenIsNotBound() throws {
    let form = try bind(.properties)
    let button = try #require(viewModel.rows[1] as? ValidateRow)
    name.wrappedValue = "Ada"
    button.input = nil
    validate.send()
    #expect(form.greeting.value == "")
  }

  /// A bound form.
  private final class Form {
    let greeting: Observable<String>
    let fault: Observable<String?>
    /// The output of ``Design/transform``, which keeps the form bound.
    private let output: GuestbookViewModel.Output?

    init(greeting: Observable<String>, fault: Observable<String?>, output: GuestbookViewModel.Output? = nil) {
      self.greeting = greeting
      self.fault = fault
      self.output = output
    }
  }

  private func bind(_ design: Design) throws -> Form {
    switch design {
    case .transform:
      let input = GuestbookViewModel.Input(name: name.projectedValue, validate: validate)
      let output = viewModel.transform(input)
      return Form(greeting: output.greeting, fault: output.fault, output: output)
    case .properties:
      let field = try #require(viewModel.rows[0] as? NameFieldRow)
      let button = try #require(viewModel.rows[1] as? ValidateRow)
      let greeting = try #require(viewModel.rows[2] as? GreetingRow)
      field.input = NameFieldRow.Input(name: name.projectedValue)
      button.input = ValidateRow.Input(press: validate)
      return Form(greeting: greeting.output.greeting, fault: field.output.fault)
    }
  }
}

@MainActor
private final class MockGuestbookService: GuestbookServiceProtocol {
  let signs = HeldRequests<String, GuestbookEntry>()

  func entries() async throws(APIError) -> [GuestbookEntry] { [] }
  func visitor() async throws(APIError) -> String? { nil }
  func sign(_ name: String) async throws(APIError) -> GuestbookEntry { try await signs.ask(name) }
}
