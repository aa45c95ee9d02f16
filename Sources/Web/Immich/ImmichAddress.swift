import Foundation
import Gallery
import HTTP

/// The address of photos on an Immich server: `immich://HOST[:PORT][/SELECTION]`, or `immich+http://` without encryption.
public struct ImmichAddress: Hashable, Sendable {
  /// The photos that are shown.
  public enum Selection: Hashable, Sendable {
    /// All that are neither archived nor in the trash.
    case timeline
    case favorites
    case archive
    case trash
    /// The album with this name or ID.
    case album(String)
    /// The photos of a person with this name or ID.
    case person(String)
    /// The photos of a city, as the server has found it by their positions.
    case city(String)
    /// The photos of the month that begins at this time.
    case month(CalendarTime)
    /// The photos that the server finds by their contents for a text.
    case found(String)
  }

  /// The address as the user gave it.
  public let text: String
  /// The photos that are shown.
  public let selection: Selection
  /// The address of the server's API, without a slash at its end.
  public let api: String
  /// The name of the server's host.
  public let host: String
  /// The address of all photos of the server.
  private let root: String

  /// The address under which all photos of the server are.
  public var assets: String { "\(api)/assets" }

  /// Whether an address has one of the schemes.
  public static func isMeant(by text: String) -> Bool {
    schemes.contains { text.lowercased().hasPrefix($0.key + "://") }
  }

  private static let schemes = ["immich": "https", "immich+http": "http"]

  /// Creates an address, or returns nil if the text is none.
  public init?(_ text: String) {
    guard let parts = URLComponents(string: text), let scheme = Self.schemes[parts.scheme?.lowercased() ?? ""],
      let host = parts.host?.lowercased(), !host.isEmpty, parts.user == nil, parts.password == nil, parts.query == nil,
      parts.fragment == nil, let selection = Selection(path: parts.path)
    else { return nil }
    self.text = text
    self.selection = selection
    self.host = host
    // One server has one journal and one key, however its address is written.
    let port = parts.port.flatMap { $0 == (scheme == "https" ? 443 : 80) ? nil : ":\($0)" } ?? ""
    root = "\(parts.scheme?.lowercased() ?? "")://\(host)\(port)"
    api = "\(scheme)://\(host)\(port)/api"
  }

  /// Returns the place of other photos of the server.
  /// - Parameter path: The path of their address, such as `albums/My trip`.
  func place(of path: String, name: String) -> Place {
    let encoded = path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? ""
    return Place(arguments: [Array("\(root)/\(encoded)".utf8)], name: name.printable)
  }

  /// Returns the address of the page on which the server shows a photo, or nil for an image of another server.
  public func page(of image: String) -> String? {
    guard image.hasPrefix(assets + "/") else { return nil }
    return "\(api.dropLast("/api".count))/photos/\(image.dropFirst(assets.count + 1).prefix { $0 != "/" })"
  }

  /// The server and the selection, for the header.
  public var name: String {
    switch selection {
    case .timeline: host
    case .favorites: "\(host): \(localized("favorites"))"
    case .archive: "\(host): \(localized("archive"))"
    case .trash: "\(host): \(localized("trash"))"
    case .album(let name), .person(let name), .city(let name): "\(host): \(name)".printable
    case .month(let month): "\(host): \(month.monthText)"
    case .found(let text): "\(host): “\(text)”".printable
    }
  }

  /// The server, which alone gets the key.
  public func server(headers: [String: String]) -> NamedServer {
    NamedServer(api, headers: headers, versions: Self.versions)
  }

  /// The header in which the server expects an API key.
  public static let keyHeader = "x-api-key"

  /// Thumbnails and previews have at least so many pixels on their shorter side, unless the server's administrator has chosen
  /// other sizes.
  private static let versions: ImageVersions = {
    var versions = ImageVersions()
    versions.ending = "/original"
    versions.smaller = [
      ImageVersions.Smaller(ending: "/thumbnail?size=thumbnail", shorterSide: 250),
      ImageVersions.Smaller(ending: "/thumbnail?size=preview", shorterSide: 1440),
    ]
    return versions
  }()
}

extension ImmichAddress.Selection {
  /// The times of the photographers' clocks at which the photos were taken, or nil for any.
  var clocks: Range<Double>? { if case .month(let month) = self { month.clocksOfMonth } else { nil } }

  /// - Parameter path: The path of an address, with or without a slash at its end.
  init?(path: String) {
    let parts = path.split(separator: "/", maxSplits: 1).map(String.init)
    let name = parts.dropFirst().first.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
    switch (parts.first, name?.isEmpty == true ? nil : name) {
    case (nil, _), ("photos", nil): self = .timeline
    case ("favorites", nil): self = .favorites
    case ("archive", nil): self = .archive
    case ("trash", nil): self = .trash
    case ("albums", let name?): self = .album(name)
    case ("people", let name?): self = .person(name)
    case ("places", let name?): self = .city(name)
    case ("months", let text?):
      guard let month = Self.month(text) else { return nil }
      self = .month(month)
    case ("search", let text?): self = .found(text)
    default: return nil
    }
  }

  /// Reads a month such as `2026-07`.
  private static func month(_ text: String) -> CalendarTime? {
    let parts = text.split(separator: "-").compactMap { Int($0) }
    guard parts.count == 2, let month = CalendarTime(year: parts[0], month: parts[1], day: 1) else { return nil }
    return month.monthText == text ? month : nil
  }
}
