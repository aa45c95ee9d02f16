import Catalog
import Finding
import Foundation
import Gallery
import Photos
import Services

/// A benchmark of searching and sorting without a user interface, for bench.py: `measure-finding CATALOGUE WORD...`
///
/// It prints one line for each figure, with a name and seconds: `index`, `key` for each letter of the words as it is
/// typed, `sort NAME` for each order, `key-sorted` for letters typed in a sorted list, and `calendar` for a count of all days. `memory` and `memory-sorted`
/// give the peak memory in MB before sorting and at the end.
@main
struct MeasureFinding {
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard let path = arguments.first, arguments.count > 1 else {
      try FileHandle.standardError.write(contentsOf: Data("usage: measure-finding CATALOGUE WORD...\n".utf8))
      exit(EX_USAGE)
    }
    var snapshot = PhotoSnapshot()
    let catalog = CatalogFile(path: FilePath(path.utf8, in: .workingFolder))
    for await answer in catalog.fetchPhotos() { snapshot = try answer.get() }
    let photos = snapshot.photos

    let finder = PhotoFinder()
    let start = ContinuousClock.now
    await finder.prepare(photos)
    report("index", since: start)
    for word in arguments.dropFirst() { try await type(word, "key", finder, photos, order: nil) }
    reportMemory("memory")
    var order: [TableIndex] = []
    for key in PhotoOrder.Key.allCases {
      let start = ContinuousClock.now
      order = try await PhotoOrder(key).indices(of: photos)
      report("sort \(key.name)", since: start)
      if key == .name {
        for word in arguments.dropFirst() { try await type(word, "key-sorted", finder, photos, order: order) }
      }
    }
    for _ in 0..<5 {
      let start = ContinuousClock.now
      _ = await PhotoCalendar(of: photos)
      report("calendar", since: start)
    }
    reportMemory("memory-sorted")
  }

  private static func type(
    _ word: String, _ name: String, _ finder: PhotoFinder, _ photos: PhotoTable, order: [TableIndex]?
  ) async throws {
    for length in 1...word.count {
      let start = ContinuousClock.now
      let query = try PhotoQuery(String(word.prefix(length)), now: LocalClock.system.time(of: .now))
      _ = try await finder.find(query, in: photos, order: order)
      report(name, since: start)
    }
  }

  private static func report(_ name: String, since start: ContinuousClock.Instant) {
    print(name, start.duration(to: .now) / .seconds(1))
  }

  /// Prints the peak memory so far.
  private static func reportMemory(_ name: String) {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    print(name, Double(usage.ru_maxrss) / 1024)
  }
}
