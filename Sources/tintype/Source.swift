import ArgumentParser
import Foundation
import Gallery
import Services

/// Where the photos come from.
enum Source {
  case bundled
  case standardInput
  /// Of the web.
  case address(String)
  case catalogue(path: String)
  /// One that was named, which one wants to see rather than a list of it.
  case photo(FilePath)
  case files(FolderScope)

  /// - Parameter arguments: As they were typed.
  /// - Throws: `ValidationError`.
  init(_ arguments: [String]) throws {
    if arguments.contains("") {
      throw ValidationError("SOURCE is empty. Name a folder, photos or a .json file, or leave it out.")
    }
    guard let first = arguments.first else {
      self = .bundled
      return
    }
    if arguments.count > 1 {
      if let other = arguments.first(where: Self.isNoFile) {
        throw ValidationError("\(other.printable) is opened alone: only photos and folders can be named together.")
      }
      self = .files(FolderScope(named: Self.paths(arguments)))
    } else if first == "-" {
      self = .standardInput
    } else if first.contains("://") {
      self = .address(first)
    } else {
      self = Self.file(Self.paths(arguments)[0])
    }
  }

  private static func isNoFile(_ argument: String) -> Bool {
    argument == "-" || argument.contains("://") || [".json", ".json.gz"].contains(where: argument.hasSuffix)
  }

  private static func file(_ path: FilePath) -> Source {
    var status = stat()
    let isThere = path.withCString { stat($0, &status) } == 0
    if isThere, status.st_mode & S_IFMT == S_IFDIR { return .files(FolderScope(folder: path)) }
    return FolderWalk.isPhoto(path) ? .photo(path) : .catalogue(path: String(decoding: path.bytes, as: UTF8.self))
  }

  /// The bytes of names need not be UTF-8, of which the parser knows nothing.
  private static func paths(_ arguments: [String]) -> [FilePath] {
    var typed = UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc)).compactMap(\.self)
    let here = FilePath(FileManager.default.currentDirectoryPath)
    return arguments.map { argument in
      guard let place = typed.firstIndex(where: { String(cString: $0) == argument }) else {
        return FilePath(argument.utf8, in: here)
      }
      let bytes = UnsafeBufferPointer(start: typed[place], count: strlen(typed[place])).map { UInt8(bitPattern: $0) }
      typed.remove(at: place)
      return FilePath(bytes, in: here)
    }
  }

  /// As the header names it, printable.
  var name: String {
    switch self {
    case .bundled: "bundled gallery"
    case .standardInput: "standard input"
    case .address(let address): (URL(string: address)?.host ?? address).printable
    case .catalogue(let path): FilePath(path).printableName
    case .photo(let path): path.printableName
    case .files(let scope): scope.root == "/" ? "/" : scope.root.printableName
    }
  }
}
