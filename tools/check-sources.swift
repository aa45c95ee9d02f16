// Checks what the compiler does not; `make lint` runs it as `swift package dump-package | swift tools/check-sources.swift`.
//
// - Every import names a dependency of its target in Package.swift, or a module of the toolchain. SwiftPM also finds the
//   modules of other targets, in whatever state the last build left them.
// - The image worker and what it depends on do without Foundation, which would make the worker 44 MB larger.
// - The dependencies of a target are below it in the table of modules in ARCHITECTURE.md.
// - No folder has more than 24 Swift files, and the files of a module don't use each other in a circle.
// - Every public declaration has a doc comment, unless it satisfies a requirement of a protocol, which has one.
// - Every test has a limit to its time.
// - What ARCHITECTURE.md and docs/mvvm.md name exists: the paths and the Swift names in backticks, and the code that
//   docs/mvvm.md quotes.

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
let toolchain: Set = [
  "Darwin", "Dispatch", "Foundation", "FoundationEssentials", "Glibc", "Synchronization", "Testing",
]

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

/// The Swift files below a folder.
func swiftFiles(in folder: String) -> [String] {
  (FileManager.default.enumerator(atPath: folder) ?? .init()).compactMap { $0 as? String }.filter {
    $0.hasSuffix(".swift")
  }
  .map { "\(folder)/\($0)" }
}

/// The lines of a text file.
func lines(of path: String) throws -> [Substring] {
  try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
}

for target in package.targets where target.type != "system" {
  let known = Set(target.dependencies.map { $0.name.replacing("-", with: "_") }).union(toolchain)
  for path in swiftFiles(in: target.folder) {
    for (index, line) in try lines(of: path).enumerated() {
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

/// The most Swift files in a folder. One with more has parts that deserve folders of their own.
let mostFiles = 24

/// The circles that belong to what the files are: an error of a source has the fault of its content, which may have a problem,
/// which may be an error of a source; and a policy of the image loader answers from the loader's memory.
let allowedCircles: [Set<String>] = [
  ["APIError.swift", "CatalogProblem.swift", "ContentFault.swift"],
  [
    "ImageLoader.swift", "LinePolicy.swift", "LocalLinePolicy.swift", "RenditionLadder.swift", "SlowLinePolicy.swift",
  ],
]

/// The identifiers in code that may name a type, without those in comments and literals.
func typeNames(in code: String) -> Set<Substring> {
  let text = code.replacing(#/(?s)/\*.*?\*/|//[^\n]*|""".*?"""|"(?:[^"\\\n]|\\.)*"/#, with: "")
  return Set(text.matches(of: #/\b[A-Z]\w+/#).map { Substring(String($0.output)) })
}

/// The types that a file declares at its top level.
func declaredTypes(in code: String) -> [Substring] {
  let declaration =
    #/(?m)^(?:@[^\n]*\n)?(?:(?:public|final|private|fileprivate|indirect|@MainActor) )*(?:struct|class|enum|protocol|actor|typealias) (\w+)/#
  return code.matches(of: declaration).map(\.output.1)
}

/// Returns the groups of files that use each other in a circle (Tarjan's strongly connected components with several members).
func circles(of uses: [String: Set<String>]) -> [[String]] {
  var number: [String: Int] = [:]
  var lowest: [String: Int] = [:]
  var stack: [String] = []
  var found: [[String]] = []
  func visit(_ file: String) {
    number[file] = number.count
    lowest[file] = number[file]
    stack.append(file)
    for used in uses[file] ?? [] {
      if number[used] == nil {
        visit(used)
        lowest[file] = min(lowest[file]!, lowest[used]!)
      } else if stack.contains(used) {
        lowest[file] = min(lowest[file]!, number[used]!)
      }
    }
    guard lowest[file] == number[file], let first = stack.firstIndex(of: file) else { return }
    if stack.count - first > 1 { found.append(stack[first...].sorted()) }
    stack.removeSubrange(first...)
  }
  for file in uses.keys.sorted() where number[file] == nil { visit(file) }
  return found
}

for target in package.targets where target.type != "system" && !target.folder.hasPrefix("Tests") {
  let files = swiftFiles(in: target.folder)
  for (folder, files) in Dictionary(grouping: files, by: { $0.prefix(upTo: $0.lastIndex(of: "/")!) })
  where files.count > mostFiles {
    faults.append("\(folder): has \(files.count) files; more than \(mostFiles) need folders of their own")
  }
  let code = try Dictionary(uniqueKeysWithValues: files.map { ($0, try String(contentsOfFile: $0, encoding: .utf8)) })
  var home: [Substring: String] = [:]
  for file in files { for type in declaredTypes(in: code[file]!) { home[type] = file } }
  let uses = code.map { file, text in (file, Set(typeNames(in: text).compactMap { home[$0] }).subtracting([file])) }
  for circle in circles(of: Dictionary(uniqueKeysWithValues: uses)) {
    let names = circle.map { String($0.split(separator: "/").last!) }
    if !allowedCircles.contains(where: Set(names).isSubset) {
      faults.append("\(target.folder): these files use each other in a circle: \(names.joined(separator: ", "))")
    }
  }
}

/// The names that a declaration such as `public static func next()` or `var id: Int` declares, without the name's arguments.
func declaredName(_ words: [Substring]) -> Substring? {
  let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "typealias", "func", "var", "let", "actor"]
  guard let kind = words.firstIndex(where: kinds.contains), kind + 1 < words.count else {
    // An initializer's name includes its first label.
    return words.first { $0.hasPrefix("init") || $0.hasPrefix("subscript") }?.prefix {
      $0 != ":" && $0 != ")" && $0 != "["
    }
  }
  return words[kind + 1].prefix { $0.isLetter || $0.isNumber || "_=<>&".contains($0) }
}

/// The requirements of the standard library's protocols that types here satisfy.
var requirements: Set<Substring> = [
  "==", "<", "hash", "encode", "rawValue", "description", "startIndex", "endIndex", "indices", "index",
  "subscript(index", "subscript(position", "init(rawValue", "init(stringLiteral",
  "isEmpty", "now", "minimumResolution", "sleep", "next", "body", "Instant", "makeAsyncIterator", "allValueStrings",
]
let sources = swiftFiles(in: "Sources") + swiftFiles(in: "Resources")
for path in sources {
  var isInProtocol = false
  for line in try lines(of: path) {
    if line.contains("protocol "), line.hasSuffix("{") { isInProtocol = true }
    if line.hasPrefix("}") { isInProtocol = false }
    if isInProtocol, let name = declaredName(line.split(separator: " ")) { requirements.insert(name) }
  }
}
for path in sources {
  var isDocumented = false
  for (index, line) in try lines(of: path).enumerated() {
    let words = line.split(separator: " ")
    if words.first?.hasPrefix("///") == true {
      isDocumented = true
    } else if words.first?.hasPrefix("@") == true, !words.contains("public") {
      continue
    } else {
      if words.contains("public"), !words.contains("extension"), !words.contains("import"), !isDocumented,
        let name = declaredName(words), !requirements.contains(name)
      {
        faults.append("\(path):\(index + 1): \(name) is public and has no doc comment")
      }
      isDocumented = false
    }
  }
}

// A test that hangs would never end the run. A suite in another one has the limit of that.
for path in swiftFiles(in: "Tests") {
  /// The declaration at the start of a line that was read last, from its attributes on.
  var declaration = ""
  for (index, line) in try lines(of: path).enumerated() {
    if let first = line.first, !" })/".contains(first) || !declaration.hasSuffix("{") && !declaration.isEmpty {
      declaration = declaration.isEmpty || declaration.hasSuffix("{") ? String(line) : "\(declaration) \(line)"
      if !declaration.hasPrefix("@"), !declaration.hasSuffix("{") { declaration = "" }
    }
    let isTest = line.drop { $0 == " " }.hasPrefix("@Test")
    if isTest, !declaration.contains(".limited"), !declaration.contains("extension ") {
      faults.append("\(path):\(index + 1): the test has no limit; write @Suite(.limited) before its outermost type")
      break
    }
  }
}

// The documents that lead a reader to the code. A path may begin below a folder: `Screens/Cell.swift`, or `Cell.swift`.

/// The files and folders that documents name, each by every end of its path.
var paths: Set<Substring> = []
for folder in ["Sources", "Tests", "Resources", "tools", "docs", "packaging"] {
  for path in [""] + (FileManager.default.subpaths(atPath: folder) ?? []) {
    let parts = "\(folder)/\(path)".split(separator: "/")
    for first in parts.indices { paths.insert(parts[first...].joined(separator: "/")[...]) }
  }
}
for path in try FileManager.default.contentsOfDirectory(atPath: ".") { paths.insert(path[...]) }

/// The lines of code in each Swift file, without indentation, blank lines and comments.
let code = try Dictionary(
  uniqueKeysWithValues: (["Package.swift"] + swiftFiles(in: "Tests") + sources).map {
    ($0, codeLines(try lines(of: $0)))
  })

/// The identifiers in the Swift files.
let identifiers = code.values.joined().reduce(into: Set<Substring>()) { $0.formUnion(words(of: $1)) }

/// The names that the checklists of ARCHITECTURE.md give to a new row, its cell and its room.
let newNames: Set<Substring> = ["OfferRow", "OfferCell", "OffersScreen"]
let newFiles: Set<Substring> = ["Sources/Screens/OfferCell.swift"]
let known = identifiers.union(paths).union(newNames)

func codeLines(_ lines: some Sequence<Substring>) -> [Substring] {
  lines.map { $0.drop { $0 == " " } }.filter { !$0.isEmpty && !$0.hasPrefix("//") }
}

/// The identifiers in a line of Swift.
func words(of line: Substring) -> [Substring] { line.split { !$0.isLetter && !$0.isNumber && $0 != "_" } }

/// Whether a text in backticks is a path: it has a slash or the extension of a source file, and no placeholder.
func isPath(_ text: Substring) -> Bool {
  let extensions = [".swift", ".c", ".h", ".py", ".md", ".json", ".tsv"]
  return (text.contains("/") || extensions.contains(where: text.hasSuffix))
    && text.allSatisfy { $0.isLetter || $0.isNumber || "/._+-".contains($0) } && !text.hasPrefix("/")
}

/// The identifiers that a text in backticks such as `Observable.bind(_:)` or `Observable<State>` refers to, if it begins with
/// the name of a type.
func swiftNames(in text: Substring) -> [Substring] {
  let name = text.drop { $0 == "@" }
  guard name.first?.isUppercase == true, !name.contains("/") else { return [] }
  // The labels of arguments need not be code.
  return words(of: name.prefix { $0 != "(" && $0 != "{" && $0 != "=" })
}

/// Returns the path or the identifier in a text in backticks that does not exist, or nil.
func missingName(in text: Substring) -> Substring? {
  guard isPath(text) else { return swiftNames(in: text).first { !known.contains($0) } }
  let path = text.hasSuffix("/") ? text.dropLast() : text
  return paths.contains(path) || newFiles.contains(path) ? nil : text
}

/// Whether a file has the parts of a quotation, each without a gap, in their order.
func contains(_ lines: [Substring], _ parts: [[Substring]]) -> Bool {
  var rest = lines[...]
  for part in parts {
    guard let start = rest.indices.first(where: { rest[$0...].starts(with: part) }) else { return false }
    rest = rest[(start + part.count)...]
  }
  return true
}

for document in ["ARCHITECTURE.md", "docs/mvvm.md"] {
  /// The first line and the lines of the block of Swift that is being read.
  var block: (number: Int, lines: [Substring])?
  var isInBlock = false
  // The first column of a table of an article has the article's names.
  var isInArticle = false
  for (index, line) in try lines(of: document).enumerated() {
    let place = "\(document):\(index + 1)"
    if line.hasPrefix("```") {
      if let block, document == "docs/mvvm.md" {
        let parts = block.lines.split { $0.drop { $0 == " " } == "…" }.map(codeLines).filter { !$0.isEmpty }
        if !code.values.contains(where: { contains($0, parts) }) {
          faults.append("\(document):\(block.number): the quoted code is in no Swift file")
        }
      }
      isInBlock.toggle()
      block = isInBlock && line == "```swift" ? (index + 1, []) : nil
    } else if isInBlock {
      block?.lines.append(line)
    } else {
      isInArticle = line.hasPrefix("| article |") || isInArticle && line.hasPrefix("|")
      let text = isInArticle ? line.dropFirst().drop { $0 != "|" } : line
      // The texts in backticks are at the odd indices.
      let texts = text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      for (number, text) in texts where number % 2 == 1 {
        if let missing = missingName(in: text) { faults.append("\(place): `\(missing)` does not exist") }
      }
    }
  }
}

for fault in faults { FileHandle.standardError.write(Data("\(fault)\n".utf8)) }
exit(faults.isEmpty ? 0 : 1)
