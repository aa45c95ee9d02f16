import FoundationEssentials
import Gallery
import Photos

/// A writer of catalogs (docs/catalog.md).
///
/// The catalog is one object, whose `photos` have one line each. The same photos always result in the same bytes.
public struct CatalogWriter {
  /// The choice whether the catalog contains the places where photos were taken.
  public enum Places: Sendable {
    case leftOut, written
  }

  private struct Entry {
    let index: TableIndex
    let id: Photo.ID
    let imageURL: String

    init(_ index: TableIndex, _ id: Photo.ID, _ imageURL: [UInt8]) {
      self.index = index
      self.id = id
      self.imageURL = String(decoding: imageURL, as: UTF8.self)
    }
  }

  /// The photos whose addresses cannot be written in JSON.
  public private(set) var leftOut: [SkippedPhoto] = []
  /// The number of photos in the catalog.
  public var count: Int { entries.count }

  private let photos: PhotoTable
  private let places: Places
  private let isForSale: (Photo) -> Bool?
  private var entries: [Entry] = []

  /// Creates a writer of a folder's photos, which are sorted by date and then by path.
  ///
  /// - Parameters:
  ///   - photos: The photos, whose images are files. Photos without metadata are skipped.
  ///   - folder: The absolute path of the folder that contains all of the photos.
  ///   - addressPrefix: The relative path from the catalog's folder to `folder`, empty or with a slash at the end.
  ///   - places: Whether the places where photos were taken are written.
  ///   - saleKeyword: The keyword that marks photos for sale. It is not case-sensitive.
  public init(_ photos: PhotoTable, in folder: FilePath, addressPrefix: [UInt8], places: Places, saleKeyword: String) {
    self.photos = photos
    self.places = places
    let saleKeyword = saleKeyword.lowercased()
    isForSale = { photo in photo.metadata?.keywords.contains { $0.lowercased() == saleKeyword } ?? false }
    let prefix = folder.appending([]).bytes.count
    var paths: [(index: TableIndex, path: ArraySlice<UInt8>)] = []
    for (index, photo) in zip(photos.indices, photos) {
      guard case .file(let path) = photo.image, photos.metadataBesideColumns(at: index) != nil else { continue }
      let name = path.bytes.dropFirst(prefix)
      if isWritable(addressPrefix + name, path) { paths.append((index, name)) }
    }
    var ids = PhotoIDs()
    let inOrder = paths.sorted { $0.path.lexicographicallyPrecedes($1.path) }
    let dated = inOrder.map { index, path in
      (date: photos.createdAt(at: index), entry: Entry(index, ids.id(path), addressPrefix + path))
    }
    // Photos with the same date stay in the order of their paths.
    let order = dated.indices.sorted { dated[$0].date == dated[$1].date ? $0 < $1 : dated[$0].date < dated[$1].date }
    entries = order.map { dated[$0].entry }
  }

  /// Creates a writer of photos from any source, which keep their order and their IDs.
  ///
  /// - Parameters:
  ///   - photos: The photos.
  ///   - path: The path of the catalog. The addresses of files are relative to its folder.
  public init(_ photos: [Photo], to path: FilePath) {
    self.photos = PhotoTable(photos)
    places = .leftOut
    isForSale = \.isForSale
    for (index, photo) in zip(self.photos.indices, photos) {
      switch photo.image {
      case .web(let address): entries.append(Entry(index, photo.id, Array(address.utf8)))
      case .file(let file):
        let address = Self.address(from: path.folder, to: file.folder) + file.name
        if isWritable(address, file) { entries.append(Entry(index, photo.id, address)) }
      }
    }
  }

  /// Returns whether an address can be written. If not, the photo is added to ``leftOut``.
  private mutating func isWritable(_ address: [UInt8], _ path: FilePath) -> Bool {
    if String(validating: address, as: UTF8.self) != nil { return true }
    leftOut.append(SkippedPhoto(name: path.printable, fault: .nameIsNotUTF8))
    return false
  }

  /// Writes the catalog, by passing pieces of about 64 KiB to `output`.
  public func write(_ output: ([UInt8]) throws -> Void) rethrows {
    var text = JSONWriter()
    text.open("{")
    for (name, value) in [("current_page", 1), ("total_pages", 1), ("total_items", count)] { text.add(name, value) }
    text.key("photos")
    text.open("[")
    for entry in entries {
      text.newRow()
      write(entry, to: &text)
      if text.bytes.count >= 1 << 16 { try output(text.take()) }
    }
    text.close(count == 0 ? "]}\n" : "\n]}\n")
    try output(text.take())
  }

  private func write(_ entry: Entry, to text: inout JSONWriter) {
    let photo = photos[entry.index]
    let metadata = photo.metadata ?? PhotoMetadata()
    text.open("{")
    text.add("id", entry.id)
    text.add("name", photo.name)
    text.add("description", photo.description)
    let created = photo.createdAt.timeIntervalSince1970 + Double(photo.createdOffset)
    text.add("created_at", CalendarTime(clock: created).iso8601(offset: photo.createdOffset))
    text.add("image_url", entry.imageURL)
    text.add("for_sale", isForSale(photo))
    text.add("camera", photo.camera)
    for field in MetadataField.all where !field.isOfPlace || places == .written { text.add(field, of: metadata) }
    if let author = photo.author {
      text.key("user")
      text.open("{")
      text.add("fullname", author)
      text.close("}")
    }
    text.add("license", photo.license)
    text.close("}")
  }
}

extension CatalogWriter {
  /// Returns the relative path from one folder to another, empty or with a slash at the end.
  ///
  /// Both paths must be absolute and contain no symbolic links.
  public static func address(from base: FilePath, to folder: FilePath) -> [UInt8] {
    let (base, folder) = (base.bytes.split(separator: slash), folder.bytes.split(separator: slash))
    let common = zip(base, folder).prefix { $0 == $1 }.count
    let steps = base.dropFirst(common).map { _ in ArraySlice("..".utf8) } + folder.dropFirst(common)
    return steps.flatMap { $0 + [slash] }
  }

  private static let slash = UInt8(ascii: "/")
}

extension JSONWriter {
  fileprivate mutating func add(_ field: MetadataField, of metadata: PhotoMetadata) {
    guard let name = field.names.first else { return }
    switch field.value {
    case .time(let path):
      add(name, metadata[keyPath: path]?.iso8601)
    case .integer(let path, _): add(name, metadata[keyPath: path])
    case .number(let path, _, _): add(name, metadata[keyPath: path])
    case .text(let path), .lines(let path): add(name, metadata[keyPath: path])
    case .texts(let path): add(name, metadata[keyPath: path])
    case .flag(let path): add(name, metadata[keyPath: path])
    }
  }
}
