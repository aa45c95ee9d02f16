import Foundation
import Terminal
import TestLimit
import Testing
import ViewModels

@testable import Screens

@MainActor
@Suite(.limited) struct ListWindowTests {
  private final class LineRow: RowViewModel {
    let id: AnyHashable
    let section: String?

    init(_ number: Int) { (id, section) = (number, "Section \(number / 3)") }
  }

  private final class LineCell: RowCell {
    private var row: LineRow?

    init(_: CellContext) {}

    static func height(_: CellContext) -> Int { 1 }

    func bind(_ row: LineRow) { self.row = row }
    func release() { row = nil }
    func draw(isHighlighted: Bool, on surface: Surface) { if let row { surface.put("Row \(row.id)") } }
  }

  private func rows(_ count: Int) -> [any RowViewModel] { (0..<count).map(LineRow.init) }

  /// Returns the lines of a list on a screen of ten lines, of which the first has the title.
  private func lines(of list: ListWindow) -> [String] {
    Drawing(columns: 20, rows: 10) { list.draw(notice: nil, hasFocus: true, isDimmed: false, on: $0) }.lines
      .map { $0.trimmingCharacters(in: [" ", "▌", "─"]) }
  }

  /// The headings of the first rows are not looked for among the others, nor the other way round.
  @Test func theSectionsAreThoseOfTheNewRows() {
    let list = ListWindow(title: "Lines", kinds: CellKinds().adding(LineCell.self), context: StubHost().makeContext())
    list.setRows(rows(2))
    #expect(lines(of: list)[1...3] == ["Section 0", "Row 0", "Row 1"])
    list.setRows(rows(40))
    list.position.highlight(39)
    #expect(lines(of: list).suffix(2) == ["Section 13", "Row 39"])
    list.setRows(rows(1))
    #expect(lines(of: list)[1...2] == ["Section 0", "Row 0"])
  }

  @Test func theHeadingOfTheFirstRowInViewStays() {
    let list = ListWindow(title: "Lines", kinds: CellKinds().adding(LineCell.self), context: StubHost().makeContext())
    list.setRows(rows(40))
    list.position.highlight(20)
    let lines = lines(of: list)
    #expect(lines[1].hasPrefix("Section") && lines[2].hasPrefix("Row"))
    let (section, row) = (lines[1].dropFirst(8), lines[2].dropFirst(4))
    #expect(Int(section) == Int(row).map { $0 / 3 })
  }
}
