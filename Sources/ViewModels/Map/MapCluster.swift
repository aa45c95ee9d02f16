import Finding

/// Some photos that are near each other on a map, with the cells of their dot and of their number.
public struct MapCluster: Hashable, Sendable {
  /// The number of photos.
  public fileprivate(set) var count: Int
  /// The smallest box with the photos.
  public fileprivate(set) var box: PhotoPositions.Box
  /// The column of the dot.
  public fileprivate(set) var column: Int
  /// The row of the dot.
  public fileprivate(set) var row: Int
  /// Whether the number is at the left of the dot.
  public fileprivate(set) var isTextAtLeft = false
  /// Whether it contains the photo that the list highlights.
  public fileprivate(set) var isHighlighted = false

  /// The number as the map shows it, in at most four characters; empty for a single photo.
  public var text: String {
    switch count {
    case 1: ""
    case ..<1000: "\(count)"
    case ..<1_000_000: "\(count / 1000)k"
    default: "\(count / 1_000_000)M"
    }
  }

  /// The first column of the dot and the number.
  public var firstColumn: Int { isTextAtLeft ? column - text.count : column }

  /// Returns whether the dot or the number is in a cell.
  public func contains(column: Int, row: Int) -> Bool {
    row == self.row && (firstColumn...firstColumn + text.count).contains(column)
  }
}

extension MapCluster {
  /// The cells of a cluster, in which its dot and its number have room.
  private static let (mostColumns, mostRows) = (7, 2)

  /// Returns the clusters of a frame, from the top to the bottom and then from the left to the right.
  ///
  /// The photos of a rectangle of 7 by 2 cells are one cluster. Each rectangle begins with the first row, and in it with the
  /// first column, that has a photo and is not in one before. So no two overlap, and a search for the box of one finds its photos and no others.
  ///
  /// - Parameter highlighted: The index of the photo that the list highlights; nil if it has no position.
  /// - Returns: The clusters, and the number of their photos.
  static func clusters(
    of positions: PhotoPositions, in frame: MapFrame, highlighted: Int?
  ) -> (clusters: [MapCluster], count: Int) {
    let cells = MapCells(positions, in: frame)
    let own = highlighted.flatMap {
      frame.cell(latitude: Double(positions.latitudes[$0]), longitude: Double(positions.longitudes[$0]))
    }
    var clusters: [MapCluster] = []
    var top = 0
    while top < frame.rows {
      guard cells.hasPhoto(row: top) else {
        top += 1
        continue
      }
      let rows = top..<min(frame.rows, top + mostRows)
      top = rows.upperBound
      var column = 0
      while column < frame.columns {
        let columns = column..<min(frame.columns, column + mostColumns)
        guard cells.hasPhoto(column: column, rows: rows) else {
          column += 1
          continue
        }
        var cluster = cells.cluster(columns: columns, rows: rows)
        cluster.isHighlighted = own.map { columns.contains($0.column) && rows.contains($0.row) } ?? false
        cluster.placeText(in: columns)
        clusters.append(cluster)
        column = columns.upperBound
      }
    }
    return (clusters, cells.count)
  }

  /// Puts the number beside the dot where it has room in the columns of the cluster.
  private mutating func placeText(in columns: Range<Int>) {
    let length = text.count
    if column + length < columns.upperBound { return }
    isTextAtLeft = true
    column = max(column, min(columns.lowerBound + length, columns.upperBound - 1))
  }
}

/// The photos of each cell of a frame.
private struct MapCells {
  private struct Cell {
    var count: Int32 = 0
    var south: Float = 0
    var north: Float = 0
    /// The edges from the frame's left edge on.
    var west = 0.0
    var east = 0.0
  }

  /// The number of photos in the frame.
  private(set) var count = 0
  private let columns: Int
  private let frameWest: Double
  private var cells: [Cell]

  /// Counts the photos. It is called for each frame, so its loop has no checks.
  init(_ positions: PhotoPositions, in frame: MapFrame) {
    columns = frame.columns
    frameWest = frame.west
    cells = Array(repeating: Cell(), count: frame.columns * frame.rows)
    let (west, north) = (frame.west, frame.north)
    let (perColumn, perRow) = (frame.degreesPerColumn, frame.degreesPerRow)
    let (width, height) = (frame.width, perRow * Double(frame.rows))
    var found = 0
    positions.latitudes.withUnsafeBufferPointer { latitudes in
      positions.longitudes.withUnsafeBufferPointer { longitudes in
        cells.withUnsafeMutableBufferPointer { cells in
          for index in 0..<latitudes.count {
            let latitude = latitudes[index]
            let y = north - Double(latitude)
            guard y >= 0, y < height else { continue }
            var x = Double(longitudes[index]) - west
            if x < 0 { x += 360 }
            guard x < width else { continue }
            let place =
              min(frame.rows - 1, Int(y / perRow)) * frame.columns + min(frame.columns - 1, Int(x / perColumn))
            let cell = cells[place]
            found += 1
            cells[place] =
              cell.count == 0
              ? Cell(count: 1, south: latitude, north: latitude, west: x, east: x)
              : Cell(
                count: cell.count + 1, south: min(cell.south, latitude), north: max(cell.north, latitude),
                west: min(cell.west, x), east: max(cell.east, x))
          }
        }
      }
    }
    count = found
  }

  func hasPhoto(row: Int) -> Bool { cells[row * columns..<(row + 1) * columns].contains { $0.count > 0 } }

  func hasPhoto(column: Int, rows: Range<Int>) -> Bool { rows.contains { cells[$0 * columns + column].count > 0 } }

  /// Returns the cluster of a rectangle with photos. Its dot is in the cell with most of them.
  func cluster(columns range: Range<Int>, rows: Range<Int>) -> MapCluster {
    var (count, most) = (0, Int32(0))
    var (column, row) = (range.lowerBound, rows.lowerBound)
    var (south, north) = (Float.infinity, -Float.infinity)
    var (west, east) = (Double.infinity, -Double.infinity)
    for y in rows {
      for x in range {
        let cell = cells[y * columns + x]
        if cell.count == 0 { continue }
        count += Int(cell.count)
        if cell.count > most { (most, column, row) = (cell.count, x, y) }
        (south, north) = (min(south, cell.south), max(north, cell.north))
        (west, east) = (min(west, cell.west), max(east, cell.east))
      }
    }
    let left = frameWest + west
    return MapCluster(
      count: count,
      box: PhotoPositions.Box(
        south: Double(south), north: Double(north), west: left > 180 ? left - 360 : left, width: east - west),
      column: column, row: row)
  }
}
