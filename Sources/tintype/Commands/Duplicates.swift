import ArgumentParser
import Configuration
import Foundation
import Gallery
import Photos
import Resources
import Services
import ViewModels

/// Prints photos that exist in several files. It changes none.
struct Duplicates: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "duplicates", abstract: "Print photos that exist in several files.",
    discussion: """
      Duplicates have the same bytes, or are the same picture in another size, format or quality. The first of each group is \
      the one to keep. Nothing is changed; the gallery finds them with is:duplicate and rejects the others with one key.

      The exit code is 0 if there are none, 1 if there are some, and 2 if photos could not be read.
      """)

  @Argument(
    help: "Folders with their subfolders, and photos; a catalog; or - for a list of paths on standard input.",
    completion: .file())
  var files: [FileArgument]

  @Option(help: "A block of lines for each group (text), an array of groups (json), or a table with tabs (tsv).")
  var format = ListFormat.text

  func validate() throws {
    try GallerySource.checkIsHere(files, command: "duplicates")
    try GallerySource(files).check()
  }

  func run() throws {
    let source = try GallerySource(files).withoutNeighbors
    if let fault = source.fault {
      Shell.print(fault.messageInShell, to: .standardError)
      Foundation.exit(Self.failure)
    }
    Shell.run(Self.self) { try await find(source) }
  }

  /// The exit code if some photos could not be read, as that of `diff`.
  private static let failure: Int32 = 2

  @MainActor
  private func find(_ source: GallerySource) async throws -> Int32 {
    if Resources.imageWorker == nil { throw TextOnlyError() }
    let parts = PhotoParts(editedEndings: ConfigurationSource.user.read().configuration.editedEndings)
    guard let found = await Shell.photos(of: source, parts: parts) else { return Self.failure }
    let finder = DuplicateFinder(service: GalleryServices.makeAppraiser())
    let duplicates = await finder.duplicates(in: found.photos) { ProgressLine.show("\($0) of \($1) photos looked at") }
    ProgressLine.clear()
    let groups = DuplicateListing.groups(of: duplicates ?? DuplicateGroups(), in: found.photos)
    try Shell.write(try DuplicateListing.bytes(of: groups, format))
    if found.problems.count > 0 { return Self.failure }
    return groups.isEmpty ? EXIT_SUCCESS : EXIT_FAILURE
  }
}

/// A photo of a group, as the command prints it.
private struct DuplicateListing: Encodable {
  let path: String
  let width: Int?
  let height: Int?
  let format: String?
  let bytes: Int?
  let hasMetadata: Bool
  let rating: Int?
  /// Whether the file has the same bytes as the first one of the group.
  let hasSameBytes: Bool

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case path, width, height, format, bytes
    case hasMetadata = "has_metadata"
    case rating
    case hasSameBytes = "has_same_bytes"
  }

  init(_ photo: Photo, _ facts: DuplicateFacts, hasSameBytes: Bool) {
    path = photo.image.printable
    width = photo.metadata.flatMap { $0.width > 0 ? $0.width : nil }
    height = photo.metadata.flatMap { $0.height > 0 ? $0.height : nil }
    format = facts.format
    bytes = facts.size
    hasMetadata = facts.hasMetadata
    rating = photo.metadata?.rating
    self.hasSameBytes = hasSameBytes
  }

  static func groups(of duplicates: DuplicateGroups, in photos: PhotoTable) -> [[DuplicateListing]] {
    let indices = Dictionary(photos.indices.map { (photos.id(at: $0), $0) }) { first, _ in first }
    return duplicates.groups.map { group in
      group.enumerated().compactMap { place, member in
        guard let index = indices[member.id] else { return nil }
        let files = photos.files(of: index)
        return DuplicateListing(
          files[0], DuplicateFacts(files, size: member.size), hasSameBytes: place > 0 && member.isEqual)
      }
    }
  }

  static func bytes(of groups: [[DuplicateListing]], _ format: ListFormat) throws -> [UInt8] {
    switch format {
    case .text: Array(groups.map { $0.map(\.line).joined() }.joined(separator: "\n").utf8)
    case .tsv:
      Array(
        ((["group"] + CodingKeys.allCases.map(\.rawValue)).joined(separator: "\t") + "\n"
          + groups.enumerated().flatMap { number, group in group.map { "\(number + 1)\t\($0.row)\n" } }.joined()).utf8)
    case .json:
      try {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(groups)) + [UInt8(ascii: "\n")]
      }()
    }
  }

  private var row: String {
    let values = [
      path, width.map(String.init), height.map(String.init), format, bytes.map(String.init),
      hasMetadata ? "yes" : "no", rating.map(String.init), hasSameBytes ? "yes" : "no",
    ]
    return values.map { ($0 ?? "").printable.replacing("\t", with: " ") }.joined(separator: "\t")
  }

  private var line: String {
    let pixels = width.flatMap { width in height.map { "\(width)×\($0)" } }
    let stars: String? =
      switch rating {
      case PhotoDecisions.rejected?: "rejected"
      case 1?: "1 star"
      case let stars? where stars > 1: "\(stars) stars"
      default: nil
      }
    let facts = [
      pixels, format, bytes.map { Int64($0).fileSizeText }, hasMetadata ? nil : "no metadata", stars,
      hasSameBytes ? "same bytes" : nil,
    ]
    return "\(path.printable)\n    \(facts.compactMap(\.self).joined(separator: ", "))\n"
  }
}
