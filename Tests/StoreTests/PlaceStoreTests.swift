import Foundation
import Gallery
import TestLimit
import Testing

@testable import Store

/// The places that the user visits, each with the order of its photos.
@Suite(.limited) final class PlaceStoreTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)").path

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private func makeStore() -> StateStore { StateStore(folder: folder) { Issue.record("\($0)") } }

  @Test func eachPlaceKeepsItsOrder() async throws {
    let store = makeStore()
    for (place, order) in [("/a", "name"), ("/b", "date"), ("/c", nil)] as [(FilePath, String?)] {
      #expect(try await store.visit(Place(folder: place)) == nil)
      if let order { try await store.setOrder(order, of: Place(folder: place)) }
    }
    let later = makeStore()
    #expect(try await later.visit(Place(folder: "/b")) == "date")
    #expect(try await later.visit(Place(folder: "/a")) == "name")
    #expect(try await later.visit(Place(folder: "/c")) == nil)
    #expect(try await later.recentPlaces() == [Place(folder: "/c"), Place(folder: "/a"), Place(folder: "/b")])
  }

  @Test func thePlacesThatWereNotVisitedForLongAreForgotten() async throws {
    let store = makeStore()
    let places = (0...StateStore.mostPlaces).map { Place(folder: FilePath("/\($0)")) }
    for place in places { _ = try await store.visit(place) }
    #expect(try await store.recentPlaces() == places.dropFirst().reversed())
  }
}
