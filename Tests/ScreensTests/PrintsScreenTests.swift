import Gallery
import Photos
import Services
import TestLimit
import Testing
import ViewModels

@testable import Screens

@MainActor @Suite(.timeLimit(.minutes(5)), .limited) struct PrintsScreenTests {
  private let host = StubHost()
  private let clock = HeldClock()
  private let serverClock = HeldClock()

  private func print(_ id: Int, left: Int = 3) -> Print {
    Print(
      id: id, title: "Print \(id)", image: .file("/\(id).jpg"), price: Money(minorUnits: 2400, currency: "EUR"),
      size: "20 x 30 cm", paper: "cotton", left: left)
  }

  /// Enters the room, and waits until it has loaded its first page.
  private func open(_ pages: Result<[Page<Print>], APIError>) async -> PrintsScreen {
    let basket = BasketViewModel(service: StubBasket())
    let screen = PrintsScreen(
      viewModel: PrintsViewModel(service: StubPrints(pages: pages, clock: serverClock), basket: basket, clock: clock),
      basket: basket, host: host, context: host.makeContext())
    screen.enter()
    await host.wait { !screen.isLoading }
    return screen
  }

  @Test func aPrintIsDrawnWithItsPriceSizeAndStock() async throws {
    let screen = await open(.success([Page(items: [print(1), print(2, left: 0)])]))
    let drawing = screen.drawing()
    #expect(screen.announcement == "1 of 2: Print 1, For sale, 24.00 EUR, 3 left")
    screen.perform(.moveDown)
    #expect(screen.announcement == "2 of 2: Print 2, Sold out, 24.00 EUR")
    let line = try #require(drawing.line(with: "Print 1"))
    #expect(drawing.lines[line].contains("24.00 EUR"))
    #expect(drawing.lines[line + 1].contains("20 x 30 cm, cotton"))
    #expect(drawing.lines[line + 2].contains("3 left"))
    #expect(drawing.contains("Sold out"))
  }

  @Test func theHeadingSaysWhetherThereAreMore() async {
    let first = Page(items: (1...20).map { print($0) }, number: 1, totalPages: 2)
    let pages = [first, Page(items: [print(21)], number: 2, totalPages: 2)]
    let screen = await open(.success(pages))
    #expect(screen.drawing().contains("1/20+"))
    #expect(screen.statusText == "Page 1 of 2")
    // Near the end, the next page is requested after a pause.
    screen.perform(.moveToLast)
    clock.endSleep()
    serverClock.endSleep()
    await host.wait { screen.statusText == "Page 2 of 2" }
    #expect(screen.drawing().contains("20/21, that is all"))
  }

  @Test func thePrintsStayWhileTheNextPageIsLoading() async {
    let pages = [Page(items: [print(1)], number: 1, totalPages: 2), Page(items: [print(2)], number: 2, totalPages: 2)]
    let screen = await open(.success(pages))
    screen.perform(.moveDown)
    clock.endSleep()
    await host.wait { screen.isLoading }
    #expect(screen.statusText.hasSuffix("Loading prints…"))
    #expect(screen.drawing().contains("Print 1") && screen.offers(.putInBasket))
    serverClock.endSleep()
    await host.wait { !screen.isLoading }
    #expect(screen.drawing().contains("Print 2"))
  }

  @Test func onlyAPrintInTheBasketCanBeTakenOut() async {
    let screen = await open(.success([Page(items: [print(1)])]))
    #expect(screen.refusal(of: .takeOutOfBasket) == "This print is not in the basket. Press b to add it.")
    _ = screen.drawing()
    screen.perform(.putInBasket)
    await host.wait { screen.offers(.takeOutOfBasket) }
    #expect(screen.drawing().contains("1 in the basket"))
    #expect(screen.announcement == "1 of 1: Print 1, For sale, 24.00 EUR, 3 left, 1 in the basket")
    screen.perform(.takeOutOfBasket)
    await host.wait { !screen.offers(.takeOutOfBasket) }
    #expect(!screen.drawing().contains("in the basket"))
  }

  @Test func thePressedPrintOpensInTheViewer() async {
    let screen = await open(.success([Page(items: [print(1), print(2)])]))
    screen.perform(.moveDown)
    screen.perform(.press)
    #expect(host.viewed == [1])
  }

  @Test func anEmptyShopHasNothingToBuy() async {
    let screen = await open(.success([Page(items: [])]))
    #expect(screen.refusal(of: .putInBasket) == "There is no print to buy.")
    #expect(screen.refusal(of: .press) == "Nothing to open.")
    #expect(screen.drawing().contains("No prints for sale.") && screen.drawing().contains("Press r to look again."))
  }

  @Test func aShopThatCannotBeLoadedSaysHowToRetry() async {
    let screen = await open(.failure(.serverOverload))
    #expect(host.alerts == [Alert(title: "Can't load prints", .serverOverload)])
    let drawing = screen.drawing()
    #expect(drawing.contains("Can't load the prints.") && drawing.contains("Press r to try again."))
    #expect(screen.announcement == "Can't load the prints. Press r to try again.")
    #expect(screen.offers(.reload))
  }
}
