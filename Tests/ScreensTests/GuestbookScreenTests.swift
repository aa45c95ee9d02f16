import Gallery
import ImageWire
import Services
import Terminal
import TestLimit
import Testing
import ViewModels

@testable import Screens

@MainActor @Suite(.timeLimit(.minutes(5)), .limited) struct GuestbookScreenTests {
  private let host = StubHost()

  private func makeViewModel(_ names: [String] = []) -> GuestbookViewModel {
    GuestbookViewModel(service: StubGuestbook(names: names), calendar: LocalClock { _ in 0 })
  }

  /// Opens the room with its entries, and draws it, since rows are bound while they are on the screen.
  private func open(_ names: String...) async -> GuestbookScreen {
    let viewModel = makeViewModel(names)
    let screen = GuestbookScreen(viewModel: viewModel, host: host, context: host.makeContext())
    viewModel.load()
    await host.wait { viewModel.isLoaded }
    _ = screen.drawing()
    return screen
  }

  @Test func theFormAndTheEntriesAreDrawn() async throws {
    let drawing = await open("Bea", "Ada").drawing()
    let lines = try ["Who are you?", "Validate", "Signed by", "Bea", "Ada"].map {
      try #require(drawing.line(with: $0), "\($0)")
    }
    #expect(lines == lines.sorted())
    #expect(lines[4] == lines[3] + 1)
  }

  /// The dates are below each other, whatever the names are. A narrow screen has the short form.
  @Test(arguments: [(70, "Thursday, 1970-01-01 at 00:00"), (40, " 1970-01-01 00:00")])
  func entriesHaveTheirDatesAtTheRight(columns: Int, date: String) async throws {
    let long = String(repeating: "Bea", count: 30)
    let drawing = await open(long, "Ada").drawing(columns: columns)
    for name in ["Bea", "Ada"] {
      let line = drawing.lines[try #require(drawing.line(with: name))]
      #expect(line.hasSuffix(date) && line.count == columns - 1, "\(line)")
    }
    #expect(columns == 70 || !drawing.contains("Thursday"))
  }

  @Test func theFormAndTheEntriesAreAligned() async throws {
    let screen = await open("Bea")
    #expect(screen.type(.paste("Ada")))
    screen.perform(.press)
    let drawing = screen.drawing()
    func column(of text: String) throws -> Int {
      let line = drawing.lines[try #require(drawing.line(with: text))]
      return try #require(line.firstRange(of: text).map { line[..<$0.lowerBound].count })
    }
    #expect(try ["Guestbook", "Name", "Signed by", "Bea"].map(column) == [1, 1, 1, 1])
    #expect(try ["Ada", "Hello Ada!", "Validate"].map(column) == [7, 7, 8])
  }

  @Test func anEmptyGuestbookSaysHowToSign() async {
    let screen = await open()
    for (columns, rows) in [(70, 30), (40, 8)] {
      let drawing = screen.drawing(columns: columns, rows: rows)
      #expect(drawing.contains("Be the first to sign") && drawing.contains("press Enter."), "\(columns)x\(rows)")
    }
    #expect(await !open("Ada").drawing().contains("Be the first"))
    #expect(screen.type(.paste("Bea")))
    screen.perform(.press)
    #expect(screen.drawing().contains("Hello Bea!") && !screen.drawing().contains("Be the first"))
  }

  @Test func theFormHasBracketsWhereColorsAreTooFewForAGround() async {
    let screen = await open()
    #expect(!screen.drawing().contains("[ Validate ]"))
    let drawing = Drawing(columns: 70, depth: .palette16, screen.draw)
    #expect(drawing.contains("[ Validate ]") && drawing.contains("Name ["))
  }

  @Test func rowsAreAnnouncedWithTheirTexts() async throws {
    let screen = await open("Bea", "Ada")
    #expect(screen.type(.paste("Cyd")))
    screen.perform(.press)
    await host.wait { screen.statusText == "3 entries" }
    var announcements: Set<String> = []
    for command in [Command.moveToFirst, .moveDown, .moveDown, .moveDown, .moveDown] {
      screen.perform(command)
      announcements.insert(screen.announcement ?? "")
    }
    #expect(announcements.contains { $0.hasSuffix(": Hello Cyd!") }, "\(announcements)")
    #expect(announcements.contains { $0.hasSuffix(": Bea, Thursday, 1970-01-01 at 00:00") }, "\(announcements)")
  }

  @Test func theStatusCountsTheEntries() async {
    #expect(await open().statusText == "Nobody has signed yet")
    #expect(await open("Ada").statusText == "1 entry")
    #expect(await open("Bea", "Ada").statusText == "2 entries")
  }

  @Test func theFieldTakesKeysWhileItsRowIsHighlighted() async {
    let screen = await open("Ada")
    #expect(screen.isTyping && screen.label(of: .press) == "Sign" && screen.label(of: .close) == "Done")
    #expect(screen.type(.key("q")))
    #expect(screen.drawing().contains("Name  q"))
    screen.perform(.close)
    #expect(!screen.isTyping && !screen.type(.key("q")))
    // On the button, the window closes nothing, so that q quits.
    #expect(screen.label(of: .press) == "Sign" && !screen.knows(.close))
    screen.perform(.switchWindow)
    #expect(screen.isTyping)
    screen.perform(.moveToLast)
    #expect(!screen.knows(.press))
  }

  @Test(arguments: [Command.press, .close]) func aNameIsSignedFromTheFieldOrByTheButton(first: Command) async {
    let screen = await open("Ada")
    #expect(screen.type(.paste("Bea")))
    screen.perform(first)
    if first == .close { screen.perform(.press) }
    await host.wait { screen.statusText == "2 entries" }
    #expect(screen.drawing().contains("Hello Bea!"))
  }

  @Test func anInvalidNameIsExplainedBelowTheField() async {
    let screen = await open()
    screen.perform(.close)
    screen.perform(.press)
    #expect(screen.isTyping)
    #expect(screen.drawing().contains("Type your name first."))
    #expect(host.alerts.isEmpty)
  }

  /// A cell that was released draws nothing, so it requests no frame.
  @Test(arguments: [true, false]) func aGreetingRequestsFramesWhileItIsInView(isInView: Bool) throws {
    let rows = makeViewModel().rows
    let greeting = try #require(rows[2] as? GreetingRow)
    let inputs = GuestbookInputs()
    (rows[0] as? NameFieldRow)?.input = NameFieldRow.Input(name: inputs.$name)
    (rows[1] as? ValidateRow)?.input = ValidateRow.Input(press: inputs.validate)
    let context = host.makeContext()
    var frames = 0
    let cell = GreetingCell(CellContext(images: context.images, spinner: context.spinner) { frames += 1 })
    cell.bind(greeting)
    if !isInView { cell.release() }
    frames = 0
    #expect(inputs.field.handle(.paste("Ada")))
    inputs.validate.send()
    #expect(greeting.output.greeting.value == "Hello Ada!")
    #expect((frames > 0) == isInView)
  }

  @Test func aRoomThatIsPassedThroughTakesNoText() async {
    let screen = await open()
    screen.passThrough()
    #expect(!screen.isTyping)
  }

  @Test func theSignInPopupSignsAndGreets() async {
    let viewModel = makeViewModel()
    let popup = SignInPopup(viewModel: viewModel, onChange: {})
    #expect(popup.drawing().contains("Sign the guestbook") && popup.drawing().contains("Validate"))
    #expect(popup.announcement == "Your name")
    popup.perform(.press)
    #expect(popup.drawing().contains("Type your name first."))
    #expect(popup.announcement == "Your name: Type your name first.")
    #expect(popup.type(.paste("Bea")))
    #expect(popup.announcement == "Your name: Bea")
    #expect(popup.label(of: .press) == "Sign" && !popup.knows(.confirm))
    popup.perform(.press)
    #expect(popup.drawing().contains("Hello Bea!") && popup.drawing().contains("Ok"))
    #expect(popup.announcement == "Hello Bea!")
    // Escape closes the greeting and signs nothing.
    #expect(popup.knows(.confirm) && !popup.knows(.press) && popup.offers(.close))
    #expect(!popup.type(.key("x")))
    await viewModel.settle()
    #expect(viewModel.visitor == "Bea")
  }
}
