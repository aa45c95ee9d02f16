import Foundation
import Gallery
import HTTP

/// The address of a folder on a server that keeps files: `davs://[USER@]HOST[:PORT]/FOLDER` for WebDAV, `dav://` without encryption,
/// and `s3://BUCKET[/FOLDER]`.
public struct FileServerAddress: Hashable, Sendable {
  /// The protocol of a server.
  public enum Kind: Hashable, Sendable {
    case webDAV, s3
  }

  /// The address as the user gave it.
  public let text: String
  /// The protocol.
  public let kind: Kind
  /// The name of the server's host, or that of the bucket.
  public let host: String
  /// The name of the user; nil if the address has none.
  public let user: String?
  /// The web address of the server's topmost folder, without a slash at its end.
  public let base: String
  /// The folder on the server.
  let folder: FilePath
  /// The address of the topmost folder with the same scheme as ``text``.
  private let start: String

  /// Whether an address has one of the schemes.
  public static func isMeant(by text: String) -> Bool {
    schemes.keys.contains { text.lowercased().hasPrefix($0 + "://") }
  }

  private static let schemes: [String: (kind: Kind, web: String)] = [
    "dav": (.webDAV, "http"), "davs": (.webDAV, "https"), "s3": (.s3, "https"),
  ]

  /// Creates an address, or returns nil if the text is none.
  /// - Parameter s3: The settings for S3, which say where buckets are.
  public init?(_ text: String, s3: @autoclosure () -> S3Settings) {
    guard let parts = URLComponents(string: text) ?? URLComponents(string: Self.encodedSpaces(text)),
      let scheme = parts.scheme?.lowercased(), let (kind, web) = Self.schemes[scheme],
      let host = parts.host?.lowercased(), !host.isEmpty, parts.password == nil, parts.query == nil,
      parts.fragment == nil, parts.user != "",
      // What else a host's name may have after decoding would lead to another server.
      host.utf8.allSatisfy({ (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || ".-_[]:".utf8.contains($0) }),
      kind == .webDAV || parts.user == nil && parts.port == nil
    else { return nil }
    self.text = text
    self.kind = kind
    self.host = host
    user = parts.user
    let port = parts.port.map { ":\($0)" } ?? ""
    let name = parts.user.map { Self.encoded($0) + "@" } ?? ""
    start = "\(scheme)://\(name)\(host)\(port)"
    // One server has one password, however its address is written.
    base = kind == .s3 ? s3().address(ofBucket: host) : "\(web)://\(host)\(port == Self.usualPorts[web] ? "" : port)"
    let path = parts.path.split(separator: "/").joined(separator: "/")
    if ["..", "."].contains(where: path.split(separator: "/").contains) { return nil }
    folder = FilePath("/" + path)
  }

  private static let usualPorts = ["http": ":80", "https": ":443"]

  private static func encodedSpaces(_ text: String) -> String { text.replacingOccurrences(of: " ", with: "%20") }

  /// The user and the server, which together have one password.
  public var login: String { "\(user ?? "")@\(base)" }

  /// The name of the folder, for the header.
  public var name: String { (folder == "/" ? host : "\(host): \(folder.printableName)").printable }

  /// The path under which the journal has the photos of the folder.
  public var root: FilePath { FilePath(folder == "/" ? base : web(folder)) }

  /// Returns the web address of a path.
  func web(_ path: FilePath) -> String { base + Self.encoded(path) }

  /// Returns the address of an image. The fragment, which no server gets, tells its versions apart in the cache.
  func image(_ path: FilePath, version: Int) -> String { "\(web(path))#\(String(version, radix: 36))" }

  /// Returns the address of a file from that of an image, or nil for one on another server.
  public func page(of image: String) -> String? {
    image.hasPrefix(base + "/") ? String(image.prefix { $0 != "#" }) : nil
  }

  /// Returns the path of an image's address, or nil for one on another server.
  func path(ofImage address: String) -> FilePath? {
    page(of: address)?.dropFirst(base.count).removingPercentEncodingBytes.map { FilePath($0) }
  }

  /// Returns the place of another folder of the server.
  func place(of folder: FilePath) -> Place {
    Place(
      arguments: [Array((start + Self.encoded(folder)).utf8)],
      name: folder == "/" ? host.printable : folder.printableName)
  }

  /// Encodes all but the unreserved characters of RFC 3986 and slashes, as the signature of S3 wants it.
  private static func encoded(_ path: FilePath) -> String {
    path.bytes.reduce(into: "") { text, byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D...0x2F, 0x5F, 0x7E: text.unicodeScalars.append(.init(byte))
      default: text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
  }

  static func encoded(_ text: String) -> String {
    encoded(FilePath(text)).replacingOccurrences(of: "/", with: "%2F")
  }
}

// Smaller versions of images.
extension FileServerAddress {
  /// The numbers of bytes that are fetched of a file for its metadata and its preview: first those that most cameras need for the
  /// metadata, then as many as previews may take before it.
  static let heads = [64 << 10, 512 << 10]

  /// The sides of Nextcloud's previews that are asked for, in pixels. It makes previews of these sizes anyway.
  private static let previewSides = [256, 1024]

  /// The rules for the smaller versions of images: the previews in the files, and those that a Nextcloud server makes.
  var versions: ImageVersions {
    var versions = ImageVersions()
    for format in ImageFormat.allCases where format == .jpeg || format.isRaw {
      // A JPEG's preview comes before its image. Those of raw files are larger, and follow all metadata.
      let count = format == .jpeg ? Self.heads[0] : Self.heads[1]
      for suffix in format.suffixes { versions.firstParts[suffix] = count }
    }
    guard let (files, site) = nextcloud else { return versions }
    versions.start = files
    versions.otherStart = "\(site)/index.php/core/preview.png?file="
    versions.smaller = Self.previewSides.map {
      // With this mode, the preview fills the square, and its shorter side has that of the square.
      ImageVersions.Smaller(ending: "&x=\($0)&y=\($0)&a=1&mode=cover&forceIcon=0", shorterSide: $0)
    }
    return versions
  }

  /// The address of the user's files on a Nextcloud server and that of its site; nil for another server. Nextcloud's WebDAV is at
  /// `/remote.php/dav/files/USER`, and at `/remote.php/webdav` for older clients.
  private var nextcloud: (files: String, site: String)? {
    guard kind == .webDAV else { return nil }
    let parts = Self.encoded(folder).split(separator: "/")
    guard let script = parts.firstIndex(of: "remote.php") else { return nil }
    let place = parts[(script + 1)...]
    let count = place.first == "webdav" ? 1 : place.count >= 3 && place.starts(with: ["dav", "files"]) ? 3 : 0
    guard count > 0 else { return nil }
    func address(_ count: Int) -> String { base + parts.prefix(count).map { "/" + $0 }.joined() }
    return (address(script + 1 + count), address(script))
  }
}

extension StringProtocol {
  /// The bytes with percent-encoded ones replaced; nil if one is incomplete or 0.
  var removingPercentEncodingBytes: [UInt8]? {
    var (bytes, rest) = ([UInt8](), Array(utf8)[...])
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16), value != 0
      else { return nil }
      rest.removeFirst(2)
      bytes.append(value)
    }
    return bytes
  }
}
