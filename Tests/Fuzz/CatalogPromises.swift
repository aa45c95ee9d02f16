import Foundation
import Gallery
import HTTP
import Web

@testable import Catalog
@testable import Photos

/// The promises of the catalog reader.
struct CatalogPromises {
  private let base: any ImageBase
  private let size: Int
  private let bytes: [UInt8]

  init(_ input: [UInt8]) {
    var choices = InputChoices(input)
    let kind = Int(choices.byte())
    let page: (any ImageBase)? = kind < 0x80 ? nil : HTTPAddress("https://w.example/page")
    base = page ?? FilePath("/f")
    size = kind & 0x7F + 1
    bytes = Array(choices.rest)
  }

  func check() throws {
    let whole = read([bytes[...]])
    let parts = read(bytes.pieces(of: size))
    try promise(parts.photos.elementsEqual(whole.photos), "photos do not depend on the pieces of the file")
    try promise(parts.problems == whole.problems, "problems do not depend on the pieces of the file")
    try promise(parts.numbers == whole.numbers, "numbers do not depend on the pieces of the file")
    let most = bytes.count + 1
    try promise(whole.photos.count + whole.problems.count <= most, "each photo and each problem takes a byte")
    for photo in whole.photos { try check(photo) }
    let checked = read([bytes[...]], audit: CatalogAudit(folder: "/f"))
    try promise(checked.photos.elementsEqual(whole.photos), "a check reads the same photos")
    try promise(checked.problems.count >= whole.problems.count, "a check finds at least as many problems")
    if whole.problems.count == 0, bytes.first == UInt8(ascii: "[") {
      let fault = JSONSyntax.firstFault(in: Data(bytes))
      try promise(fault == nil || fault?.reason == .tooDeep, "invalid JSON is a problem")
    }
  }

  private func read(_ pieces: [ArraySlice<UInt8>], audit: CatalogAudit? = nil) -> CatalogReader {
    var reader = CatalogReader(base: base, audit: audit)
    for piece in pieces { piece.withUnsafeBytes { reader.feed($0) } }
    reader.finish()
    return reader
  }

  private func check(_ photo: Photo) throws {
    let metadata = photo.metadata
    let texts = [photo.name, photo.camera, photo.author, photo.license, metadata?.lens, metadata?.label].compactMap(
      \.self)
    for text in texts + (metadata?.keywords ?? []) { try promise(text.isHarmless, "texts are printable") }
    try promise(
      photo.description?.split(separator: "\n").allSatisfy { String($0).isHarmless } ?? true, "lines are printable")
    let size = texts.reduce(0) { $0 + $1.utf8.count }
    try promise(size <= 6 * bytes.count, "a photo's texts are no longer than the catalog's")
    try metadata?.checkRanges()
    guard base is HTTPAddress else { return }
    guard case .web(let address) = photo.image else { throw BrokenPromise(description: "the web names no files") }
    try promise(
      ["http://", "https://"].contains(where: address.hasPrefix), "a page of the web names addresses of the web")
  }
}

extension CatalogReader {
  fileprivate var numbers: [Int?] { [pageNumber, totalPages, totalItems] }
}

extension PhotoMetadata {
  /// Checks the promises of all readers of metadata.
  func checkRanges() throws {
    let sides = 0...Int(Int32.max)
    try promise(sides.contains(width) && sides.contains(height), "an image's sides fit into 32 bits")
    let positive = [exposureTime, fNumber, focalLength, iso.map(Double.init)].compactMap(\.self)
    try promise(positive.allSatisfy { $0 > 0 && $0.isFinite }, "measured values are positive")
    try promise(rating.map { (-1...5).contains($0) } ?? true, "there are at most five stars")
    try promise(exposureBias.map(PhotoMetadata.exposureBiases.contains) ?? true, "an exposure bias is one of Exif's")
    try promise((series == nil) == (seriesCode == nil), "each code of a series has a kind")
    try promise(seriesNumber.map { $0 > 0 } ?? true, "the shots of a series are counted from 1")
    let coordinates = [focusX, focusY].compactMap(\.self)
    try promise(
      [0, 2].contains(coordinates.count) && coordinates.allSatisfy(FocusPoint.coordinates.contains),
      "a focus point is within the image")
    guard let place else { return }
    let isOnEarth = (-90...90).contains(place.latitude) && (-180...180).contains(place.longitude)
    try promise(isOnEarth && place.altitude?.isFinite ?? true, "places are on earth")
  }
}
