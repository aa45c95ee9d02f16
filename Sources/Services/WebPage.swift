import FoundationEssentials
import Gallery
import HTTP

/// One page of a catalogue on the web, as its server sent it.
struct WebPage: Sendable {
  /// Where it came from: what relative addresses in it are relative to.
  var address: String
  /// The header `Link`.
  var link: String?
  var validators: HTTPValidators
  var body: [UInt8]
  /// When it was fetched, if it comes from what was kept.
  var keptSince: Date?
  /// Whether the server lets it be kept (RFC 9111, section 5.2.2.5).
  var mayBeKept = true

  init(_ response: HTTPResponse) {
    (address, link, body) = (response.address, response.headers["link"], response.body)
    validators = response.validators
    mayBeKept = response.headers["cache-control"]?.lowercased().contains("no-store") != true
  }

  init(address: String, link: String?, validators: HTTPValidators, body: [UInt8], keptSince: Date?) {
    (self.address, self.link, self.validators, self.body) = (address, link, validators, body)
    self.keptSince = keptSince
  }

  private static let pieceSize = 1 << 16

  /// The photos that there are already, and after them those of this page that are not among them.
  ///
  /// A page that brings none, or has the number of one before, is the last, whatever it says: else a server that sends
  /// the same page again, or a circle of links, would never end.
  ///
  /// - Throws: `APIError.serverFault`, where this is no page of photos.
  func snapshot(after previous: PhotoSnapshot?) throws(APIError) -> PhotoSnapshot {
    guard let address = HTTPAddress(address) else { throw .unsafeAddress(address, fault: "it cannot be read") }
    let reader = try read(from: address)
    var result = previous ?? PhotoSnapshot()
    let known = Set(result.photos.indices.lazy.map { result.photos.id(at: $0) })
    let count = result.photos.count
    result.photos.append(reader.photos) { !known.contains($0) }
    (result.nextPage, result.isComplete) = (nil, true)
    result.keptSince = [result.keptSince, keptSince].compactMap(\.self).min()
    let number = Self.number(reader.pageNumber)
    guard previous == nil || result.photos.count > count && number.map({ $0 > result.pageNumber }) ?? true else {
      (result.totalPages, result.totalItems) = (result.pageNumber, result.photos.count)
      return result
    }
    result.pageNumber = number ?? (previous == nil ? 1 : result.pageNumber + 1)
    result.totalPages = max(Self.number(reader.totalPages) ?? result.totalPages, result.pageNumber)
    result.totalItems = max(reader.totalItems ?? result.totalItems, result.photos.count)
    for problem in reader.problems.first { result.problems.append(problem.onPage(result.pageNumber)) }
    setNextPage(of: &result, isNumbered: number != nil && reader.totalPages != nil, from: address)
    return result
  }

  private func read(from address: HTTPAddress) throws(APIError) -> CatalogueReader {
    var reader = CatalogueReader(base: .web(address.withoutQuery))
    if body.starts(with: Inflater.mark) {
      let unpacked = Self.unpack(body)
      guard unpacked.bytes.count <= HTTPRequest.largestPage else {
        throw APIError(HTTPError.bodyTooLarge(host: address.host, limit: HTTPRequest.largestPage))
      }
      unpacked.bytes.withUnsafeBytes { reader.feed($0) }
      reader.finish(failure: unpacked.failure)
    } else {
      body.withUnsafeBytes { reader.feed($0) }
      reader.finish()
    }
    if reader.photos.isEmpty, let problem = reader.problems.first.first {
      throw .serverFault(server: address.host, fault: "its answer cannot be read: \(problem)")
    }
    return reader
  }

  /// What gzip has packed, as far as it can be unpacked, and not much more than a page may have.
  private static func unpack(_ body: [UInt8]) -> (bytes: [UInt8], failure: String?) {
    let packed = UnsafeMutableRawBufferPointer.allocate(byteCount: body.count, alignment: 1)
    defer { packed.deallocate() }
    packed.copyBytes(from: body)
    var bytes: [UInt8] = []
    do throws(CatalogueInput.Failure) {
      let inflater = try Inflater()
      for start in stride(from: 0, to: packed.count, by: pieceSize) where bytes.count <= HTTPRequest.largestPage {
        let piece = packed[start..<min(start + pieceSize, packed.count)]
        try inflater.inflate(UnsafeMutableRawBufferPointer(rebasing: piece)) { bytes.append(contentsOf: $0) }
      }
      if bytes.count <= HTTPRequest.largestPage { try inflater.finish() }
      return (bytes, nil)
    } catch {
      return (bytes, error.reason)
    }
  }

  private func setNextPage(of snapshot: inout PhotoSnapshot, isNumbered: Bool, from address: HTTPAddress) {
    if let target = link.flatMap({ WebLink.target(of: "next", in: $0) }) {
      guard let next = address.resolving(target), address.mayLead(to: next) else {
        let reason =
          "the next page is not opened: \(target) is not an http or https address, or leads from https to http"
        return snapshot.problems.append(CatalogueProblem(.page(snapshot.pageNumber), reason: reason))
      }
      snapshot.nextPage = next.text
    } else if isNumbered, snapshot.pageNumber < snapshot.totalPages {
      snapshot.nextPage = address.setting("page", to: snapshot.pageNumber + 1)?.text
    }
  }

  /// Nil for what cannot be counted with.
  private static func number(_ value: Int?) -> Int? {
    value.flatMap { (1...Int(Int32.max)).contains($0) ? $0 : nil }
  }
}

extension CatalogueProblem {
  fileprivate func onPage(_ number: Int) -> CatalogueProblem {
    CatalogueProblem(.page(number), reason: description)
  }
}
