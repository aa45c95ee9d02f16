import Gallery
import HTTP
import Services

/// The parts of an Immich server: its albums, people, cities and months, and its favorites, archive and trash.
public struct ImmichParts: Sendable {
  private let address: ImmichAddress
  private let server: ImmichServer

  /// Creates the service.
  /// - Parameters:
  ///   - server: ``ImmichAddress/server(headers:)`` with the key.
  ///   - client: The client that sends the requests.
  ///   - cache: The cache of the answers.
  public init(_ address: ImmichAddress, server: NamedServer, client: HTTPClient, cache: PageCache) {
    self.address = address
    self.server = ImmichServer(address: address, server: server, client: client, cache: cache)
  }

  /// Returns the parts, without the open one. What the server does not tell is left out.
  public func parts() async -> [PlacePart] {
    // One after another, they would take four round trips.
    async let askedAlbums = server.albums()
    async let askedPeople = server.people()
    async let askedCities = server.cities()
    async let askedMonths = server.months()
    let albums = (try? await askedAlbums) ?? []
    let people = (try? await askedPeople) ?? []
    let cities = (try? await askedCities) ?? []
    let months = (try? await askedMonths) ?? []
    var parts = [PlacePart(address.place(of: "", name: localized("All photos")))]
    parts.append(PlacePart(address.place(of: "favorites", name: localized("Favorites"))))
    // Of several with one name, the address has the ID.
    parts += albums.map { album in
      let isAlone = albums.count { $0.name.lowercased() == album.name.lowercased() } == 1
      return PlacePart(
        address.place(of: "albums/\(isAlone ? album.name : album.id)", name: album.name), photoCount: album.photoCount,
        cover: image(album.cover))
    }
    parts += people.map {
      PlacePart(
        address.place(of: "people/\($0.id)", name: $0.name), cover: .web("\(address.api)/people/\($0.id)/thumbnail"))
    }
    parts += cities.map {
      PlacePart(address.place(of: "places/\($0.name)", name: $0.name), cover: image($0.cover))
    }
    parts += months.map {
      PlacePart(address.place(of: "months/\($0.id)", name: $0.name), photoCount: $0.photoCount)
    }
    parts.append(PlacePart(address.place(of: "archive", name: localized("Archive"))))
    parts.append(PlacePart(address.place(of: "trash", name: localized("Trash"))))
    return parts.filter { $0.place.arguments != [Array(address.text.utf8)] && !isOpen($0) }
  }

  /// Returns the thumbnail of a photo.
  private func image(_ photo: String?) -> ImageLocation? {
    photo.map { .web("\(address.assets)/\($0)/thumbnail?size=thumbnail") }
  }

  private func isOpen(_ part: PlacePart) -> Bool {
    let other = part.place.arguments.first.flatMap { ImmichAddress(String(decoding: $0, as: UTF8.self)) }
    return other?.selection == address.selection
  }
}
