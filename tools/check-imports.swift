// Checks what each target imports; `make lint` runs it as `swift package dump-package | swift tools/check-imports.swift`.
//
// - Every import names a dependency of its target in Package.swift, or a module of the toolchain. SwiftPM also finds the
//   modules of other targets, in whatever state the last build left them.
// - The image worker and what it depends on do without Foundation, which would make the worker 44 MB larger.
// - The dependencies of a target are below it in the table of modules in ARCHITECTURE.md.

import Foundation

struct Package: Decodable {
  var targets: [Target]
}

struct Target: Decodable {
  var name: String
  var type: String
  var path: String?
  var dependencies: [Dependency]

  var folder: String { path ?? "\(type == "test" ? "Tests" : "Sources")/\(name)" }
}

/// One of `{"byName": ["Gallery", null]}`, `{"target": [...]}` and `{"product": ["GRDB", "GRDB.swift", null, null]}`.
struct Dependency: Decodable {
  var name: String

  private struct Name: Decodable {
    var text: String

    init(from decoder: any Decoder) throws {
      var values = try decoder.unkeyedContainer()
      text = try values.decode(String.self)
    }
  }

  init(from decoder: any Decoder) throws {
    let kinds = try decoder.singleValueContainer().decode([String: Name].self)
    guard let name = kinds.values.first?.text else {
      throw DecodingError.valueNotFound(String.self, .init(codingPath: decoder.codingPath, debugDescription: "no name"))
    }
    self.name = name
  }
}

/// The modules that come with the toolchain and that Tintype uses.
let toolchain: Set = ["Dispatch", "Foundation", "FoundationEssentials", "Glibc", "Synchronization", "Testing"]

let package = try JSONDecoder().decode(Package.self, from: FileHandle.standardInput.readDataToEndOfFile())
var faults: [String] = []

/// The module that a line such as `@testable import struct Gallery.Photo` imports, or nil.
func importedModule(_ line: Substring) -> Substring? {
  let access: Set<Substring> = ["public", "package", "internal", "fileprivate", "private"]
  let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "typealias", "func", "var", "let"]
  var words = line.split(separator: " ").drop { $0.hasPrefix("@") || access.contains($0) }
  guard words.popFirst() == "import" else { return nil }
  return words.first { !kinds.contains($0) }?.prefix { $0 != "." }
}

/// The names of a target and of the targets that it depends on, directly or not.
func closure(of name: String) -> Set<String> {
  guard let target = package.targets.first(where: { $0.name == name }) else { return [] }
  return target.dependencies.reduce(into: [name]) { $0.formUnion(closure(of: $1.name)) }
}

let partsOfWorker = closure(of: "tintype-pictures")

for target in package.targets where target.type != "system" {
  let known = Set(target.dependencies.map { $0.name.replacing("-", with: "_") }).union(toolchain)
  for case let file as String in FileManager.default.enumerator(atPath: target.folder) ?? .init()
  where file.hasSuffix(".swift") {
    let path = "\(target.folder)/\(file)"
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(
      separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      guard let module = importedModule(line) else { continue }
      let place = "\(path):\(index + 1)"
      if !known.contains(String(module)) {
        faults.append("\(place): imports \(module), which is not a dependency of \(target.name) in Package.swift")
      } else if module == "Foundation", partsOfWorker.contains(target.name) {
        faults.append("\(place): imports Foundation into the image worker; import FoundationEssentials or Glibc")
      }
    }
  }
}

// A row such as "| `CNcurses` `CVips` | what must be C |" names its modules in its first cell.
let rows = try String(contentsOfFile: "ARCHITECTURE.md", encoding: .utf8).split(separator: "\n")
  .filter { $0.hasPrefix("| `") }.map { $0.split(separator: "|")[0].split { " `".contains($0) }.map(String.init) }
let rowOfModule = Dictionary(
  rows.enumerated().flatMap { row, modules in modules.map { ($0, row) } }, uniquingKeysWith: { first, _ in first })

for target in package.targets where !target.folder.hasPrefix("Tests") {
  guard let row = rowOfModule[target.name] else {
    faults.append("ARCHITECTURE.md: \(target.name) is missing from the table of modules")
    continue
  }
  for dependency in target.dependencies {
    guard let other = rowOfModule[dependency.name], other <= row else { continue }
    faults.append(
      "ARCHITECTURE.md: \(target.name) depends on \(dependency.name), which is not below it in the table of modules")
  }
}

for fault in faults { FileHandle.standardError.write(Data("\(fault)\n".utf8)) }
exit(faults.isEmpty ? 0 : 1)
