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

/// The calendar on screens of several sizes.
@MainActor @Suite(.timeLimit(.minutes(5)), .limited) final class CalendarScreenTests {
  private let host = StubHost()
  private var listed: [String] = []
  private var isClosed = false
  private var list: PhotoListViewModel?

  private func open(_ days: [Double], images: OutputChoice = .none) async -> CalendarScreen {
    let photos = days.enumerated().map { id, day in
      Photo(
        id: id, name: "\(id).jpg", createdAt: Date(timeIntervalSince1970: day * 86_400), imageURL: "\(id).jpg",
        image: .file(FilePath("/\(id).jpg")))
    }
    let list = PhotoListViewModel(service: StubPhotos(snapshot: PhotoSnapshot(photos: PhotoTable(photos))))
    list.onProgress = { [host] in host.setNeedsDisplay() }
    list.fetch()
    await host.wait { list.rows.count == photos.count }
    self.list = list
    let viewModel = CalendarViewModel(list, at: 0)
    viewModel.onChange = { [host] in host.setNeedsDisplay() }
    let screen = CalendarScreen(viewModel, images: host.makeContext(images: images).images)
    screen.onList = { [unowned self] in listed.append($0) }
    screen.onClose = { [unowned self] in isClosed = true }
    viewModel.recount()
    await host.wait { viewModel.count != nil }
    return screen
  }

  /// The first of May 2026 is a Friday.
  private let may = 20_574.0

  @Test func aMonthIsWrittenInWeeks() async {
    let screen = await open([may, may, may + 2, may + 30])
    let drawing = screen.drawing(columns: 60, rows: 20)
    #expect(drawing.lines[0] == " May 2026 · 4 photos")
    #expect(drawing.lines[1] == " Mon     Tue     Wed     Thu     Fri     Sat     Sun")
    #expect(drawing.lines[2] == "                                 1    2  2       3    1")
    #expect(drawing.lines[14] == " 25      26      27      28      29      30      31   1")
    #expect(drawing.lines[19] == " Friday, 2026-05-01 · 2 photos · Best: 0.jpg")
    screen.perform(.moveRight)
    #expect(screen.drawing(columns: 60, rows: 20).lines[19] == " Saturday, 2026-05-02 · no photos")
    #expect(screen.announcement == "May 2026 · 4 photos · Saturday, 2026-05-02 · no photos")
  }

  @Test(arguments: [(20, 8), (30, 10), (40, 12), (12, 4), (80, 24), (200, 60)])
  func itFitsOnScreensOfAllSizes(columns: Int, rows: Int) async {
    let screen = await open([may, may + 30])
    for _ in 0..<3 {
      let drawing = screen.drawing(columns: columns, rows: rows)
      #expect(drawing.lines.count == rows)
      if rows > 7, screen.viewModel.level == .days, columns >= 24 {
        #expect(drawing.lines.joined().contains("31"))
      }
      screen.perform(.zoomOut)
    }
  }

  /// A cell that is too narrow for its number says that there are photos.
  @Test func aNarrowCellHasASignInPlaceOfItsNumber() async {
    let screen = await open(Array(repeating: may, count: 1234))
    #expect(screen.drawing(columns: 40, rows: 12).lines[2].trimmingCharacters(in: .whitespaces).hasPrefix("1•"))
    #expect(screen.drawing(columns: 80, rows: 12).lines[2].contains("1    1234"))
  }

  @Test func theKeysLeadThroughTheLevelsAndListPhotos() async {
    let screen = await open([may, may + 30])
    screen.perform(.moveDown)
    #expect(screen.refusal(of: .press) == "There are no photos." && screen.refusal(of: .zoomIn) != nil)
    #expect(screen.label(of: .press) == "List the day" && screen.label(of: .parentFolder) == "Months")
    screen.perform(.parentFolder)
    #expect(screen.label(of: .parentFolder) == "Years" && screen.drawing().contains("September"))
    screen.perform(.zoomOut)
    #expect(
      screen.refusal(of: .parentFolder) == "All years are shown." && screen.drawing().lines[0] == " Years · 2 photos")
    screen.perform(.press)
    screen.perform(.press)
    // The day of before has no photos.
    #expect(screen.viewModel.cursor.text == "2026-05-01" && listed.isEmpty)
    screen.perform(.press)
    #expect(listed == ["date:2026-05-01"] && isClosed)
    screen.perform(.zoomOut)
    screen.perform(.view)
    #expect(listed.last == "date:2026-05")
  }

  @Test func theMouseChoosesAndOpens() async {
    let screen = await open([may, may + 30])
    let drawing = screen.drawing(columns: 60, rows: 20)
    #expect(drawing.lines[14].contains("31"))
    screen.handle(Mouse(.press, column: 51, row: 14))
    #expect(screen.viewModel.cursor.text == "2026-05-31" && listed.isEmpty)
    screen.handle(Mouse(.press, column: 51, row: 14))
    #expect(listed == ["date:2026-05-31"])
    screen.handle(Mouse(.wheelDown, column: 1, row: 5))
    #expect(screen.viewModel.cursor.text == "2026-06-30")
    screen.handle(Mouse(.wheelUp, column: 1, row: 5))
    // The blank before the first day is no cell.
    screen.handle(Mouse(.press, column: 2, row: 2))
    #expect(screen.viewModel.cursor.text == "2026-05-30")
    screen.handle(Mouse(.press, column: 5, row: 0))
    #expect(screen.viewModel.level == .months)
  }

  @Test func cellsHaveImagesWhereThereIsRoomAndElsewhereOneIsBesideThem() {
    func grid(_ columns: Int, _ rows: Int, cells: Int = 35, lines: Int? = 3) -> CalendarGrid {
      CalendarGrid(
        cells: cells, columns: 7, chosen: 0, isScrolled: false,
        in: Rect(Size(columns: columns, rows: rows)), imageLines: lines)
    }
    let large = grid(118, 32)
    #expect(large.hasImages && large.side.isEmpty && large.rect(of: 0) == Rect(column: 2, row: 0, columns: 17, rows: 7))
    // Frames have a line in common.
    #expect(large.rect(of: 8) == Rect(column: 18, row: 6, columns: 17, rows: 7))
    let common = grid(78, 19)
    #expect(!common.hasImages && common.side == Rect(column: 52, row: 0, columns: 26, rows: 19))
    #expect(common.rect(of: 34).endColumn <= 52 && common.rect(of: 34).endRow <= 19)
    #expect(grid(38, 8).side.isEmpty && grid(78, 19, lines: nil).side.isEmpty && !grid(118, 32, lines: nil).hasImages)
    #expect(!grid(118, 32, lines: 5).hasImages && !grid(118, 32, lines: 5).side.isEmpty)
    for cell in 0..<42 {
      let rect = grid(118, 32, cells: 42).rect(of: cell)
      #expect(!rect.isEmpty && rect.endRow <= 32 && rect.endColumn <= 118)
    }
  }

  /// Of many years, those around the chosen one are in view.
  @Test func manyYearsAreScrolled() {
    func grid(chosen: Int) -> CalendarGrid {
      CalendarGrid(
        cells: 60, columns: 4, chosen: chosen, isScrolled: true, in: Rect(Size(columns: 80, rows: 20)), imageLines: 3)
    }
    #expect(grid(chosen: 0).hasMore(of: 60) == (false, true) && !grid(chosen: 0).rect(of: 0).isEmpty)
    #expect(grid(chosen: 59).hasMore(of: 60) == (true, false) && !grid(chosen: 59).rect(of: 59).isEmpty)
    #expect(grid(chosen: 30).hasMore(of: 60) == (true, true) && grid(chosen: 30).rect(of: 0).isEmpty)
  }
}
