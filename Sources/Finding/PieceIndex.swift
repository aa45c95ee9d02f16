import Gallery
import Photos

/// The searchable contents of some photos of a table, read once for many queries.
struct PieceIndex: Sendable {
  /// The metadata of a photo that a query compares as numbers.
  struct Numbers: Hashable, Sendable {
    /// The sensitivity, or nil if it is unknown.
    var iso: Int32?
    /// The width in pixels, or 0 if it is unknown.
    var width: Int32 = 0
    /// The height in pixels, or 0 if it is unknown.
    var height: Int32 = 0
    var rating: Int8?
    var hasPlace = false
    var hasDate = false
  }

  /// The largest number of photos in an index.
  static let mostPhotos = 1 << 15

  /// The indexed photos.
  let range: Range<Int>
  /// The numbers of each photo. The list is empty if none of the photos has metadata.
  let numbers: [Numbers]
  /// The words of each field, in the order of ``PhotoQuery/TextField``.
  private let words: [WordIndex]

  /// Reads the photos of a range.
  init(_ table: PhotoTable, _ range: Range<Int>) {
    precondition(range.count <= Self.mostPhotos, "a photo's number has 16 bits")
    self.range = range
    let metadata = MetadataIndex(table, range)
    numbers = metadata.numbers
    words = PhotoQuery.TextField.allCases.map { field in
      switch field {
      case .name: Self.words(of: table, range, .name)
      case .description: Self.words(of: table, range, .description)
      case .camera: Self.words(of: table, range, .camera)
      case .author: Self.words(of: table, range, .author)
      case .file: Self.words(of: table, range, .imageURL, \.fileName)
      case .lens: WordIndex(metadata.lenses)
      case .keyword: WordIndex(metadata.keywords)
      }
    }
  }

  subscript(field: PhotoQuery.TextField) -> WordIndex { words[field.rawValue] }

  private static func words(
    of table: PhotoTable, _ range: Range<Int>, _ column: PhotoTable.Column,
    _ part: (UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> = { $0 }
  ) -> WordIndex {
    var builder = WordIndexBuilder()
    for index in range {
      table.withText(column, at: index) { builder.append(part($0), row: UInt16(index - range.lowerBound)) }
    }
    return WordIndex(builder)
  }
}

/// The searchable metadata of some photos.
///
/// A table unpacks the metadata of a photo as a whole, so all fields are collected in one pass.
private struct MetadataIndex {
  private(set) var numbers: [PieceIndex.Numbers] = []
  private(set) var lenses = WordIndexBuilder()
  private(set) var keywords = WordIndexBuilder()

  init(_ table: PhotoTable, _ range: Range<Int>) {
    for index in range {
      guard let metadata = table.metadata(at: index) else { continue }
      let row = index - range.lowerBound
      if numbers.isEmpty { numbers = Array(repeating: .init(), count: range.count) }
      numbers[row] = PieceIndex.Numbers(metadata)
      if var lens = metadata.lens { lens.withUTF8 { lenses.append($0, row: UInt16(row)) } }
      for var keyword in metadata.keywords { keyword.withUTF8 { keywords.append($0, row: UInt16(row)) } }
    }
  }
}

extension PieceIndex.Numbers {
  fileprivate init(_ metadata: PhotoMetadata) {
    iso = metadata.iso.map { Int32(clamping: $0) }
    width = Int32(clamping: metadata.width)
    height = Int32(clamping: metadata.height)
    rating = metadata.rating.map { Int8(clamping: $0) }
    hasPlace = metadata.place != nil
    hasDate = metadata.takenAt != nil
  }
}

extension PhotoQuery {
  /// Returns the part of an image's address or path that is searched as the name of its file.
  public static func fileName(of imageURL: String) -> String {
    var imageURL = imageURL
    return imageURL.withUTF8 { String(decoding: $0.fileName, as: UTF8.self) }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The file name of a web address or an absolute path. A relative path is kept as a whole, because its folders say
  /// what the photos show.
  fileprivate var fileName: UnsafeBufferPointer<UInt8> {
    let slash = UInt8(ascii: "/")
    let isAddress = prefix("https://".utf8.count).contains(UInt8(ascii: ":"))
    guard first == slash || isAddress, let last = lastIndex(of: slash) else { return self }
    return UnsafeBufferPointer(rebasing: self[(last + 1)...])
  }
}
