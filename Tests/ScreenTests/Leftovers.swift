import Foundation
import Harness
import Synchronization

/// Files and folders that are removed when all tests have ended.
///
/// They outlive the object that created them, because a program that still runs may use them.
enum Leftovers {
  private static let all = Mutex<[URL]?>(nil)

  /// Removes a file or folder when the test process exits.
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
