import Gallery
import Geography
import Photos

/// The searchable contents of some photos of a table, read once for many queries.
struct PieceIndex: Sendable {
  /// The largest number of photos in an index.
  static let mostPhotos = 1 << 15

  /// The indexed photos.
  let range: Range<TableIndex>
  /// The words of each text.
  let words: [PhotoQuery.SearchedText: WordIndex]
  /// The numbers of the metadata fields. Numbers that no photo has are absent.
  let numbers: [MetadataField.Number: NumberColumn]
  /// The rows of the photos that are not found by themselves, because they are files of others.
  let hiddenRows: [Int]

  /// Reads the photos of a range.
  init(_ table: PhotoTable, _ range: Range<TableIndex>) {
    precondition(range.count <= Self.mostPhotos, "a photo's number has 16 bits")
    self.range = range
    let groups = table.groups
    hiddenRows = groups.isEmpty ? [] : range.filter(groups.isHidden).map(range.lowerBound.distance)
    let metadata = MetadataIndex(table, range)
    numbers = metadata.knownNumbers
    words = metadata.wordsOfTexts.merging(
      [
        .name: Self.words(of: table, range, .name),
        .description: Self.words(of: table, range, .description),
        .camera: Self.words(of: table, range, .camera),
        .author: Self.words(of: table, range, .author),
        .file: Self.words(of: table, range, .imageURL, \.fileName),
        .folder: Self.words(of: table, range, .imageURL, \.folder),
      ], uniquingKeysWith: { $1 })
  }

  private static func words(
    of table: PhotoTable, _ range: Range<TableIndex>, _ column: PhotoColumn,
    _ part: (UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> = { $0 }
  ) -> WordIndex {
    let groups = table.groups
    var builder = WordIndexBuilder()
    for index in range {
      groups.forEachPhoto(shownAs: index) { file in
        table.withText(column, at: file) { builder.append(part($0), row: UInt16(range.lowerBound.distance(to: index))) }
      }
    }
    return WordIndex(builder)
  }
}

/// One number of each photo, such as the sensitivity.
///
/// A `Float` is exact for integers up to 16,777,216 and for a place on the Earth to two meters. A `Double` would take
/// twice the memory.
struct NumberColumn: Sendable {
  /// The numbers. The list is empty until a number is set.
  private var values: [Float] = []

  /// Whether all numbers are unknown.
  var isEmpty: Bool { values.isEmpty }

  /// The number of a photo, or the field's ``MetadataField/Number/absent`` if it is unknown.
  subscript(row: Int) -> Float { values[row] }

  /// Calls `body` with the number of each photo. Unknown numbers are left out unless the field has one for them.
  func forEachValue(_ body: (Float) -> Void) {
    for value in values where !value.isNaN { body(value) }
  }

  /// Sets the number of a photo unless it is known. The unknown numbers of the others are `absent`.
  mutating func set(_ number: Double, row: Int, count: Int, absent: Double) {
    if values.isEmpty { values = Array(repeating: Float(absent), count: count) }
    guard values[row].isNaN || values[row] == Float(absent) else { return }
    values[row] = Float(number)
  }
}

/// The searchable metadata of some photos.
///
/// A table unpacks the metadata of a photo as a whole, so all fields are collected in one pass.
private struct MetadataIndex {
  private var words: [WordCollector] = []
  private var guesses = PlaceGuess.allCases.map { GuessCollector(guess: $0) }
  private var numbers: [NumberCollector] = []

  init(_ table: PhotoTable, _ range: Range<TableIndex>) {
    for field in MetadataField.all {
      switch field.search {
      case .words(let field): words.append(WordCollector(field: field))
      case .number(let field): numbers.append(NumberCollector(field: field))
      case nil: break
      }
    }
    let groups = table.groups
    for index in range {
      let row = range.lowerBound.distance(to: index)
      groups.forEachPhoto(shownAs: index) { file in
        guard let metadata = table.metadataBesideColumns(at: file) else { return }
        for place in words.indices { words[place].append(metadata, row: row) }
        if let city = metadata.nearestCity {
          for place in guesses.indices { guesses[place].append(metadata, near: city, row: row) }
        }
        for place in numbers.indices { numbers[place].append(metadata, row: row, count: range.count) }
      }
    }
  }

  var wordsOfTexts: [PhotoQuery.SearchedText: WordIndex] {
    let own = words.map { (PhotoQuery.SearchedText.metadata($0.field), WordIndex($0.builder)) }
    return Dictionary(uniqueKeysWithValues: own + guesses.map { (.guess($0.guess), WordIndex($0.builder)) })
  }

  var knownNumbers: [MetadataField.Number: NumberColumn] {
    Dictionary(uniqueKeysWithValues: numbers.filter { !$0.column.isEmpty }.map { ($0.field, $0.column) })
  }
}

/// The words of one metadata field.
private struct WordCollector {
  let field: MetadataField.Words
  private(set) var builder = WordIndexBuilder()

  init(field: MetadataField.Words) { self.field = field }

  mutating func append(_ metadata: PhotoMetadata, row: Int) {
    field.forEachText(metadata) { text in
      var text = text
      text.withUTF8 { builder.append($0, row: UInt16(row)) }
    }
  }
}

/// The words of one guess.
private struct GuessCollector {
  let guess: PlaceGuess
  private(set) var builder = WordIndexBuilder()

  init(guess: PlaceGuess) { self.guess = guess }

  mutating func append(_ metadata: PhotoMetadata, near city: City, row: Int) {
    guard var text = guess.text(for: metadata, near: city) else { return }
    text.withUTF8 { builder.append($0, row: UInt16(row)) }
  }
}

/// The numbers of one metadata field.
private struct NumberCollector {
  let field: MetadataField.Number
  private(set) var column = NumberColumn()

  init(field: MetadataField.Number) { self.field = field }

  mutating func append(_ metadata: PhotoMetadata, row: Int, count: Int) {
    if let number = field.value(metadata) { column.set(number, row: row, count: count, absent: field.absent) }
  }
}

extension PhotoQuery {
  /// Returns the part of an image's address or path that is searched as the name of its file.
  public static func fileName(of imageURL: String) -> String {
    var imageURL = imageURL
    return imageURL.withUTF8 { String(decoding: $0.fileName, as: UTF8.self) }
  }

  /// Returns the part of an image's address or path that is searched as its folder.
  public static func folder(of imageURL: String) -> String {
    var imageURL = imageURL
    return imageURL.withUTF8 { String(decoding: $0.folder, as: UTF8.self) }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The file name of a web address or an absolute path. A relative path is kept as a whole, because its folders say
  /// what the photos show.
  fileprivate var fileName: UnsafeBufferPointer<UInt8> {
    let slash = UInt8(ascii: "/")
    guard first == slash || isAddress, let last = lastIndex(of: slash) else { return self }
    return UnsafeBufferPointer(rebasing: self[(last + 1)...])
  }

  /// The folders of a path or a web address, without the address's server.
  fileprivate var folder: UnsafeBufferPointer<UInt8> {
    let slash = UInt8(ascii: "/")
    let path = isAddress ? dropFirst("https://".utf8.count).drop { $0 != slash } : self[...]
    return UnsafeBufferPointer(rebasing: path[..<(path.lastIndex(of: slash) ?? path.startIndex)])
  }

  /// Whether the text is a web address.
  private var isAddress: Bool {
    let start = prefix("https://".utf8.count)
    return start.firstIndex(of: UInt8(ascii: ":")).map { start[$0...].starts(with: "://".utf8) } ?? false
  }
}
