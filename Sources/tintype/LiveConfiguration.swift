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
      bundledThemes: Resources.path("themes"), languages: InterfaceLanguage.all)
  }
}

/// Reads the configuration again whenever its files are saved.
@MainActor
final class LiveConfiguration {
  /// Called with each new configuration.
  var onChange: @MainActor (ConfigurationSource.Outcome) -> Void = { _ in }

  private let source: ConfigurationSource
  private var watching: Task<Void, Never>?

  init(_ source: ConfigurationSource) { self.source = source }

  /// Starts to watch the user's folder, which may not be there yet, and the files to which its links lead.
  func start() {
    guard watching == nil, let folder = source.folder, let file = source.file, let watch = FolderWatch() else { return }
    watching = Task(executorPreference: WorkerPool.shared) { [source, weak self] in
      Self.watch(folder, file, by: watch)
      var last = source.read()
      for await changes in watch.changes {
        if changes.contains(.unclear) { Self.watch(folder, file, by: watch) }
        let next = source.read()
        // Most changes in the folders are of other files.
        guard next != last else { continue }
        last = next
        await self?.onChange(next)
      }
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
