import ArgumentParser
import Folder
import Foundation
import Gallery

/// Where the photos come from.
enum Source {
  case bundled
  case standardInput
  /// Of the web.
  case address(String)
  case catalog(path: FilePath)
  /// One that was named, which one wants to see rather than a list of it.
  case photo(FilePath)
  case files(FolderScope)

  /// - Throws: `ValidationError`.
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
        throw ValidationError("\(other.printable) is opened alone: only photos and folders can be named together.")
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

  private static func isNoFile(_ argument: FileArgument) -> Bool {
    let text = argument.printable
    return text == "-" || text.contains("://") || [".json", ".json.gz"].contains(where: text.hasSuffix)
  }

  private static func file(_ path: FilePath) -> Source {
    if path.isFolder { return .files(FolderScope(folder: path)) }
    return FolderWalk.isPhoto(path) ? .photo(path) : .catalog(path: path)
  }

  /// The first file or folder that was named, if none of those that were named exists.
  var missing: FilePath? {
    let paths: [FilePath] =
      switch self {
      case .bundled, .standardInput, .address: []
      case .catalog(let path), .photo(let path): [path]
      case .files(let scope): scope.paths
      }
    return paths.allSatisfy(\.isMissing) ? paths.first : nil
  }

  /// As the header names it, printable.
  var name: String {
    switch self {
    case .bundled: "bundled gallery"
    case .standardInput: "standard input"
    case .address(let address): (URL(string: address)?.host ?? address).printable
    case .catalog(let path), .photo(let path): path.printableName
    case .files(let scope): scope.root == "/" ? "/" : scope.root.printableName
    }
  }
}
