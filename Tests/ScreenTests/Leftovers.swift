import Foundation
import Synchronization

/// Files and folders that are removed when all tests have ended: whoever made one, and holds it no longer, may have left
/// a program running that uses it.
enum Leftovers {
  private static let all = Mutex<[URL]?>(nil)

  static func removeAtEnd(_ url: URL) {
    all.withLock { urls in
      if urls == nil {
        urls = []
        atexit { Leftovers.all.withLock { $0?.forEach { try? FileManager.default.removeItem(at: $0) } } }
      }
      urls?.append(url)
    }
  }
}
