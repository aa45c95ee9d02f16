import Foundation
import Gallery
import ImageWire
import Store

/// The files of images on other machines, in the cache.
///
/// Next to the best version of an image is a note, the answer with which it came. A file without a note is one that a better version
/// follows.
struct RemoteImageFiles: Sendable {
  let folder: CacheFolder

  private static let noteEnding = ".note"

  /// Returns the path of a file.
  func path(_ name: String) -> FilePath { FilePath(folder.path(name)) }

  /// Returns the answer with which an earlier session has got a file, without its bytes; nil if there is no file.
  @concurrent
  func note(of name: String) async -> ImageAnswer? {
    guard let data = FileManager.default.contents(atPath: folder.path(name + Self.noteEnding)) else { return nil }
    var buffer = WireBuffer()
    buffer.append(data)
    guard let note = try? buffer.next(ImageAnswer.self), note.info.modifiedAt != 0, folder.status(name) != nil
    else { return nil }
    folder.touch(name)
    folder.touch(name + Self.noteEnding)
    return note
  }

  /// Writes a file, and returns whether that was possible.
  /// - Parameter note: The answer without the bytes; nil if a better one follows.
  @concurrent
  func write(_ bytes: [UInt8], _ note: [UInt8]?, as name: String) async -> Bool {
    // A note must never be about another file.
    unlink(folder.path(name + Self.noteEnding))
    guard (try? folder.write(Data(bytes), as: name)) != nil else { return false }
    guard let note else { return true }
    try? folder.write(Data(note), as: name + Self.noteEnding)
    folder.makeRoom(keeping: name)
    return true
  }
}
