import ArgumentParser
import Bundled
import Catalog
import Configuration
import Finding
import Foundation
import Gallery
import Photos
import Remote
import Services
import ViewModels

/// Prints the photos that the gallery would list, for scripts and for screen readers.
struct List: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Print the photos that the gallery would list.",
    discussion: "For example: tintype list ~/Pictures 'rating:>=4 taken:last-summer' --format tsv")

  @Argument(
    help: "A folder, a photo, HOST:FOLDER on another machine, or a catalog (.json, URL, or - for standard input).",
    completion: .file())
  var source: FileArgument

  @Argument(help: "What to search for, as in the gallery.")
  var query: String?

  @Option(help: "A block of lines for each photo (text), the format of catalogs (json), or a table with tabs (tsv).")
  var format = ListFormat.text

  @OptionGroup var web: WebOptions

  func validate() throws {
    try GallerySource([source]).check(web)
  }

  func run() throws {
    let source = try GallerySource([source]).withoutNeighbors
    source.exitIfUnusable()
    Shell.run(Self.self) { try await list(source) }
  }

  @MainActor
  private func list(_ source: GallerySource) async throws -> Int32 {
    let query: PhotoQuery?
    do throws(QueryError) {
      query = if let text = self.query { try PhotoQuery(text, now: LocalClock.system.time(of: .now)) } else { nil }
    } catch {
      Shell.print(error.message, to: .standardError)
      return EX_USAGE
    }
    let server = try source.server(web)
    var photos: PhotoSnapshot
    let services: GalleryServices
    do throws(APIError) {
      let remote = try await RemoteConnections.open(source, ConfigurationSource.user.read().configuration, asks: true)
      services = GalleryServices(source: source, server: server, remote: remote, delay: 0, isWatching: false)
      photos = try await services.photos.completeSnapshot()
      while photos.nextPage != nil { photos = try await services.photos.completeSnapshot(after: photos) }
    } catch {
      Shell.print(error.messageInShell, to: .standardError)
      return EXIT_FAILURE
    }
    // A live photo is listed once.
    var indices = photos.photos.indices.filter { !photos.groups.isHidden($0) }
    if let query {
      let finder = PhotoFinder()
      var (sets, ranks) = (await knownSets(for: query, in: photos.photos), [Photo.ID: Int]())
      if let text = query.textForServer {
        do throws(APIError) {
          guard let server = services.contentSearch else {
            Shell.print(QueryError.noServer.message, to: .standardError)
            return EX_USAGE
          }
          ranks = await FittingPhotos(text: text, images: try await server.photos(fitting: text)).ranks(
            in: photos.photos)
          sets[.fitting(text)] = Set(ranks.keys)
        } catch {
          Shell.print(error.messageInShell, to: .standardError)
          return EXIT_FAILURE
        }
      }
      indices = try await finder.find(query, in: photos.photos, sets: sets)
      if !ranks.isEmpty { indices = indices.sorted(by: ranks, in: photos.photos) }
      if indices.isEmpty {
        let advice = await QueryAdvice.advice(
          for: self.query ?? "", in: photos.photos, by: finder, now: LocalClock.system.time(of: .now), sets: sets)
        Shell.print(["No matches.", advice?.message].compactMap(\.self).joined(separator: " "), to: .standardError)
      }
    }
    if case .remote(let address) = source, RemoteConnections.opened(at: address)?.isPhoto == true {
      indices = indices.filter { photos.photos[$0].id == photos.opened }
    }
    try write(indices.lazy.map { photos.photos[$0] })
    for problem in photos.problems.first { Shell.print(problem.message, to: .standardError) }
    return photos.problems.count > 0 ? EXIT_FAILURE : EXIT_SUCCESS
  }

  /// Finds the photos of collections, and looks for duplicates, if the query asks for them. There are no marks outside of the gallery.
  @MainActor
  private func knownSets(for query: PhotoQuery, in photos: PhotoTable) async -> PhotoSets {
    var sets: PhotoSets = [.mark: []]
    for name in query.collections {
      let files = Set((try? await KeptCollections.user.files(of: name)) ?? []).map(ImageLocation.file)
      sets[.collection(name)] = Set(photos.indices.filter { files.contains(photos.image(at: $0)) }.map(photos.id))
    }
    guard query.asks(for: .duplicates) else { return sets }
    let duplicates = await DuplicateFinder(service: GalleryServices.makeAppraiser()).duplicates(in: photos)
    sets[.duplicates] = duplicates?.ids ?? []
    return sets
  }

  private func write(_ photos: some Sequence<Photo>) throws {
    switch format {
    case .text: try write(lines: photos.lazy.map(\.listing))
    case .tsv:
      try write(lines: CollectionOfOne(Photo.listedColumns.joined(separator: "\t")))
      try write(lines: photos.lazy.map { $0.listedValues.joined(separator: "\t") })
    case .json:
      let writer = CatalogWriter(Array(photos), to: FilePath.workingFolder.appending("catalog.json".utf8))
      try writer.write { try Shell.write($0) }
      for photo in writer.leftOut {
        Shell.print("\(photo.name.printable): \(photo.reason)", to: .standardError)
      }
    }
  }
}

extension List {
  /// Writes texts with a line break after each, in large pieces.
  private func write(lines: some Sequence<String>) throws {
    var bytes: [UInt8] = []
    for line in lines {
      bytes += line.utf8
      bytes.append(UInt8(ascii: "\n"))
      guard bytes.count >= 1 << 16 else { continue }
      try Shell.write(bytes)
      bytes.removeAll(keepingCapacity: true)
    }
    try Shell.write(bytes)
  }
}

/// The formats in which photos are listed.
enum ListFormat: String, ExpressibleByArgument, CaseIterable {
  case text, json, tsv
}

extension Photo {
  fileprivate static let listedColumns = [
    "path", "name", "author", "date", "camera", "rating", "label", "for_sale", "keywords", "alt_text",
  ]

  /// The values of ``listedColumns``, without tabs and line breaks.
  fileprivate var listedValues: [String] {
    [
      image.printable, displayName, author ?? "", CalendarTime(clock: clock).minuteText, camera ?? "",
      metadata?.rating.map(String.init) ?? "", metadata?.label ?? "", isForSale.map { $0 ? "yes" : "no" } ?? "",
      metadata?.keywords.joined(separator: ", ") ?? "", altText ?? "",
    ].map { $0.printable.replacing("\t", with: " ") }
  }

  /// The photo in some lines, which end with an empty one. They make sense when they are read aloud: no sign takes the
  /// place of a word.
  fileprivate var listing: String {
    var facts = [author.map { "by \($0)" }, CalendarTime(clock: clock).minuteText, camera].compactMap(\.self)
    switch metadata?.rating {
    case PhotoDecisions.rejected?: facts.append("rejected")
    case 1?: facts.append("1 star")
    case let stars? where stars > 1: facts.append("\(stars) stars")
    default: break
    }
    if let label = metadata?.label { facts.append("label \(label)") }
    if let isForSale { facts.append(isForSale ? "for sale" : "not for sale") }
    let keywords = metadata?.keywords ?? []
    let lines = [
      displayName, facts.joined(separator: ", "), altText,
      keywords.isEmpty ? nil : "Keywords: \(keywords.joined(separator: ", "))", image.printable,
    ]
    return lines.compactMap { $0.map { $0.printable + "\n" } }.joined()
  }

  /// The text that stands for the image: the one that was written for this (IPTC Photo Metadata Standard 2021.1, Alt Text),
  /// or else the description.
  private var altText: String? { metadata?.altText ?? description }
}
