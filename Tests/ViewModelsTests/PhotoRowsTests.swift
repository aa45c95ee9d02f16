import Gallery
import Testing

@testable import Photos
@testable import ViewModels

@MainActor
@Suite struct PhotoRowsTests {
  @Test func rowsAreCreatedWhenTheyAreRequested() async throws {
    var table = PhotoTable((0..<1000).map { photo("P\($0)") })
    for _ in 0..<10 {
      let half = table
      table.append(half) { _ in true }
    }
    let fixture = PhotoListFixture()
    fixture.viewModel.onReload = {}
    fixture.viewModel.onLoading = { _ in }
    fixture.viewModel.fetch()
    fixture.service.give(PhotoSnapshot(photos: table))
    try await fixture.progress.wait(for: 1)
    let rows = fixture.viewModel.rows
    #expect(rows.count == 1_024_000 && rows.cachedCount == 0)
    #expect(rows[1_023_999].name == "P999" && rows[500_000].name == "P0")
    #expect(rows[500_000] === rows[500_000])
    #expect(rows.cachedCount == 2)
    for row in 0..<10_000 { _ = rows[row] }
    #expect(rows.cachedCount <= 4096)
  }
}
