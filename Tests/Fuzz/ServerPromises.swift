import Catalog
import Foundation
import Gallery
import HTTP
import Photos
import Store

@testable import Web

/// The promises of the answers of servers that keep photos.
struct ServerPromises {
  /// The protocol of a server.
  enum Kind { case webDAV, s3, immich }

  private let kind: Kind
  private let bytes: [UInt8]

  private static let client = HTTPClient(userAgent: "Fuzz/1", environment: [:], clock: ContinuousClock())

  init(_ kind: Kind, _ input: [UInt8]) {
    self.kind = kind
    bytes = input
  }

  func check() throws {
    switch kind {
    case .webDAV: try checkFiles("davs://nas.example/photos")
    case .s3: try checkFiles("s3://photos")
    case .immich: try checkAssets()
    }
  }

  private func checkFiles(_ text: String) throws {
    let settings = S3Settings(environment: [:])
    guard let address = FileServerAddress(text, s3: settings),
      let file = FuzzedFile.make(of: bytes)
    else { throw BrokenPromise(description: "there is a server and a page") }
    defer { close(file) }
    let named = address.server(headers: [:], password: nil, s3: settings)
    let cache = PageCache(folder: nil)
    let server = FileServerAccess(address, server: named, client: Self.client, cache: cache).server
    let body = PageBody(descriptor: file)
    let page = WebPage(
      address: address.base, link: nil, validators: HTTPValidators(), body: body, keptSince: nil)
    let part = FileListPart(folder: address.folder)
    let whole = try? server.fileList(page, of: part)
    if let whole { try check(whole, address, part) }
    guard let start = server.start(of: body, of: part) else { return }
    try check(start, address, part)
    if let whole { try promise(start.files == whole.files, "the start of a whole answer has all of its files") }
  }

  private func check(_ list: FileList, _ address: FileServerAddress, _ part: FileListPart) throws {
    for file in list.files { try check(file.path, address) }
    for further in list.further {
      try check(further.folder, address)
      try promise(further != part, "a list has no end if it leads to itself")
    }
  }

  /// Checks that a path is below the folder of the user, and that it has an address that leads to it.
  private func check(_ path: FilePath, _ address: FileServerAddress) throws {
    let names = path.bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst()
    try promise(!names.contains { $0.elementsEqual("..".utf8) || $0.elementsEqual(".".utf8) }, "no path leads up")
    try promise(address.folder == "/" || path.bytes.starts(with: address.folder.bytes), "paths are in the folder")
    let image = address.image(path, version: 1)
    try promise(image.hasPrefix(address.base), "images are on the server")
    try promise(image.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "addresses are ASCII")
    try promise(address.path(ofImage: image) == path, "the address of an image leads to its path")
  }

  private func checkAssets() throws {
    guard let page = try? JSONAnswer.decode(ImmichPage.self, from: Data(bytes)) else { return }
    var list = ImmichList(base: ImmichBase(api: "https://nas.example/api"), clocks: nil)
    _ = list.add(page, keptSince: nil)
    let snapshot = list.snapshot(isComplete: true)
    try promise(snapshot.photos.count <= 2 * page.assets.items.count, "an asset is a photo, and perhaps its movie")
    for photo in snapshot.photos {
      guard case .web(let image) = photo.image else { throw BrokenPromise(description: "the web names no files") }
      try promise(image.hasPrefix("https://nas.example/api/assets/"), "images are on the server")
      try promise(photo.name.isHarmless, "names are printable")
      try photo.metadata?.checkRanges()
      try photo.metadata?.checkTexts()
    }
  }
}
