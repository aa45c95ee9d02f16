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
  case files(FolderScope, name: String)

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
    let paths = arguments.map { URL(filePath: $0).standardizedFileURL.path }
    if arguments.count > 1 {
      if let other = arguments.first(where: { $0 == "-" || $0.contains("://") || $0.hasSuffix(".json") }) {
        throw ValidationError("\(other.printable) is opened alone: only photos and folders can be named together.")
      }
      let scope = FolderScope(named: paths.map { FilePath($0) })
      self = .files(scope, name: scope.root.printableName)
    } else if first == "-" {
      self = .standardInput
    } else if first.contains("://") {
      self = .address(first)
    } else if Self.isFolder(paths[0]) {
      self = .files(FolderScope(folder: FilePath(paths[0])), name: FilePath(paths[0]).printableName)
    } else if FolderWalk.isPhoto(FilePath(paths[0])) {
      self = .files(FolderScope(named: [FilePath(paths[0])]), name: FilePath(paths[0]).printableName)
    } else {
      self = .catalogue(path: paths[0])
    }
  }

  private static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }

  /// As the header names it, printable.
  var name: String {
    switch self {
    case .bundled: "bundled gallery"
    case .standardInput: "standard input"
    case .address(let address): (URL(string: address)?.host ?? address).printable
    case .catalogue(let path): FilePath(path).printableName
    case .files(_, let name): name
    }
  }

  /// Whether it is one photo, which one wants to see rather than a list of it.
  var isOnePhoto: Bool {
    if case .files(let scope, _) = self { scope.isOnePhoto } else { false }
  }
}
