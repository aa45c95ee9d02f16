import ArgumentParser
import Folder
import Foundation
import Gallery
import HTTP

/// The source of the photos.
enum Source {
  /// The gallery that comes with the program.
  case bundled
  case standardInput
  /// A catalog on a web server.
  case address(String)
  case catalog(path: FilePath)
  /// A single photo, which opens in the viewer.
  case photo(FilePath)
  /// Folders and photos.
  case files(FolderScope)

  /// The arguments that name a source, for `--help`.
  static let help: ArgumentHelp = "Photos and folders; or a catalog (.json, URL, or - for standard input)."

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
    } else if let address = first.text, address.contains("://") {
      self = .address(address)
    } else {
      self = Self.file(first.path)
    }
  }

  /// Returns whether an argument can only be opened alone.
  private static func isNoFile(_ argument: FileArgument) -> Bool {
    let text = argument.printable
    return text == "-" || text.contains("://") || [".json", ".json.gz"].contains(where: text.hasSuffix)
  }

  private static func file(_ path: FilePath) -> Source {
    if path.isFolder { return .files(FolderScope(folder: path)) }
    return FolderWalk.isPhoto(path) ? .photo(path) : .catalog(path: path)
  }

  /// The first of the named files and folders if none of them exists; else nil.
  var missing: FilePath? {
    let paths: [FilePath] =
      switch self {
      case .bundled, .standardInput, .address: []
      case .catalog(let path), .photo(let path): [path]
      case .files(let scope): scope.paths
      }
    return paths.allSatisfy(\.isMissing) ? paths.first : nil
  }

  /// Checks that the source can be opened with the options for servers.
  /// - Throws: `ValidationError` if it can't.
  func check(_ web: WebOptions) throws {
    if case .address(let address) = self { return try WebOptions.check(address: address) }
    if web.isUsed { throw ValidationError("--header and --token-file need an http:// or https:// address.") }
    if case .standardInput = self, isatty(STDIN_FILENO) != 0 {
      throw ValidationError("Nothing on standard input. Pipe a catalog or a list of paths into it.")
    }
  }

  /// Ends the process with a message if no named file or folder exists.
  func exitIfMissing() {
    guard let missing else { return }
    Shell.print(APIError.notFound(path: missing.printable).messageInShell, to: .standardError)
    Foundation.exit(EXIT_FAILURE)
  }

  /// Returns the server of a catalog on the web, or nil for another source. Reads the token from its file.
  func server(_ web: WebOptions) throws -> NamedServer? {
    if case .address(let address) = self { NamedServer(address, headers: try web.fields()) } else { nil }
  }

  /// The bytes that identify the source in the next session, or nil if it is another one each time.
  var identity: [UInt8]? {
    switch self {
    case .bundled: Array("bundled".utf8)
    case .standardInput: nil
    case .address(let address): Array(address.utf8)
    case .catalog(let path), .photo(let path): path.bytes
    case .files(let scope): Array(scope.paths.map(\.bytes).joined(separator: [0]))
    }
  }

  /// The folder that contains all photos whose sidecars are written, or nil if none are.
  var root: FilePath? {
    switch self {
    case .bundled, .standardInput, .address, .catalog: nil
    case .photo(let path): path.folder
    case .files(let scope): scope.root
    }
  }

  /// The source's printable name, for the header.
  var name: String {
    switch self {
    case .bundled: localized("bundled gallery")
    case .standardInput: localized("standard input")
    case .address(let address): (URL(string: address)?.host ?? address).printable
    case .catalog(let path), .photo(let path): path.printableName
    case .files(let scope): scope.root == "/" ? "/" : scope.root.printableName
    }
  }
}
