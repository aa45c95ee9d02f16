import Foundation
import Gallery
import Photos
import Services
import Store
import WorkerPool

extension StepService {
  /// Finds out which photos of a card are new, by their contents, and where their copies would go. Copies nothing.
  ///
  /// - Parameters:
  ///   - shots: The photos of all files of each photo.
  ///   - work: Gets the number of photos, and stops the search.
  public nonisolated func forecast(
    importing shots: [[Photo]], _ rule: ImportRule, _ work: StepWork
  ) async throws(APIError) -> ImportForecast {
    work.update { $0 = StepProgress(total: shots.count) }
    let read = await onPool {
      shots.prefix { _ in !work.isStopped }.compactMap { ImportedShot($0) }
    }
    let known = rule.isAgain ? [:] : try await journal.imported(Set(read.flatMap(\.beginnings)))
    return await onPool {
      var planning = ImportPlanning(rule, known: known)
      for shot in read where !work.isStopped {
        planning.add(shot)
        work.update { $0.done += 1 }
      }
      return planning.forecast
    }
  }
}

/// A photo on a card, with the beginnings of its files.
private struct ImportedShot: Sendable {
  let photo: Photo
  let files: [FilePath]
  /// The beginnings of the files, or the reason why one can't be read.
  let contents: Result<[ImportedContent.Beginning], SystemError>

  var beginnings: [ImportedContent.Beginning] { (try? contents.get()) ?? [] }

  init?(_ shot: [Photo]) {
    files = shot.compactMap(\.file)
    guard let first = shot.first, !files.isEmpty else { return nil }
    photo = first
    contents = Result { [files] () throws(SystemError) in
      try files.map { file throws(SystemError) in try ImportedContent.Beginning(of: file.withoutLink) }
    }
  }
}

/// The photos of an import, one after the other.
private struct ImportPlanning {
  private(set) var forecast = ImportForecast()
  private let rule: ImportRule
  /// The digests of contents that were imported.
  private let known: [ImportedContent.Beginning: Set<String>]
  /// The files of the photos that will be imported.
  private var seen: [[ImportedContent.Beginning]: [FilePath]] = [:]
  private let rules: [NameRules]
  /// The paths that photos get, up to the suffixes.
  private var reserved: Set<FilePath> = []
  private var folders = FoldersBySize()

  init(_ rule: ImportRule, known: [ImportedContent.Beginning: Set<String>]) {
    self.rule = rule
    self.known = known
    rules = rule.places.map { NameRules($0.nearest) }
  }

  mutating func add(_ shot: ImportedShot) {
    let path = shot.files[0]
    do {
      let beginnings = try shot.contents.get()
      if try wasImported(shot.files, beginnings) { return forecast.imported.append(path) }
      if let twin = seen[beginnings], zip(twin, shot.files).allSatisfy({ FileCopy.hasSameContent($0, $1) }) {
        return forecast.present.append(path)
      }
      if try place(shot, beginnings) { seen[beginnings] = shot.files } else { forecast.present.append(path) }
    } catch {
      forecast.failures.append(.init(path, Self.message(error)))
    }
  }

  private static func message(_ error: any Error) -> String {
    switch error {
    case let error as NamePattern.Fault: error.message
    case let error as RenameFault: error.message
    case let error as SystemError: localized("It can't be read (\(error.reason.printable)).")
    default: error.localizedDescription
    }
  }

  private func wasImported(_ files: [FilePath], _ beginnings: [ImportedContent.Beginning]) throws -> Bool {
    // Contents that begin like others are rare, so files are seldom read here if they are new.
    guard beginnings.allSatisfy({ known[$0] != nil }) else { return false }
    return try zip(files, beginnings).allSatisfy {
      known[$1]?.contains(try ImportedContent(of: $0.withoutLink).digest) ?? false
    }
  }

  /// Gives a photo its places. Returns false if its copies are there already.
  private mutating func place(_ shot: ImportedShot, _ beginnings: [ImportedContent.Beginning]) throws -> Bool {
    let values = NamePattern.Values(photo: shot.photo, path: shot.files[0], sequence: forecast.imports.count + 1)
    let name = try rule.names.name(of: values)
    let stems = rule.places.map { (rule.folders?.folder(of: values, in: $0) ?? $0).appending(name) }
    let plan = FileOperation.importing(shot.files, as: stems) { [rules, reserved] stem in
      rules.contains { reserved.contains($0.folded(stem)) }
    }
    let first = plan.stems[0].folder
    if plan.moves.isEmpty { return false }
    // A backup may be all that is missing.
    let isNew = plan.moves.contains { $0.target.folder == first }
    if isNew, !rule.isAgain,
      zip(shot.files, beginnings).allSatisfy({ folders.has($0, $1, in: first) })
    {
      return false
    }
    for move in plan.moves { for rules in rules { try rules.check(move.target) } }
    for stem in plan.stems { for rules in rules { reserved.insert(rules.folded(stem)) } }
    let length = FileMove.stemLength(of: shot.files)
    let path = FilePath(plan.stems[0].bytes + shot.files[0].name.dropFirst(length))
    forecast.imports.append(
      FileImport(
        shot.photo, at: path, files: shot.files, as: plan.stems,
        copies: plan.moves.map { .init(of: $0.source, at: $0.target) }))
    // The room is that of the first place.
    if isNew { forecast.size += beginnings.reduce(0) { $0 + $1.size } }
    return true
  }
}

/// The files of folders by their sizes, by which equal ones are found under other names.
private struct FoldersBySize {
  private var folders: [FilePath: [Int64: [FilePath]]] = [:]
  /// The beginnings of files that had the size of another one; nil for those that can't be read.
  private var beginnings: [FilePath: ImportedContent.Beginning?] = [:]

  /// Returns whether a folder has a file with the same content.
  mutating func has(_ file: FilePath, _ beginning: ImportedContent.Beginning, in folder: FilePath) -> Bool {
    let files = folders[folder] ?? Self.files(in: folder)
    folders[folder] = files
    // All raw files of some cameras have one size, so each is opened once.
    return files[beginning.size]?.contains { other in
      let known = beginnings[other] ?? (try? ImportedContent.Beginning(of: other.withoutLink))
      beginnings[other] = .some(known)
      return known == beginning && FileCopy.hasSameContent(file.withoutLink, other)
    } ?? false
  }

  private static func files(in folder: FilePath) -> [Int64: [FilePath]] {
    guard let stream = folder.withCString({ opendir($0) }) else { return [:] }
    defer { closedir(stream) }
    var files: [Int64: [FilePath]] = [:]
    while let entry = readdir(stream) {
      let text = UnsafeRawPointer(entry).advanced(by: MemoryLayout<dirent>.offset(of: \.d_name)!)
      let name = UnsafeRawBufferPointer(start: text, count: strlen(text.assumingMemoryBound(to: CChar.self)))
      let path = folder.appending(name)
      if let stamp = path.stamp, name.first != UInt8(ascii: ".") { files[stamp.size, default: []].append(path) }
    }
    return files
  }
}
