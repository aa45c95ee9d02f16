import Finding
import Gallery
import Geography
import Photos
import WorkerPool

/// The photos of the list on a map, which finds them by their places.
///
/// The positions are read once, in the background. Each change of the frame counts the photos of its cells again.
///
/// ```swift
/// let map = PhotoMap(viewModel, highlighted: row)
/// map.load()
/// map.show(columns: 80, rows: 22)
/// map.zoom(by: 2)
/// map.query   // "latitude:47..48.5 longitude:5..6"
/// ```
@MainActor
public final class PhotoMap {
  /// The state of the map.
  public enum State: Hashable, Sendable {
    /// The positions are being read.
    case loading
    /// No photo of the list has a position.
    case empty
    case loaded
  }

  /// The name of a city on the map.
  public struct Label: Hashable, Sendable {
    /// The name.
    public let name: String
    /// The column of the city.
    public let column: Int
    /// The row of the city.
    public let row: Int
  }

  /// The state of the map.
  public private(set) var state = State.loading
  /// The part of the world that is shown; nil before it is known.
  public private(set) var frame: MapFrame?
  /// The photos in the frame, from the top to the bottom.
  public private(set) var clusters: [MapCluster] = []
  /// The index of the cluster that the user has chosen; nil for none.
  public private(set) var chosen: Int?
  /// The number of photos in the frame.
  public private(set) var shownCount = 0
  /// The coastlines and borders of the frame; nil if their file can't be read.
  public private(set) var raster: MapRaster?
  /// The largest cities of the frame, the largest first. There are more than a map has room for.
  public private(set) var labels: [Label] = []

  /// Called after the positions have been read.
  public var onLoad: () -> Void = {}
  /// Called with the fault of the file of lines, without which the map goes on.
  public var onFault: (PlacesFault) -> Void = { _ in }

  private let positionsOfPhotos: @Sendable () async -> PhotoPositions
  private let query: (text: String, terms: [String])
  private let highlighted: TableIndex?
  private var positions = PhotoPositions()
  private var highlightedIndex: Int?
  private var lines: Coastlines?
  private var gazetteer: Gazetteer?
  private(set) var loading: Task<Void, Never>?

  /// The number of cities that a frame asks for, by its cells.
  private static let (mostCities, cellsPerCity) = (40, 100)

  /// - Parameters:
  ///   - query: The search whose photos are shown, or an empty text.
  ///   - highlighted: The photo that the list highlights; nil for none.
  ///   - positions: Reads the positions of the photos.
  init(query: String = "", highlighted: TableIndex?, positions: @escaping @Sendable () async -> PhotoPositions) {
    self.query = (query, PhotoQuery.terms(of: query))
    self.highlighted = highlighted
    positionsOfPhotos = positions
  }

  deinit { loading?.cancel() }

  /// Makes the map of the photos that a list shows.
  ///
  /// - Parameter row: The highlighted row; nil if the list is empty.
  public convenience init(_ list: PhotoListViewModel, row: RowIndex?) {
    let (photos, listed) = list.photosForMap
    self.init(query: list.search.fault == nil ? list.search.text : "", highlighted: row.map(list.rows.photoIndex)) {
      await PhotoPositions(of: photos, listed: listed)
    }
  }

  /// Reads the positions, and the files of lines and cities.
  public func load() {
    loading = Task.onMainActor { [weak self, positionsOfPhotos] in
      let files = Task(executorPreference: WorkerPool.shared) { (Coastlines.loaded, Gazetteer.loaded) }
      let positions = await positionsOfPhotos()
      let (lines, gazetteer) = await files.value
      guard let self, !Task.isCancelled else { return }
      self.positions = positions
      self.lines = try? lines.get()
      self.gazetteer = try? gazetteer.get()
      highlightedIndex = highlighted.flatMap { photo in positions.photos.firstIndex(of: photo) }
      state = positions.box == nil ? .empty : .loaded
      if let cells { show(columns: cells.columns, rows: cells.rows) }
      onLoad()
      // That of the cities is reported when the gallery opens.
      if case .failure(let fault) = lines { onFault(fault) }
    }
  }

  /// The cells of the map before the frame is known.
  private var cells: (columns: Int, rows: Int)?

  /// Sets the cells of the map. The first frame shows all photos.
  public func show(columns: Int, rows: Int) {
    if let frame, frame.columns == columns, frame.rows == rows { return }
    cells = (columns, rows)
    guard let box = positions.box, columns > 0, rows > 0 else { return }
    change {
      $0 = $0.map { MapFrame($0, columns: columns, rows: rows) } ?? MapFrame(around: box, columns: columns, rows: rows)
    }
  }

  /// Moves the frame by parts of its size, to the right and down.
  public func pan(_ x: Double, _ y: Double) {
    change { frame in
      guard let old = frame else { return }
      frame?.pan(
        columns: Int((x * Double(old.columns)).rounded(.awayFromZero)),
        rows: Int((y * Double(old.rows)).rounded(.awayFromZero)))
    }
  }

  /// Enlarges the map at its middle, or at the chosen cluster, which stays chosen.
  public func zoom(by factor: Double) {
    guard let frame else { return }
    let (column, row) = (frame.columns / 2, frame.rows / 2)
    guard let chosen else { return zoom(by: factor, column: column, row: row) }
    let cluster = clusters[chosen]
    change { frame in
      frame?.center(column: cluster.column, row: cluster.row)
      frame?.zoom(by: factor, column: column, row: row)
    }
    // A large frame can't have every place in its middle.
    let box = cluster.box
    self.chosen = clusters.firstIndex {
      $0.box.south <= box.north && $0.box.north >= box.south && $0.box.west <= box.west + box.width
        && $0.box.west + $0.box.width >= box.west
    }
  }

  /// Enlarges the map at a cell, whose position stays there.
  public func zoom(by factor: Double, column: Int, row: Int) {
    change { $0?.zoom(by: factor, column: column, row: row) }
  }

  /// Shows all photos again.
  public func showAll() {
    guard let box = positions.box else { return }
    change { $0 = $0.map { MapFrame(around: box, columns: $0.columns, rows: $0.rows) } }
  }

  /// Chooses the next cluster, and the first one after the last.
  public func chooseNext() {
    guard !clusters.isEmpty else { return }
    chosen = chosen.map { ($0 + 1) % clusters.count } ?? 0
  }

  /// Chooses the cluster in a cell, or moves the cell into the middle if none is there.
  ///
  /// - Returns: Whether the cluster was chosen already, so that a second click lists its photos.
  public func press(column: Int, row: Int) -> Bool {
    if let index = clusters.firstIndex(where: { $0.contains(column: column, row: row) }) {
      if chosen == index { return true }
      chosen = index
    } else {
      change { $0?.center(column: column, row: row) }
    }
    return false
  }

  /// The number of photos with a position.
  public var placedCount: Int { positions.photos.count }

  /// The query for the photos of the chosen cluster, or of the frame; nil if there are none. The former query stays, except for
  /// its own part of the world.
  public var queryOfChoice: String? {
    guard let frame, shownCount > 0 else { return nil }
    let position = chosen.map { MapQuery.text(clusters[$0].box, digits: frame.digits + 2) } ?? frame.query
    return MapQuery.replacingPosition(in: query.text, terms: query.terms, by: position)
  }

  /// The chosen cluster in words, such as "12 photos near Lisbon, Portugal"; nil if none is chosen.
  public var choice: String? {
    guard let chosen else { return nil }
    let cluster = clusters[chosen]
    let (latitude, longitude) = (
      (cluster.box.south + cluster.box.north) / 2, cluster.box.west + cluster.box.width / 2
    )
    let city = gazetteer?.city(
      nearLatitude: latitude, longitude: longitude > 180 ? longitude - 360 : longitude)
    guard let city else { return cluster.count.photosText }
    return localized(
      "\(cluster.count.photosText) near \(city.name.printable), \(city.country.printable)")
  }

  /// The number of photos in the frame, its width, and its middle.
  public var status: String {
    guard let frame else { return "" }
    let place = PhotoMetadata.Place(latitude: frame.latitude, longitude: frame.longitude)
    let width = frame.kilometers < 10 ? Self.tenths(frame.kilometers) : Int(frame.kilometers.rounded()).grouped
    let count =
      shownCount == placedCount
      ? placedCount.photosText : localized("\(shownCount.grouped) of \(placedCount.photosText)")
    return [count, localized("\(width) km wide"), place.text(digits: frame.digits)].joined(separator: " · ")
  }

  private static func tenths(_ number: Double) -> String {
    let tenths = Int((number * 10).rounded())
    return "\(tenths / 10)\(Language.decimalSign)\(tenths % 10)"
  }

  private func change(_ change: (inout MapFrame?) -> Void) {
    var next = frame
    change(&next)
    guard let next, next != frame else { return }
    frame = next
    chosen = nil
    (clusters, shownCount) = MapCluster.clusters(of: positions, in: next, highlighted: highlightedIndex)
    raster = lines.map { MapRaster(of: $0, in: next.part) }
    let most = min(Self.mostCities, next.columns * next.rows / Self.cellsPerCity)
    let cities =
      gazetteer?.largest(
        most, south: max(-90, next.south), north: min(90, next.north), west: next.west, width: next.width) ?? []
    labels = cities.prefix(most).compactMap { city in
      next.cell(latitude: city.latitude, longitude: city.longitude)
        .map { Label(name: city.name.printable, column: $0.column, row: $0.row) }
    }
  }
}
