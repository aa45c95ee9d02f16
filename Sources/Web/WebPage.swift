import Catalog
import FoundationEssentials
import Gallery
import HTTP
import Photos

/// One page of a catalog on the web, as its server sent it.
struct WebPage: Sendable {
  /// The address that the page came from. Relative addresses in the page start from it.
  var address: String
  /// The value of the header `Link`.
  var link: String?
  var validators: HTTPValidators
  var body: PageBody
  /// The time when the page was fetched, or nil if it does not come from the cache.
  var keptSince: Date?
  /// Whether the server allows the page to be cached (RFC 9111, section 5.2.2.5).
  var mayBeKept = true

  init(_ response: HTTPResponse, body: PageBody) {
    address = response.address
    link = response.headers["link"]
    self.body = body
    validators = response.validators
    mayBeKept = response.headers["cache-control"]?.lowercased().contains("no-store") != true
  }

  init(address: String, link: String?, validators: HTTPValidators, body: PageBody, keptSince: Date?) {
    self.address = address
    self.link = link
    self.validators = validators
    self.body = body
    self.keptSince = keptSince
  }

  /// The largest size of a photo's entry in bytes. No valid entry is larger.
  private static let longestPhoto = 1 << 20

  /// Returns the photos of a previous snapshot, followed by those of this page that are new.
  ///
  /// The page is the last one if it adds no photos, or if its number is not higher than that of the page before.
  /// Otherwise, a server that sends the same page again, or a circle of links, would never end.
  ///
  /// - Throws: `APIError.serverFault` if this is not a page of photos.
  func snapshot(after previous: PhotoSnapshot?) throws(APIError) -> PhotoSnapshot {
    guard let address = HTTPAddress(address) else { throw .unsafeAddress(address, .invalid) }
    let reader = try read(from: address)
    var result = previous ?? PhotoSnapshot()
    let known = Set(result.photos.indices.lazy.map { result.photos.id(at: $0) })
    let count = result.photos.count
    result.photos.append(reader.photos) { !known.contains($0) }
    result.nextPage = nil
    result.isComplete = true
    result.keptSince = [result.keptSince, keptSince].compactMap(\.self).min()
    let number = Self.number(reader.pageNumber)
    guard previous == nil || result.photos.count > count && number.map({ $0 > result.pageNumber }) ?? true else {
      result.totalPages = result.pageNumber
      result.totalItems = result.photos.count
      return result
    }
    result.pageNumber = number ?? (previous == nil ? 1 : result.pageNumber + 1)
    result.totalPages = max(Self.number(reader.totalPages) ?? result.totalPages, result.pageNumber)
    result.totalItems = max(reader.totalItems ?? result.totalItems, result.photos.count)
    for problem in reader.problems.first {
      result.problems.append(CatalogProblem(.page(result.pageNumber), .text(problem)))
    }
    setNextPage(of: &result, isNumbered: number != nil && reader.totalPages != nil, from: address)
    return result
  }

  private func read(from address: HTTPAddress) throws(APIError) -> CatalogReader {
    var reader = CatalogReader(base: address.withoutQuery, mostBytesOfOne: Self.longestPhoto)
    if body.prefix(Inflater.mark.count) == Inflater.mark {
      guard unpack(to: &reader) <= HTTPRequest.largestPage else {
        throw .serverFault(server: address.host, .bodyTooLarge(limit: HTTPRequest.largestPage))
      }
    } else {
      body.forEachPiece { piece in
        reader.feed(UnsafeRawBufferPointer(piece))
        return true
      }
      reader.finish()
    }
    if reader.photos.isEmpty, let problem = reader.problems.first.first {
      if WebMarkup.begins(body.prefix(WebMarkup.longestLead)) {
        throw .serverFault(server: address.host, .webPage(insteadOf: .catalog))
      }
      throw .serverFault(server: address.host, .unreadable(.problem(problem)))
    }
    return reader
  }

  /// Reads a page that is compressed with gzip, as far as it can be decompressed, but little more than a page may have.
  ///
  /// - Returns: The number of decompressed bytes.
  private func unpack(to reader: inout CatalogReader) -> Int {
    var size = 0
    do throws(ReadingFault) {
      let inflater = try Inflater()
      try body.forEachPiece { (piece) throws(ReadingFault) in
        try inflater.inflate(piece) { bytes in
          size += bytes.count
          reader.feed(bytes)
        }
        return size <= HTTPRequest.largestPage
      }
      if size <= HTTPRequest.largestPage { try inflater.finish() }
      reader.finish()
    } catch {
      reader.finish(failure: error)
    }
    return size
  }

  private func setNextPage(of snapshot: inout PhotoSnapshot, isNumbered: Bool, from address: HTTPAddress) {
    if let target = link.flatMap({ WebLink.target(of: "next", in: $0) }) {
      guard let next = address.resolving(target), address.mayLead(to: next) else {
        return snapshot.problems.append(CatalogProblem(.page(snapshot.pageNumber), .nextPage(target)))
      }
      snapshot.nextPage = next.text
    } else if isNumbered, snapshot.pageNumber < snapshot.totalPages {
      snapshot.nextPage = address.setting("page", to: snapshot.pageNumber + 1)?.text
    }
  }

  /// Returns a page number, or nil if it is out of range.
  private static func number(_ value: Int?) -> Int? {
    value.flatMap { (1...Int(Int32.max)).contains($0) ? $0 : nil }
  }
}

/// The address of a page, as the base for the addresses of its images. A page can name images on the web, but no files.
extension HTTPAddress: ImageBase {
  /// Returns the location of an image on the web, or nil if its address is invalid.
  public func location(of imageURL: String) -> ImageLocation? { resolving(imageURL).map { .web($0.text) } }
}
