import Foundation
import Harness

/// A folder with three photos on another machine, over a private ssh server.
class RemoteFixture {
  let server: PrivateSSH

  init() throws {
    server = try PrivateSSH()
    try FileManager.default.createDirectory(at: photos, withIntermediateDirectories: true)
    for (name, photo) in [("a.jpg", "chelsea.jpg"), ("b.jpg", "coffee.jpg"), ("c.jpg", "rocket.jpg")] {
      try FileManager.default.copyItem(atPath: Program.photo(photo), toPath: photos.appending(path: name).path)
    }
  }

  var photos: URL { server.home.appending(path: "photos") }

  func start(_ place: String = "nas:photos", pictures: String = "none") async throws -> TerminalSession {
    try Program.start(place, "--pictures", pictures, changes: server.changes)
  }

  func sidecar(_ name: String) -> String? {
    try? String(contentsOf: photos.appending(path: name + ".xmp"), encoding: .utf8)
  }

  func waitForSidecar(_ name: String, _ condition: (String?) -> Bool) throws {
    try wait("the sidecar of \(name)") { condition(self.sidecar(name)) }
  }

  func waitForFile(_ file: URL) throws {
    try wait("\(file.path)") { FileManager.default.fileExists(atPath: file.path) }
  }

  func wait(_ description: String, _ condition: () throws -> Bool) throws {
    try waitForFiles(in: server.folder, description, until: condition)
  }
}
