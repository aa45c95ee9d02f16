import Foundation
import Gallery
import Services

// An operation in the journal: fields that end with a zero byte, which no path contains. Reading and writing JSON took most of the
// time of moving many files. The first field says what it is.
extension FileOperation {
  private static let format = "files 1"

  var data: Data {
    var fields = JournalFields()
    fields.add(Self.format)
    fields.add(isBack ? "back" : "")
    fields.add(change)
    fields.add(files) { $0.add($1.bytes) }
    fields.add(folders) { $0.add($1.bytes) }
    fields.add(moves == nil ? "" : "planned")
    fields.add(moves ?? []) { $0.add($1) }
    fields.add(places) { fields, place in for path in place.paths { fields.add(path.bytes) } }
    return Data(fields.bytes)
  }

  init?(journal data: Data) {
    var fields = JournalFields(Array(data))
    guard fields.text() == Self.format else {
      // The first version wrote JSON.
      guard let operation = try? JSONDecoder().decode(Self.self, from: data) else { return nil }
      self = operation
      return
    }
    let isBack = fields.text() == "back"
    guard let change = fields.change(), let files = fields.list({ $0.path() }),
      let folders = fields.list({ $0.path() })
    else { return nil }
    self.init(change, files: files)
    self.isBack = isBack
    self.folders = folders
    let isPlanned = fields.text() == "planned"
    guard let moves = fields.list({ $0.move() }) else { return nil }
    if isPlanned { self.moves = moves }
    // An older version knew no places.
    places = fields.list({ $0.folderPlace() }) ?? []
  }
}

/// The fields of an operation, as they are written or read one after the other.
private struct JournalFields {
  private(set) var bytes: [UInt8]
  private var place = 0

  init(_ bytes: [UInt8] = []) { self.bytes = bytes }

  mutating func add(_ field: some Sequence<UInt8>) {
    bytes += field
    bytes.append(0)
  }

  mutating func add(_ text: String) { add(text.utf8) }

  mutating func add<Element>(_ list: [Element], _ add: (inout JournalFields, Element) -> Void) {
    self.add("\(list.count)")
    for element in list { add(&self, element) }
  }

  /// Returns the next field, or nil at the end.
  mutating func next() -> ArraySlice<UInt8>? {
    guard let end = bytes[place...].firstIndex(of: 0) else { return nil }
    defer { place = end + 1 }
    return bytes[place..<end]
  }

  mutating func text() -> String? { next().map { String(decoding: $0, as: UTF8.self) } }

  mutating func path() -> FilePath? { next().map { FilePath(Array($0)) } }

  mutating func list<Element>(_ read: (inout JournalFields) -> Element?) -> [Element]? {
    guard let count = text().flatMap({ Int($0) }), count >= 0 else { return nil }
    var list: [Element] = []
    for _ in 0..<count {
      guard let element = read(&self) else { return nil }
      list.append(element)
    }
    return list
  }
}

extension JournalFields {
  mutating func folderPlace() -> FolderPlace? {
    guard let folder = path(), let resolved = path(), let volume = path() else { return nil }
    return FolderPlace(folder: folder, resolved: resolved, volume: volume)
  }

  mutating func add(_ change: FileChange) {
    switch change {
    case .trash:
      add("trash")
      add("")
    case .move(let folder, let isSkipping):
      add(isSkipping ? "move-skipping" : "move")
      add(folder.bytes)
    case .copy(let folder, let isSkipping):
      add(isSkipping ? "copy-skipping" : "copy")
      add(folder.bytes)
    case .rename(let stem):
      add("rename")
      add(stem)
    case .importing(let stems):
      add("import")
      add(stems) { $0.add($1.bytes) }
    }
  }

  mutating func change() -> FileChange? {
    guard let kind = text() else { return nil }
    if kind == "import" { return list { $0.path() }.map { .importing(as: $0) } }
    guard let argument = next() else { return nil }
    let folder = FilePath(Array(argument))
    return switch kind {
    case "trash": .trash
    case "move", "move-skipping": .move(to: folder, isSkipping: kind != "move")
    case "copy", "copy-skipping": .copy(to: folder, isSkipping: kind != "copy")
    case "rename": .rename(to: String(decoding: argument, as: UTF8.self))
    default: nil
    }
  }

  mutating func add(_ move: FileMove) {
    add(move.kind.rawValue)
    add(move.source.bytes)
    add(move.target.bytes)
    add(move.isRestoring ? "restoring" : "")
    add(move.record?.path.bytes ?? [])
    add(move.record?.text ?? "")
    add(move.original.map { "\($0.size) \($0.time)" } ?? "")
  }

  mutating func move() -> FileMove? {
    guard let kind = text().flatMap(FileMove.Kind.init), let source = path(), let target = path(),
      let restoring = text(), let record = path(), let text = text(), let stamp = self.text()
    else { return nil }
    let numbers = stamp.split(separator: " ").compactMap { Int64($0) }
    return FileMove(
      kind: kind, source: source, target: target,
      record: record.bytes.isEmpty ? nil : TrashRecord(path: record, text: text), isRestoring: restoring == "restoring",
      original: numbers.count == 2 ? FileMove.Stamp(size: numbers[0], time: numbers[1]) : nil)
  }
}
