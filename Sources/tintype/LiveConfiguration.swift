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
      folder: XDGFolders(environment: ProcessInfo.processInfo.environment).config,
      bundledThemes: Resources.path("themes"), languages: { InterfaceLanguage.all })
  }
}

/// Reads the configuration again whenever its files are saved.
@MainActor
final class LiveConfiguration {
  /// Called with each new configuration.
  var onChange: @MainActor (ConfigurationSource.Outcome) -> Void = { _ in }

  private let source: ConfigurationSource
  /// The contents of the files when the program started.
  private let first: ConfigurationSource.Outcome
  private var watching: Task<Void, Never>?

  init(_ source: ConfigurationSource, first: ConfigurationSource.Outcome) {
    self.source = source
    self.first = first
  }

  /// Starts to watch the user's folder, which may not be there yet, and the files to which its links lead.
  func start() {
    guard watching == nil, let folder = source.folder, let file = source.file, let watch = FolderWatch() else { return }
    watching = Task(executorPreference: WorkerPool.shared) { [source, first, weak self] in
      var last = first
      // The files may have changed before they are watched.
      var isUnclear = true
      var changes = watch.changes.makeAsyncIterator()
      repeat {
        if isUnclear { Self.watch(folder, file, by: watch) }
        let next = source.read()
        // A link may lead to another file now. Most changes in the folders are of other files.
        if next != last { Self.watch(folder, file, by: watch) }
        if next != last { await self?.onChange(next) }
        last = next
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
