import Gallery
import Photos

/// What is looked for in some photos of a table, read once.
struct PieceIndex: Sendable {
  /// What a photo's file says as numbers.
  struct Numbers: Hashable, Sendable {
    var iso: Int32?
    /// In pixels; 0 where it is not known.
    var width: Int32 = 0
    var height: Int32 = 0
    var rating: Int8?
    var hasPlace = false
    var hasDate = false
  }

  /// The most photos that an index has.
  static let mostPhotos = 1 << 15

  /// The indexed photos.
  let range: Range<Int>
  /// Of each photo; empty if nothing is said of any.
  let numbers: [Numbers]
  /// By the numbers of the fields.
  private let words: [WordIndex]

  /// Reads these photos.
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

/// What the photos' files say, which is handed out whole and so asked for once.
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
  /// The part of an image's address or path that is searched as its file's name.
  public static func fileName(of imageURL: String) -> String {
    var imageURL = imageURL
    return imageURL.withUTF8 { String(decoding: $0.fileName, as: UTF8.self) }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The file's name of an address or of an absolute path; a relative path as a whole, since its folders say what the
  /// photos are of.
  fileprivate var fileName: UnsafeBufferPointer<UInt8> {
    let slash = UInt8(ascii: "/")
    let isAddress = prefix("https://".utf8.count).contains(UInt8(ascii: ":"))
    guard first == slash || isAddress, let last = lastIndex(of: slash) else { return self }
    return UnsafeBufferPointer(rebasing: self[(last + 1)...])
  }
}
