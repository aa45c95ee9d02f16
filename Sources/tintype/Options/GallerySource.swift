import ArgumentParser
import Configuration
import Folder
import Foundation
import Gallery
import HTTP
import Remote
import Web

/// The source of the photos.
enum GallerySource {
  /// The gallery that comes with the program.
  case bundled
  case standardInput
  /// A catalog on a web server.
  case address(String)
  /// Photos on an Immich server.
  case immich(ImmichAddress)
  /// A folder on a server that keeps files.
  case fileServer(FileServerAddress)
  /// A folder or a photo on another machine.
  case remote(RemoteAddress)
  case catalog(path: FilePath)
  /// A collection of the user's.
  case collection(String)
  /// A single photo, which opens in the viewer with the other photos of its folder.
  case photo(FilePath)
  /// An archive of photos.
  case archive(FilePath)
  /// Folders and photos.
  case files(FolderScope)

  /// The arguments that name a source, for `--help`.
  static let help: ArgumentHelp =
    """
    Photos and folders; HOST:FOLDER on another machine; immich://HOST; davs://HOST/FOLDER; \
    s3://BUCKET/FOLDER; collection://NAME; an archive (.zip, .cbz, .tar, .7z, .rar) or PDF; or a catalog (.json, URL, or - for standard input).
    """

  /// - Throws: `ValidationError` if the arguments cannot be opened together, or one is empty.
  init(_ arguments: [FileArgument]) throws {
    if arguments.contains(where: \.bytes.isEmpty) {
      throw ValidationError("SOURCE is empty. Name a folder, photos or a .json file, or leave it out.")
    }
    guard let first = arguments.first else {
      self = .bundled
      return
    }
    if arguments.count > 1 {
      if let other = arguments.first(where: Self.isNoFile) {
        throw ValidationError("\(other.printable) can't be combined with other sources.")
      }
      self = .files(FolderScope(named: arguments.map(\.path)))
    } else if first.text == "-" {
      self = .standardInput
    } else if let text = first.text, text.hasPrefix(Place.collectionScheme) {
      guard let name = PhotoCollection.name(String(text.dropFirst(Place.collectionScheme.count))) else {
        throw ValidationError("“\(text.printable)” names no collection. Use collection://NAME.")
      }
      self = .collection(name)
    } else if let address = Self.remoteAddress(first) {
      self = .remote(address)
    } else if let address = first.text, ImmichAddress.isMeant(by: address) {
      guard let immich = ImmichAddress(address) else {
        throw ValidationError(
          "“\(address.printable)” is not a valid address. Use one like immich://photos.example.org/albums/Summer.")
      }
      self = .immich(immich)
    } else if let address = first.text, FileServerAddress.isMeant(by: address) {
      guard let server = FileServerAddress(address, s3: .user) else {
        throw ValidationError(
          // It may have a password in it.
          "The address is not a valid one. Use one like davs://ana@cloud.example.org/Photos or s3://bucket/2026.")
      }
      self = .fileServer(server)
    } else if let address = first.text, address.contains("://") {
      self = .address(address)
    } else {
      self = Self.file(first.path)
    }
  }

  /// Returns whether an argument can only be opened alone.
  private static func isNoFile(_ argument: FileArgument) -> Bool {
    let text = argument.printable
    return text == "-" || text.contains("://") || remoteAddress(argument) != nil
      || catalogEndings.contains(where: text.hasSuffix)
      || argument.path.isNamedAsArchive && argument.path.isFile
  }

  /// Returns the place on another machine that an argument names, or nil if it names a file here.
  private static func remoteAddress(_ argument: FileArgument) -> RemoteAddress? {
    if let address = RemoteAddress(FilePath(argument.bytes)) { return address }
    return RemoteAddress(argument.bytes).flatMap {
      argument.bytes.starts(with: "ssh://".utf8) || argument.path.isMissing ? $0 : nil
    }
  }

  private static let catalogEndings = [".json", ".json.gz"]

  private static func file(_ path: FilePath) -> GallerySource {
    if path.isFolder { return .files(FolderScope(folder: path)) }
    if path.isNamedAsArchive { return .archive(path) }
    return FolderWalk.isPhoto(path) ? .photo(path) : .catalog(path: path)
  }

  /// The same source without the other photos in the folder of a single one, for scripts that name it.
  var withoutNeighbors: GallerySource {
    if case .photo(let path) = self { .files(FolderScope(named: [path])) } else { self }
  }

  /// The reason why no named file can be opened, or nil if one may be.
  var fault: APIError? {
    let paths: [FilePath] =
      switch self {
      case .bundled, .standardInput, .address, .immich, .fileServer, .remote, .collection: []
      case .catalog(let path), .photo(let path), .archive(let path): [path]
      case .files(let scope): scope.paths
      }
    if let first = paths.first, paths.allSatisfy(\.isMissing) { return .notFound(path: first.printable) }
    guard case .catalog(let path) = self, !Self.mayBeCatalog(path) else { return nil }
    return .unreadableContent(source: path.printable, .neitherImageNorCatalog)
  }

  /// Returns whether a file is named as a catalog or begins as one: with JSON, a web page or compressed data.
  private static func mayBeCatalog(_ path: FilePath) -> Bool {
    if catalogEndings.contains(where: path.printable.hasSuffix) { return true }
    let head = path.head(64)
    let start = head.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    // The numbers are those of gzip, of UTF-8's mark and of UTF-16's marks. A pipe has no head.
    let signs =
      ["{", "[", "<"].map { Array($0.utf8) } + [[0x1F, 0x8B], [0xEF, 0xBB, 0xBF], [0xFE, 0xFF], [0xFF, 0xFE]]
    return head.isEmpty || signs.contains { start.starts(with: $0) }
  }

  /// Checks that no argument of a command is a file on another machine.
  /// - Throws: `ValidationError` if one is.
  static func checkIsHere(_ arguments: [FileArgument], command: String) throws {
    guard let address = arguments.lazy.compactMap(remoteAddress).first else { return }
    throw ValidationError(
      "\(command) needs files of this machine. Try: ssh \(address.sshHost.printable) tintype \(command) …")
  }

  /// Checks that the source can be opened with the options for servers.
  /// - Throws: `ValidationError` if it can't.
  func check(_ web: WebOptions? = nil) throws {
    if case .address(let address) = self { return try WebOptions.check(address: address) }
    switch self {
    case .immich, .fileServer: return
    default: break
    }
    if let web, web.isUsed {
      throw ValidationError("--header, --token-file and --token-command need an address of a server.")
    }
    if case .standardInput = self, isatty(STDIN_FILENO) != 0 {
      throw ValidationError("Nothing on standard input. Pipe a catalog or a list of paths into it.")
    }
  }

  /// Ends the process with a message if no named file or folder exists, or if a single file is nothing that can be opened.
  func exitIfUnusable() {
    guard let fault else { return }
    Shell.print(fault.messageInShell, to: .standardError)
    Foundation.exit(EXIT_FAILURE)
  }

  /// Returns the server of the photos, or nil for another source. Gets the token from where the options say, or a named source with the
  /// same address. A key for Immich or a password may also be in the environment; a catalog of any server must not get that.
  func server(_ web: WebOptions?, named sources: [NamedSource] = []) throws -> NamedServer? {
    switch self {
    case .address(let address): NamedServer(address, headers: try fields(web, sources))
    case .immich(let address): address.server(headers: try fields(web, sources))
    case .fileServer(let address): try server(address, web, sources)
    default: nil
    }
  }

  private func fields(_ web: WebOptions?, _ sources: [NamedSource]) throws -> [String: String] {
    var fields = try web?.fields() ?? [:]
    if case .immich(let server) = self {
      ServerKeys[server.api] = try key(of: server.api, web, sources) ?? fields[ImmichAddress.keyHeader]
      fields[ImmichAddress.keyHeader] = ServerKeys[server.api]
    } else if let token = web?.token ?? sources.first(where: { isServer(of: $0) })?.token {
      fields["Authorization"] = "Bearer " + (try token.read(mayAsk: web != nil))
    }
    return fields
  }

  private func server(
    _ address: FileServerAddress, _ web: WebOptions?, _ sources: [NamedSource]
  ) throws -> NamedServer {
    let fields = try web?.fields() ?? [:]
    // Amazon's own settings have the key for S3.
    guard address.kind == .webDAV else { return address.server(headers: fields, password: nil, s3: .user) }
    ServerKeys[address.login] = try key(of: address.login, web, sources)
    return address.server(headers: fields, password: ServerKeys[address.login], s3: .user)
  }

  /// Returns the key or the password of a photo server, which opens all that the server has; nil if none is known.
  private func key(of server: String, _ web: WebOptions?, _ sources: [NamedSource]) throws -> String? {
    try web?.token?.read() ?? ServerKeys[server]
      ?? sources.first { isServer(of: $0) }?.token?.read(mayAsk: web != nil)
      ?? (ServerKeys.isEmpty ? TokenSource.environment?.read() : nil)
  }

  /// Returns whether a named source has the token for this one: the same address, or another one of the same photo server.
  private func isServer(of named: NamedSource) -> Bool {
    switch self {
    case .address(let address): named.source == address
    case .immich(let address): ImmichAddress(named.source)?.api == address.api
    case .fileServer(let address):
      FileServerAddress(named.source, s3: .user).map { $0.base == address.base && $0.user == address.user } ?? false
    default: false
    }
  }

  /// The bytes that identify the source in the next session, or nil if it is another one each time.
  var identity: [UInt8]? {
    switch self {
    case .bundled: Array("bundled".utf8)
    case .standardInput: nil
    case .address(let address): Array(address.utf8)
    case .immich(let address): Array(address.text.utf8)
    case .fileServer(let address): Array(address.text.utf8)
    case .remote(let address): address.text
    case .collection: place.arguments[0]
    case .catalog(let path), .archive(let path): path.bytes
    // The photos of the folder alone are another source than the folder, whose marks may be on photos in its subfolders.
    case .photo(let path): path.folder.appending("*".utf8).bytes
    case .files(let scope): Array(scope.paths.map(\.bytes).joined(separator: [0]))
    }
  }

  /// The folder that contains all photos whose sidecars are written, or nil if none are.
  var root: FilePath? {
    switch self {
    case .bundled, .standardInput, .address, .immich, .fileServer, .remote, .catalog, .archive: nil
    // The photos of a collection may be anywhere.
    case .collection: "/"
    case .photo(let path): path.folder
    case .files(let scope): scope.root
    }
  }

  /// The folder that is open, from which one goes to others; nil if the source is none. An archive counts as one.
  var folder: FilePath? {
    switch self {
    case .archive(let path): path
    case .collection: nil
    default: root
    }
  }

  /// The source's printable name, for the header.
  var name: String {
    switch self {
    case .bundled: localized("bundled gallery")
    case .standardInput: localized("standard input")
    case .address(let address): (URL(string: address)?.host ?? address).printable
    case .immich(let address): address.name
    case .fileServer(let address): address.name
    case .remote(let address): Self.name(of: address)
    case .collection(let name): name
    case .catalog(let path), .archive(let path): path.printableName
    case .photo(let path): Self.name(of: path.folder)
    case .files(let scope): Self.name(of: scope.root)
    }
  }

  /// Finds the source of a place, and its server.
  /// - Throws: `APIError` or `ValidationError` if it can't be opened.
  @concurrent
  static func find(_ place: Place, named sources: [NamedSource]) async throws -> (GallerySource, NamedServer?) {
    let source = try GallerySource(place.arguments.map { FileArgument($0) })
    if case .address(let address) = source { try WebOptions.check(address: address) }
    if let fault = source.fault { throw fault }
    return (source, try source.server(nil, named: sources))
  }

  /// The place that leads to the source.
  var place: Place {
    let arguments: [[UInt8]] =
      switch self {
      case .bundled: []
      case .standardInput: [Array("-".utf8)]
      case .address(let address): [Array(address.utf8)]
      case .immich(let address): [Array(address.text.utf8)]
      case .fileServer(let address): [Array(address.text.utf8)]
      case .remote(let address): [address.text]
      case .collection(let name): Place(collection: name).arguments
      case .catalog(let path), .archive(let path): [path.bytes]
      // A photo is shown in its folder.
      case .photo(let path): [path.folder.bytes]
      case .files(let scope): scope.paths.map(\.bytes)
      }
    return Place(arguments: arguments, name: name)
  }

  private static func name(of address: RemoteAddress) -> String {
    let path = FilePath(address.path, in: "/")
    return (address.path.isEmpty ? address.machine : "\(address.machine):\(path.printableName)").printable
  }

  private static func name(of folder: FilePath) -> String { folder == "/" ? "/" : folder.printableName }
}

extension S3Settings {
  /// The settings of the user who runs the program.
  static let user = S3Settings(environment: ProcessInfo.processInfo.environment)
}
