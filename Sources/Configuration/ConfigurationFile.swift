import Foundation
import Gallery
import Screens
import TOMLKit

/// The user's configuration file while the gallery runs: it is read again when it is saved, and settings are changed in it.
///
/// Readings and changes take turns, and their outcomes arrive in that order. So an older reading never undoes a change.
public actor ConfigurationFile {
  /// The new configurations, the newest last. Only one task may iterate over them.
  public nonisolated let outcomes: AsyncStream<ConfigurationSource.Outcome>

  private let source: ConfigurationSource
  private let continuation: AsyncStream<ConfigurationSource.Outcome>.Continuation
  /// The contents of the file.
  private var contents: ConfigurationSource.Outcome
  private var delivered: ConfigurationSource.Outcome
  /// The changes that are not in the file: they are being written, or they can't be. They last as long as the program.
  private var changes: [String: String] = [:]

  /// The beginning of a new file.
  private static let head = "# Tintype's configuration. `tintype config` prints all settings.\n\n"

  /// - Parameter first: The contents when the program started.
  public init(_ source: ConfigurationSource, first: ConfigurationSource.Outcome) {
    self.source = source
    contents = first
    delivered = first
    (outcomes, continuation) = AsyncStream.makeStream()
  }

  /// Reads the file again.
  /// - Returns: Whether it has changed.
  public func reload() -> Bool {
    let next = source.read()
    guard next != contents else { return false }
    contents = next
    deliver()
    return true
  }

  /// The settings that the gallery offers, with their values.
  public var lines: [SettingLine] {
    let text = source.file.flatMap { try? source.text(of: $0).get() } ?? ""
    let table = (try? TOMLDocument.table(text)) ?? TOMLTable()
    return Setting.all.compactMap { setting in
      setting.title.map { title in
        SettingLine(
          name: setting.name, title: title.text, values: setting.values(source.choices),
          value: changes[setting.name] ?? setting.value(in: table, source.choices))
      }
    }
  }

  /// Changes a setting, first in the gallery and then in the file.
  /// - Returns: The reason why the change can't be written, as a clause; nil if it is in the file.
  public func set(_ name: String, to value: String) -> String? {
    guard let setting = Setting.all.first(where: { $0.name == name }) else { return nil }
    changes[name] = value
    deliver()
    do throws(Fault) {
      try write(setting, value)
      changes[name] = nil
      contents = source.read()
      deliver()
      return nil
    } catch { return error.clause }
  }

  /// Reports the configuration if it is a new one.
  private func deliver() {
    var configuration = contents.configuration
    for setting in Setting.all {
      guard let value = changes[setting.name] else { continue }
      let table = try? TOMLDocument.table("\(setting.name) = \(setting.literal(value))")
      if let value = table?[setting.name] { try? setting.read(value, source.choices, &configuration) }
    }
    let next = ConfigurationSource.Outcome(configuration: configuration, problems: contents.problems)
    if next == delivered { return }
    delivered = next
    continuation.yield(next)
  }

  private struct Fault: Error {
    let clause: String
  }

  private func write(_ setting: Setting, _ value: String) throws(Fault) {
    guard let path = source.file, let folder = source.folder else {
      throw Fault(clause: localized("there is no home folder."))
    }
    // Another program may save the file meanwhile.
    for _ in 1...3 {
      let text: String?
      switch source.text(of: path) {
      case .success(let found): text = found
      case .failure(let problem): throw Fault(clause: problem.text)
      }
      let new = try edited(text ?? Self.head, setting, value)
      if new == text { return }
      if try replace(path, text, in: folder, with: new) { return }
    }
    throw Fault(clause: localized("another program is writing config.toml."))
  }

  private func edited(_ text: String, _ setting: Setting, _ value: String) throws(Fault) -> String {
    do throws(SettingEdit.Fault) {
      return try SettingEdit(text, setting: setting.name, to: setting.literal(value)).text
    } catch {
      throw Fault(
        clause: error.line.map { localized("line \($0) of config.toml is invalid.") }
          ?? localized("change “\(setting.name)” in config.toml yourself."))
    }
  }

  /// - Parameter old: The text that was read, or nil if there is no file.
  /// - Returns: Whether the file was replaced. It was not if another program has written it.
  private func replace(
    _ path: String, _ old: String?, in folder: String, with text: String
  ) throws(Fault) -> Bool {
    try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    // A link, as of a folder of dotfiles, stays a link.
    let target = FilePath(path).resolved ?? FilePath(path)
    var status = stat()
    let isThere = target.withCString { lstat($0, &status) } == 0
    // The file could be replaced all the same, but the user has said that it stays.
    if isThere, status.st_mode & 0o222 == 0 || target.withCString({ access($0, W_OK) }) != 0 {
      throw Fault(clause: localized("config.toml is read-only."))
    }
    let condition: AtomicFile.Condition =
      // A link to nothing is there, but has no text.
      old == nil
      ? isThere ? .always : .missing
      : .current { [source] in (try? source.text(of: String(decoding: $0.bytes, as: UTF8.self)).get()) == old }
    do {
      return try AtomicFile.replace(target, if: condition) { write in try write(Array(text.utf8)) }
    } catch let error as AtomicFile.Failure {
      throw Fault(clause: "config.toml: \(error.reason).")
    } catch { throw Fault(clause: "config.toml: \(error.localizedDescription)") }
  }
}
