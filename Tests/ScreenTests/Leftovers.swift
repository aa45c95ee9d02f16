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
        atexit {
          Leftovers.all.withLock { urls in
            for url in urls ?? [] { try? FileManager.default.removeItem(at: url) }
          }
        }
      }
      urls?.append(url)
    }
  }
}
