import Gallery
import Photos

/// The positions of many photos, for a map.
public struct PhotoPositions: Sendable {
  /// A part of the world.
  public struct Box: Hashable, Sendable {
    /// The southern edge in degrees.
    public var south: Double
    /// The northern edge in degrees.
    public var north: Double
    /// The western edge from -180 to 180 degrees.
    public var west: Double
    /// The width in degrees, up to 360. A box that crosses the meridian of 180° ends beyond 180.
    public var width: Double

    /// Creates a part of the world.
    public init(south: Double, north: Double, west: Double, width: Double) {
      self.south = south
      self.north = north
      self.west = west
      self.width = width
    }
  }

  /// The latitudes in degrees, as searches compare them.
  public private(set) var latitudes: [Float] = []
  /// The longitudes in degrees.
  public private(set) var longitudes: [Float] = []
  /// The photos, in the same order.
  public private(set) var photos: [TableIndex] = []
  /// The smallest box with all photos; nil if no photo has a position.
  public private(set) var box: Box?
  /// The number of photos that were looked at, with a position or without one.
  public let photoCount: Int

  /// The number of photos of which a thread reads the positions.
  private static let pieceCount = 1 << 13

  /// Creates the positions of no photos.
  public init() { photoCount = 0 }

  /// Reads the positions of photos. A photo of several files has that of the first file with one.
  ///
  /// - Parameter listed: The photos, or nil for all that are not files of others.
  @concurrent
  public init(of table: PhotoTable, listed: [TableIndex]?) async {
    let groups = table.groups
    let listed = listed ?? table.indices.filter { !groups.isHidden($0) }
    photoCount = listed.count
    let pieces = await Parallel.map((listed.count + Self.pieceCount - 1) / Self.pieceCount) { piece in
      let start = piece * Self.pieceCount
      return listed[start..<min(listed.count, start + Self.pieceCount)].compactMap {
        index -> (TableIndex, Float, Float)? in
        var place: PhotoMetadata.Place?
        groups.forEachPhoto(shownAs: index) { place = place ?? table.metadataBesideColumns(at: $0)?.place }
        // A catalog's numbers may be none.
        guard let place, place.latitude.isFinite, place.longitude.isFinite else { return nil }
        return (index, Float(place.latitude), Float(place.longitude))
      }
    }
    for (photo, latitude, longitude) in pieces.joined() {
      photos.append(photo)
      latitudes.append(latitude)
      longitudes.append(longitude)
    }
    box = Self.box(latitudes, longitudes)
  }

  /// Creates the positions of made-up photos, for tests.
  package init(_ positions: [(latitude: Double, longitude: Double)]) {
    photoCount = positions.count
    latitudes = positions.map { Float($0.latitude) }
    longitudes = positions.map { Float($0.longitude) }
    photos = positions.indices.map { TableIndex($0) }
    box = Self.box(latitudes, longitudes)
  }

  /// The width in degrees of the widest gap between photos with which the box is all of the Earth, in its usual place.
  private static let leastGap: Float = 60

  /// Returns the smallest box with all positions. It leaves out the widest gap between two longitudes, which may be that
  /// around the meridian of 180° or any other.
  private static func box(_ latitudes: [Float], _ longitudes: [Float]) -> Box? {
    guard let south = latitudes.min(), let north = latitudes.max() else { return nil }
    let sorted = longitudes.sorted()
    var (west, gap) = (sorted[0], sorted[0] + 360 - sorted[sorted.count - 1])
    for (first, next) in zip(sorted, sorted.dropFirst()) where next - first > gap { (west, gap) = (next, next - first) }
    if gap < leastGap { (west, gap) = (-180, 0) }
    return Box(south: Double(south), north: Double(north), west: Double(west), width: Double(360 - gap))
  }
}
