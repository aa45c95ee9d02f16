import Foundation
import GRDB
import Gallery

extension PhotoIndex {
  /// The entries of a folder in the order of their paths' bytes.
  ///
  /// They are in a few large blocks, which return to the system as soon as they are not needed. Arrays for a hundred thousand paths
  /// and records would leave gaps among what stays.
  public struct Entries: RandomAccessCollection, Sendable {
    private struct Place {
      /// The index of the path's first byte. The metadata is behind the path.
      var start: Int
      var pathCount: Int32
      var metadataCount: Int32
      var stamp: Stamp

      var path: Range<Int> { start..<start + Int(pathCount) }
      var metadata: Range<Int> { path.upperBound..<path.upperBound + Int(metadataCount) }
    }

    private var bytes: [UInt8] = []
    private var places: [Place] = []

    /// Creates a collection of no entries.
    public init() {}

    public var startIndex: Int { 0 }
    public var endIndex: Int { places.count }

    public subscript(position: Int) -> Entry {
      Entry(path: path(at: position), stamp: stamp(at: position), metadata: metadata(at: position))
    }

    /// Returns the path of an entry.
    public func path(at position: Int) -> FilePath { FilePath(Array(bytes[places[position].path])) }

    /// Returns the stamp of an entry.
    public func stamp(at position: Int) -> Stamp { places[position].stamp }

    /// Returns the metadata of an entry.
    public func metadata(at position: Int) -> MetadataRecord {
      MetadataRecord(fitBytes: Array(bytes[places[position].metadata]))
    }

    /// Returns the entry of a file, or nil if there is none.
    public subscript(path: FilePath) -> Entry? { position(of: path).map { self[$0] } }

    /// Returns the position of a file's entry, or nil if there is none.
    /// - Parameter likely: The position to look at first: in a loop over files in their order, the one behind the last.
    public func position(of path: FilePath, likely: Int = 0) -> Int? {
      if likely < endIndex, order(of: path, at: likely) == 0 { return likely }
      var (low, high) = (0, endIndex)
      while low < high {
        let middle = (low + high) / 2
        let order = order(of: path, at: middle)
        if order == 0 { return middle }
        if order < 0 { high = middle } else { low = middle + 1 }
      }
      return nil
    }

    /// Returns a number below, above or equal to 0 if a path is before, behind or equal to that of an entry.
    private func order(of path: FilePath, at position: Int) -> Int {
      path.bytes.withUnsafeBytes { path in
        bytes.withUnsafeBytes { Self.order(of: path, UnsafeRawBufferPointer(rebasing: $0[places[position].path])) }
      }
    }

    private static func order(of first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Int {
      guard let start = first.baseAddress, let other = second.baseAddress else { return first.count - second.count }
      let order = memcmp(start, other, Swift.min(first.count, second.count))
      return order == 0 ? first.count - second.count : Int(order)
    }

    /// Appends a row by the numbers of its columns. By their names a folder of 10,000 photos takes twice as long.
    ///
    /// - Throws: An error if a value is invalid, which SQLite does not check.
    mutating func append(_ row: Row) throws {
      let stamp = Stamp(
        size: try row.decode(Int.self, atIndex: 1), modifiedAt: try row.decode(Int.self, atIndex: 2),
        sidecarModifiedAt: try row.decode(Int.self, atIndex: 3))
      let start = bytes.count
      try row.withUnsafeData(atIndex: 0) { path in
        guard let path else { throw StoreFault.damaged }
        bytes.append(contentsOf: path)
      }
      let end = bytes.count
      try row.withUnsafeData(atIndex: 4) { packed in
        guard let packed else { throw StoreFault.damaged }
        // The metadata was fit to be shown when it was stored; the file may have been damaged since.
        let isFit = packed.withUnsafeBytes { MetadataRecord.isFit($0.bindMemory(to: UInt8.self)) }
        if isFit { return bytes.append(contentsOf: packed) }
        guard let metadata = try? MetadataRecord(checking: Array(packed)) else { throw StoreFault.damaged }
        bytes.append(contentsOf: metadata.bytes)
      }
      places.append(
        Place(start: start, pathCount: Int32(end - start), metadataCount: Int32(bytes.count - end), stamp: stamp))
    }

    /// Brings the entries of several folders into order. Each file remains once.
    mutating func sort() {
      let all = places
      bytes.withUnsafeBytes { bytes in
        func path(_ place: Place) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[place.path]) }
        guard zip(all, all.dropFirst()).contains(where: { Self.order(of: path($0), path($1)) >= 0 }) else { return }
        places = []
        for place in all.sorted(by: { Self.order(of: path($0), path($1)) < 0 }) {
          if let last = places.last, Self.order(of: path(last), path(place)) == 0 { continue }
          places.append(place)
        }
      }
    }
  }
}
