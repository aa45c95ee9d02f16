import Foundation
import Gallery
import Screens
import ViewModels

// The work between the user's last key and the end of the program.
extension Browse {
  /// Waits until the changes that the screen shows as done are on the disk.
  ///
  /// - Parameter writesSidecars: Whether the sidecars are written, too. Those that are not are written at the next start.
  @MainActor
  func settle(_ window: GalleryWindow, writesSidecars: Bool = true) async {
    let viewModels = window.viewModels
    for source in window.visitedSources { await source.deciding.settleKept() }
    await viewModels.guestbook.settle()
    await viewModels.basket.settle()
    await viewModels.savedSearches.settle()
    window.keepPosition()
    await viewModels.places.settle()
    for source in window.visitedSources { await source.settleMarks() }
    // The next start goes on with a step that takes long.
    if writesSidecars, !window.hasLongJob { for source in window.visitedSources { await source.deciding.settle() } }
    // A worker that something has stopped could not notice the end, nor could the processes that it has started itself. So the
    // signal is for the whole process group. It does nothing to what is not stopped.
    kill(0, SIGCONT)
  }

  /// Writes the paths of the marked photos byte by byte, or as printable text to a terminal, which other bytes could
  /// control.
  /// - Returns: The exit code.
  @MainActor
  func printMarked(_ sources: [PhotoChoosingViewModel]) async -> Int32 {
    let end: [UInt8] = [hasZeroBytes ? 0 : UInt8(ascii: "\n")]
    let isTerminal = isatty(STDOUT_FILENO) == 1
    let text = sources.flatMap { $0.files(of: $0.markedPhotos) }.flatMap { photo -> [UInt8] in
      isTerminal
        ? Array(photo.image.printable.utf8) + [UInt8(ascii: "\n")]
        : (photo.image.file?.bytes ?? Array(photo.image.printable.utf8)) + end
    }
    do {
      try FileHandle.standardOutput.write(contentsOf: Data(text))
      return EXIT_SUCCESS
    } catch {
      Shell.print("Can't print the marked photos: \(error.localizedDescription)", to: .standardError)
      return EXIT_FAILURE
    }
  }
}
