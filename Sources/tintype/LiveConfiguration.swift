import Configuration
import Folder
import Foundation
import Gallery
import Resources
import Screens
import WorkerPool

extension ConfigurationSource {
  /// The configuration of the user who runs the program.
  static var user: ConfigurationSource {
    ConfigurationSource(
      folder: XDGFolders.user.config,
      bundledThemes: Resources.path("themes"), languages: { InterfaceLanguage.all })
  }
}

/// Reads the configuration again whenever its files are saved, and saves the settings that the user changes in the gallery.
@MainActor
final class LiveConfiguration: SettingsEditor {
  /// Called with each new configuration.
  var onChange: @MainActor (ConfigurationSource.Outcome) -> Void = { _ in }
  /// Called with the sentence that says why a change was not saved.
  var onFault: @MainActor (String) -> Void = { _ in }
  /// The options of the command line that fix settings, by the names of these.
  var options: [String: String] = [:]

  private let source: ConfigurationSource
  private let file: ConfigurationFile
  /// The language of the texts.
  private var language: String?
  private var watching: Task<Void, Never>?
  private var delivering: Task<Void, Never>?
  /// The changes that are not saved yet.
  private var waiting: [String: String] = [:]
  private var saving: Task<Void, Never>?

  /// - Parameter first: The contents of the files when the program started.
  init(_ source: ConfigurationSource, first: ConfigurationSource.Outcome) {
    self.source = source
    file = ConfigurationFile(source, first: first)
    language = first.configuration.settings.language
    delivering = Task.onMainActor { [weak self, file] in
      for await outcome in file.outcomes { await self?.deliver(outcome) }
    }
  }

  private func deliver(_ outcome: ConfigurationSource.Outcome) async {
    if outcome.configuration.settings.language != language {
      let name = outcome.configuration.settings.language
      language = name
      // The translations are in a file.
      await Task(executorPreference: WorkerPool.shared) { InterfaceLanguage.use(name) }.value
    }
    onChange(outcome)
  }

  func lines() async -> [SettingLine] {
    await file.lines.map { line in
      var line = line
      if let option = options[line.name] { line.refusal = localized("Set by \(option).") }
      return line
    }
  }

  /// Changes a setting. While one is being saved, the last change of each other one waits.
  func set(_ name: String, to value: String) {
    waiting[name] = value
    guard saving == nil else { return }
    saving = Task.onMainActor { [self] in
      while let (name, value) = waiting.popFirst() {
        if let clause = await file.set(name, to: value) { onFault(localized("Not saved: \(clause)")) }
      }
      saving = nil
    }
  }

  /// Waits until all changes are saved.
  func settle() async { await saving?.value }

  /// Starts to watch the user's folder, which may not be there yet, and the files to which its links lead.
  func start() {
    guard watching == nil, let folder = source.folder, let path = source.file, let watch = FolderWatch() else { return }
    watching = Task(executorPreference: WorkerPool.shared) { [file] in
      // The files may have changed before they are watched.
      var isUnclear = true
      var changes = watch.changes.makeAsyncIterator()
      repeat {
        if isUnclear { Self.watch(folder, path, by: watch) }
        // A link may lead to another file now. Most changes in the folders are of other files.
        if await file.reload() { Self.watch(folder, path, by: watch) }
        guard let batch = await changes.next() else { return }
        isUnclear = batch.contains(.unclear)
      } while true
    }
  }

  private nonisolated static func watch(_ folder: String, _ file: String, by watch: FolderWatch) {
    watch.addFoldersAbove(FilePath(folder))
    for path in [folder, "\(folder)/themes"] {
      watch.add(FilePath(path))
      watch.addFiles(of: FilePath(path))
    }
    guard let real = realpath(file, nil) else { return }
    defer { free(real) }
    let home = (String(cString: real) as NSString).deletingLastPathComponent
    guard home != folder else { return }
    watch.add(FilePath(home))
    watch.addFiles(of: FilePath(home))
  }
}
