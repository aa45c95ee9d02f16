import TestLimit
import Testing
import ViewModels

@testable import Screens

@MainActor
@Suite(.limited) struct CellKindsTests {
  private final class OfferRow: RowViewModel {
    let id: AnyHashable = 1
  }

  @Test func aRowWithoutACellStopsTheProgram() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run { _ = CellKinds().adding(PhotoRowCell.self).kind(of: OfferRow()) }
    }
    let message = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(message.contains("No cell is registered for OfferRow."))
  }
}
