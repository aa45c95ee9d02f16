/// What is fuzzed, and what must be true of every input: `make fuzz` tries millions, `make test` those in `Tests/Corpus`.
enum FuzzTarget: String, CaseIterable, Sendable {
  /// Text from outside, made printable and measured.
  case text
  /// A catalog in JSON.
  case catalog
  /// What a terminal sends.
  case terminal
  /// The messages between the browser and its image workers.
  case wire
  /// What a photo's file says.
  case metadata

  /// - Throws: ``BrokenPromise`` where something is not as it must be.
  func check(_ input: [UInt8]) throws {
    switch self {
    case .text: try TextPromises(input).check()
    case .catalog: try CatalogPromises(input).check()
    case .terminal: try TerminalPromises(input).check()
    case .wire: try WirePromises(input).check()
    case .metadata: try MetadataPromises(input).check()
    }
  }
}

struct BrokenPromise: Error, CustomStringConvertible {
  let description: String
}

func promise(_ holds: Bool, _ text: @autoclosure () -> String) throws {
  if !holds { throw BrokenPromise(description: text()) }
}

/// Bytes of an input as choices: sizes, kinds and texts; zeros where it ends before.
struct Choices {
  private(set) var rest: ArraySlice<UInt8>

  init(_ input: [UInt8]) { rest = input[...] }

  mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

  mutating func number(in range: ClosedRange<Int>) -> Int {
    let value = (0..<4).reduce(0) { value, _ in value << 8 | Int(byte()) }
    return range.lowerBound + value % (range.upperBound - range.lowerBound + 1)
  }

  mutating func bytes() -> [UInt8] {
    let count = Int(byte())
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  mutating func text() -> String { String(decoding: bytes(), as: UTF8.self) }
}

extension Collection {
  /// In pieces of so many, the last being shorter.
  func pieces(of size: Int) -> [SubSequence] {
    var (pieces, rest) = ([SubSequence](), self[...])
    while !rest.isEmpty {
      pieces.append(rest.prefix(size))
      rest = rest.dropFirst(size)
    }
    return pieces
  }
}
