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

  @Test func eachPlaceKeepsItsOrderAndItsPhoto() async throws {
    let store = makeStore()
    for (place, order) in [("/a", "name"), ("/b", "date"), ("/c", nil)] as [(FilePath, String?)] {
      #expect(try await store.visit(Place(folder: place)) == PlaceState())
      if let order { try await store.setOrder(order, of: Place(folder: place)) }
    }
    let photo = ImageLocation.file(FilePath([0x2F, 0xFF]))
    try await store.setPhoto(photo, of: Place(folder: "/a"))
    try await store.setPhoto(photo, of: Place(folder: "/b"))
    try await store.setPhoto(nil, of: Place(folder: "/b"))
    let later = makeStore()
    #expect(try await later.visit(Place(folder: "/b")) == PlaceState(order: "date"))
    #expect(try await later.visit(Place(folder: "/a")) == PlaceState(order: "name", photo: photo))
    #expect(try await later.visit(Place(folder: "/c")) == PlaceState())
    #expect(try await later.recentPlaces() == [Place(folder: "/c"), Place(folder: "/a"), Place(folder: "/b")])
  }

  @Test func thePlacesThatWereNotVisitedForLongAreForgotten() async throws {
    let store = makeStore()
    let places = (0...StateStore.mostPlaces).map { Place(folder: FilePath("/\($0)")) }
    for place in places { _ = try await store.visit(place) }
    #expect(try await store.recentPlaces() == places.dropFirst().reversed())
  }
}
