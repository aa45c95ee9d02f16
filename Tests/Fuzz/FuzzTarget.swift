/// A part of the program that is fuzzed.
///
/// Its promises must hold for every input. `make fuzz` tries millions of inputs, and `make test` tries those in
/// `Tests/Corpus`.
enum FuzzTarget: String, CaseIterable, Sendable {
  /// Text from outside, made printable and measured.
  case text
  /// A catalog in JSON.
  case catalog
  /// The bytes that a terminal sends.
  case terminal
  /// The messages between the gallery and its image workers.
  case wire
  /// The messages between two galleries on two machines.
  case remote
  /// The metadata of a photo's file.
  case metadata
  /// An image that the worker decodes.
  case image
  /// A video, of which the worker decodes a frame.
  case video
  /// A raw file that the worker develops.
  case raw
  /// An archive whose photos the worker lists and unpacks.
  case archive
  /// A sidecar that another program has written, which the user changes.
  case sidecar
  /// A row of the journal.
  case journal
  /// The user's configuration, and the lists of codes that it names.
  case configuration
  /// A PO file with translations.
  case languages
  /// A track of a GPS receiver.
  case track
  /// The list of a folder that a WebDAV server sends.
  case webdav
  /// The list of a bucket that an S3 server sends.
  case s3
  /// A page of photos that an Immich server sends.
  case immich

  /// Checks the promises for an input.
  ///
  /// - Throws: ``BrokenPromise`` if one does not hold.
  func check(_ input: [UInt8]) throws {
    switch self {
    case .text: try TextPromises(input).check()
    case .catalog: try CatalogPromises(input).check()
    case .terminal: try TerminalPromises(input).check()
    case .wire: try WirePromises(input).check()
    case .remote: try RemotePromises(input).check()
    case .metadata: try MetadataPromises(input).check()
    case .image: try ImagePromises(input).check()
    case .video: try ImagePromises(input, frames: [0, 1, 300, -500, 60_000]).check()
    case .raw: try ImagePromises(input, isDeveloped: true).check()
    case .archive: try ArchivePromises(input).check()
    case .sidecar: try SidecarPromises(input).check()
    case .journal: try JournalPromises(input).check()
    case .configuration: try ConfigurationPromises(input).check()
    case .languages: try TranslationPromises(input).check()
    case .track: try TrackPromises(input).check()
    case .webdav: try ServerPromises(.webDAV, input).check()
    case .s3: try ServerPromises(.s3, input).check()
    case .immich: try ServerPromises(.immich, input).check()
    }
  }
}

/// A promise that does not hold for an input.
struct BrokenPromise: Error, CustomStringConvertible {
  let description: String
}

/// Throws a ``BrokenPromise`` with a description unless the promise holds.
func promise(_ holds: Bool, _ text: @autoclosure () -> String) throws {
  if !holds { throw BrokenPromise(description: text()) }
}

/// The choices that the bytes of an input encode: sizes, kinds, and texts. After the end of the input, bytes are 0.
struct InputChoices {
  private(set) var rest: ArraySlice<UInt8>

  init(_ input: [UInt8]) { rest = input[...] }

  /// Takes the next byte.
  mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

  /// Takes four bytes and returns them as a number in the range.
  mutating func number(in range: ClosedRange<Int>) -> Int {
    let value = (0..<4).reduce(0) { value, _ in value << 8 | Int(byte()) }
    return range.lowerBound + value % (range.upperBound - range.lowerBound + 1)
  }

  /// Takes one byte as a length, then takes and returns that many bytes.
  mutating func bytes() -> [UInt8] {
    let count = Int(byte())
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  mutating func text() -> String { String(decoding: bytes(), as: UTF8.self) }
}

extension Collection {
  /// Returns pieces of `size` elements, of which the last one may be shorter.
  func pieces(of size: Int) -> [SubSequence] {
    var (pieces, rest) = ([SubSequence](), self[...])
    while !rest.isEmpty {
      pieces.append(rest.prefix(size))
      rest = rest.dropFirst(size)
    }
    return pieces
  }
}
