import TestLimit
import Testing

@testable import Geography

@Suite(.limited) struct GazetteerTests {
  private let gazetteer: Gazetteer

  init() throws { gazetteer = try Gazetteer.loaded.get() }

  @Test(arguments: [
    (38.7139, -9.1394, "Lisbon", "PT", "Portugal"),
    // The harbor, which is nearer to a suburb.
    (38.7060, -9.1600, "Lisbon", "PT", "Portugal"), (59.9075, 10.7530, "Oslo", "NO", "Norway"),
    (27.7149, 85.2904, "Kathmandu", "NP", "Nepal"), (-18.1416, 178.4419, "Suva", "FJ", "Fiji"),
    // Heathrow belongs to London, and not to the suburb beside it.
    (51.4700, -0.4543, "London", "GB", "United Kingdom"), (48.8584, 2.2945, "Paris", "FR", "France"),
    (48.8049, 2.1204, "Versailles", "FR", "France"), (-54.8019, -68.3030, "Ushuaia", "AR", "Argentina"),
    (78.2232, 15.6267, "Longyearbyen", "SJ", "Svalbard and Jan Mayen"),
  ]) func aPositionBelongsToACity(latitude: Double, longitude: Double, name: String, code: String, country: String) {
    let city = gazetteer.city(nearLatitude: latitude, longitude: longitude)
    #expect(city?.name == name)
    #expect(city?.countryCode == code)
    #expect(city?.country == country)
  }

  @Test(arguments: [
    // The Atlantic, the North Pacific, the Sahara, and the poles.
    (30.0, -40.0), (40.0, 180.0), (40.0, -180.0), (23.0, 5.0), (90.0, 0.0), (-90.0, 0.0), (90.0, 180.0),
    (-90.0, -180.0),
    // No positions on the Earth.
    (91.0, 0.0), (0.0, 181.0), (Double.nan, 0.0), (0.0, Double.infinity),
  ]) func aPlaceFarFromCitiesHasNone(latitude: Double, longitude: Double) {
    #expect(gazetteer.city(nearLatitude: latitude, longitude: longitude) == nil)
  }

  @Test func aCityIsFoundAcrossTheMeridianOf180Degrees() throws {
    let bytes = packed([("East", 0, 179.9, 100), ("West", 0, -179.9, 100)])
    let small = try Gazetteer(bytes)
    #expect(small.city(nearLatitude: 0.1, longitude: 180)?.name != nil)
    #expect(small.city(nearLatitude: 0.1, longitude: -179.6)?.name == "West")
    #expect(small.city(nearLatitude: 0.1, longitude: -179.99)?.name == "West")
    #expect(small.city(nearLatitude: 0.1, longitude: 179.99)?.name == "East")
    #expect(small.largest(5, south: -1, north: 1, west: 179, width: 2).count == 2)
    let far = try Gazetteer(packed([("East", 0, 179.9, 100)]))
    #expect(far.city(nearLatitude: 0, longitude: -179.9)?.name == "East")
  }

  @Test func theLimitIs50Kilometers() throws {
    let small = try Gazetteer(packed([("Town", 0, 10.0, 100)]))
    #expect(small.city(nearLatitude: 0.44, longitude: 10)?.name == "Town")
    #expect(small.city(nearLatitude: 0.46, longitude: 10) == nil)
    #expect(small.city(nearLatitude: 0, longitude: 10.44)?.name == "Town")
    #expect(small.city(nearLatitude: 0, longitude: 9.54) == nil)
    let north = try Gazetteer(packed([("Town", 60, 10.0, 100)]))
    #expect(north.city(nearLatitude: 60, longitude: 10.85)?.name == "Town")
    #expect(north.city(nearLatitude: 60, longitude: 10.95) == nil)
  }

  /// Of a town and a large city whose center is farther away, the nearer edge counts.
  @Test func aLargeCityReachesFarther() throws {
    // 8 times the binary logarithms of 5,000 and 8 million people: radii of 0.6 and 22.6 km.
    let small = try Gazetteer(packed([("Large", 0, 10.0, 183), ("Small", 0, 10.3, 98)]))
    #expect(small.city(nearLatitude: 0, longitude: 10.2)?.name == "Large")
    #expect(small.city(nearLatitude: 0, longitude: 10.31)?.name == "Small")
  }

  @Test func theLargestCitiesOfAPartComeFirst() {
    let names = gazetteer.largest(3, south: 36, north: 44, west: -10, width: 13).map(\.name)
    #expect(names.prefix(2) == ["Madrid", "Barcelona"])
    #expect(gazetteer.largest(3, south: 25, north: 45, west: -60, width: 10).isEmpty)
    #expect(gazetteer.largest(10, south: -90, north: 90, west: -180, width: 360).first?.name == "Shanghai")
  }

  @Test func aDamagedFileIsRefused() throws {
    let bytes = packed([("Town", 0, 10.0, 100)])
    #expect(try Gazetteer(bytes).count == 1)
    for length in [0, 7, 8, 9, 12, 20_000, bytes.count - 1] {
      #expect(throws: MalformedPlaces.self) { try Gazetteer(Array(bytes.prefix(length))) }
    }
    #expect(throws: MalformedPlaces.self) { try Gazetteer(bytes + [0]) }
    // A country that is not in the table.
    var other = bytes
    let name = try #require(other.firstRange(of: Array("Town".utf8)))
    other[name.lowerBound - 2] = 7
    #expect(throws: MalformedPlaces.self) { try Gazetteer(other) }
  }

  /// Packs cities as `tools/places.py` does, with one country. Each is the only one in its cell, or the largest first.
  private func packed(_ cities: [(name: String, latitude: Int, longitude: Double, size: UInt8)]) -> [UInt8] {
    var cells: [Int: [UInt8]] = [:]
    var counts: [Int: UInt8] = [:]
    for city in cities {
      let east = Int(((city.longitude + 180) * 100).rounded())
      let cell = (city.latitude + 90) * 144 + east / 250
      cells[cell, default: []] += [0, UInt8(east % 250), city.size, 0, UInt8(city.name.utf8.count)] + city.name.utf8
      counts[cell, default: 0] += 1
    }
    let countries: [UInt8] = [1] + "XX".utf8 + [4] + "Land".utf8
    let start: [UInt8] = "TTCITY1\n".utf8 + countries
    return (0..<180 * 144).reduce(into: start) { $0 += [counts[$1] ?? 0, 0] + (cells[$1] ?? []) }
  }
}
