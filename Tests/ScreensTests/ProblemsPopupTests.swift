import Finding
import Foundation
import Gallery
import Photos
import Services
import Terminal
import TestLimit
import Testing
import ViewModels

@testable import Screens

@MainActor @Suite(.timeLimit(.minutes(5)), .limited) struct ProblemsPopupTests {
  private let host = StubHost()

  /// Opens a folder of photos, of which some can't be read, and the list of its problems.
  private func open(problems: [CatalogProblem]) async throws -> (screen: PhotosScreen, popup: ProblemsPopup) {
    let photos = (0..<9).map { number in
      Photo(
        id: number, name: "Photo \(number)", createdAt: Date(timeIntervalSince1970: 0), imageURL: "sub/\(number).jpg",
        image: .file("/x/sub/\(number).jpg"))
    }
    var snapshot = PhotoSnapshot(photos: PhotoTable(photos))
    snapshot.capabilities = .folder
    for problem in problems { snapshot.problems.append(problem) }
    let viewModel = PhotoListViewModel(service: StubPhotos(snapshot: snapshot))
    let choosing = PhotoChoosingViewModel(
      list: viewModel, decisions: StubDecisions(), desktop: StubDesktop(), exporter: StubExporter())
    let screen = PhotosScreen(
      viewModel: viewModel, choosing: choosing, savedSearches: SavedSearches(service: StubSearches()),
      source: OpenSource(place: Place(arguments: [], name: "Norway · 2024")),
      firstView: .list, host: host, context: host.makeContext())
    screen.enter()
    await host.wait { viewModel.state == .loaded }
    screen.perform(.showProblems)
    return (screen, try #require(host.popups.last as? ProblemsPopup))
  }

  private static let problems = [
    CatalogProblem(.folder, .source(.notFound(path: "/x/gone"))),
    CatalogProblem(.file("sub/3.jpg"), .photo(.notAnImage)),
    CatalogProblem(.file("sub/7.jpg"), .photo(.unsupported(.tga))),
  ]

  @Test func aProblemLeadsToItsPhoto() async throws {
    let (screen, popup) = try await open(problems: Self.problems)
    #expect(popup.refusal(of: .press) == "This entry has no row in the list.")
    popup.perform(.moveDown)
    #expect(popup.announcement == "sub/3.jpg: Not an image, or an unsupported format.")
    popup.perform(.moveDown)
    popup.perform(.press)
    #expect(screen.highlighted == 7)
  }

  @Test func aClickLeadsToThePhotoOfItsLine() async throws {
    let (screen, popup) = try await open(problems: Self.problems)
    var isClosed = false
    popup.onClose = { isClosed = true }
    let drawing = popup.drawing(columns: 80, rows: 20)
    let (gone, photo) = (try #require(drawing.line(with: "/x/gone")), try #require(drawing.line(with: "sub/7.jpg")))
    popup.handle(Mouse(.press, column: 40, row: gone))
    #expect(!isClosed && screen.highlighted == 0)
    popup.handle(Mouse(.press, column: 40, row: photo))
    #expect(isClosed && screen.highlighted == 7)
    isClosed = false
    popup.handle(Mouse(.wheelUp, column: 40, row: gone))
    popup.handle(Mouse(.wheelDown, column: 40, row: gone))
    popup.handle(Mouse(.wheelUp, column: 40, row: gone))
    #expect(!isClosed && popup.announcement?.hasPrefix("sub/3.jpg") == true)
    popup.handle(Mouse(.press, column: 0, row: 0))
    #expect(isClosed && screen.highlighted == 7)
  }

  @Test func aSearchThatHidesThePhotoEnds() async throws {
    let (screen, popup) = try await open(problems: Self.problems)
    screen.find("5.jpg")
    await host.wait { screen.viewModel.rows.count == 1 }
    popup.perform(.moveDown)
    popup.perform(.press)
    await host.wait { screen.viewModel.rows.count == 9 }
    #expect(screen.highlighted == 3 && screen.field.text.isEmpty)
  }

  @Test func manyProblemsScrollAndLongOnesAreWrapped() async throws {
    let many = (0..<50).map { CatalogProblem(.file("sub/\($0) \(String(repeating: "long ", count: 20)).jpg"), .cutOff) }
    let (screen, popup) = try await open(problems: many)
    defer { screen.leave() }
    let drawing = popup.drawing(columns: 80, rows: 20)
    #expect(drawing.contains("sub/0 long") && drawing.contains("incomplete") && drawing.contains("↓"))
    popup.perform(.moveToLast)
    let end = popup.drawing(columns: 80, rows: 20)
    #expect(end.contains("sub/49 long") && !end.contains("sub/0 long") && end.contains("↑"))
  }

  @Test func theNameOfASourceIsOnePartOfTheStatus() async throws {
    let screen = try await open(problems: Self.problems).screen
    #expect(screen.status.map(\.text) == ["9 photos", "3 problems", "Norway · 2024", "by file name ↑"])
    #expect(screen.status.map(\.command) == [nil, .showProblems, nil, .sort])
    // An order that the user has chosen comes before the source, because the last part is the first one to be left out.
    screen.viewModel.search.sort(by: .name)
    await host.wait { !screen.viewModel.search.isRunning }
    #expect(screen.status.map(\.command) == [nil, .showProblems, .sort, nil])
    #expect(screen.status.last?.text == "Norway · 2024")
  }
}
