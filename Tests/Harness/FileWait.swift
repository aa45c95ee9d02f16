import Foundation

/// Blocks until what the files of a folder say meets a condition.
///
/// The condition is tested at each change below the folder, and ten times a second for what is not in a file, such as whether a
/// process lives.
public func waitForFiles(
  in folder: URL, _ description: @autoclosure () throws -> String, timeout: Duration = TerminalSession.defaultTimeout,
  until condition: () throws -> Bool
) throws {
  FewAtOnce.check()
  let changes = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
  defer { close(changes) }
  let end = ContinuousClock.now + timeout
  while true {
    // What changes after this makes a further round.
    watch(folder, with: changes)
    if try condition() { return }
    guard ContinuousClock.now < end else {
      throw FilesTimedOut(description: "waited \(timeout) for \(try description())")
    }
    var waiting = pollfd(fd: changes, events: Int16(POLLIN), revents: 0)
    poll(&waiting, 1, 100)
    var events = [UInt8](repeating: 0, count: 1 << 16)
    while read(changes, &events, events.count) > 0 {}
  }
}

private struct FilesTimedOut: Error, CustomStringConvertible { let description: String }

/// Watches a folder and all folders in it. Files that are opened for reading and closed are no changes.
private func watch(_ folder: URL, with descriptor: Int32) {
  let events = UInt32(IN_MODIFY | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ATTRIB)
  inotify_add_watch(descriptor, folder.path, events)
  let all = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: [.isDirectoryKey])
  while let url = all?.nextObject() as? URL {
    if (try? url.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory == true {
      inotify_add_watch(descriptor, url.path, events)
    }
  }
}
