import Foundation
import Torture

/// A folder of photos that other programs change while a gallery shows it, on a disk of its own that gets full. Only root can create one.
final class ChangingFolder {
  /// The folder of the photos.
  let photos: URL
  /// The number of photos before the first change, and after each ``restore()``.
  let photoCount: Int
  /// The photo that nothing but the gallery touches.
  static let kept = "kept.jpg"

  private let disk: TestFileSystem
  private let others: URL
  private let names: [String]
  private let contents: [Data]
  private var random: SplitMix
  /// The number of photos that have come.
  private var comerCount = 0
  private(set) var isFull = false

  init?(photoCount: Int, seed: Int) throws {
    guard let disk = TestFileSystem(size: 20_480 + photoCount * 48) else { return nil }
    self.disk = disk
    self.photoCount = photoCount
    photos = URL(filePath: disk.folder).appending(path: "photos")
    others = URL(filePath: disk.folder).appending(path: "others")
    names = (1..<photoCount).map { "photo-\($0).jpg" }
    contents = try ["chelsea.jpg", "dahlia.jpg"].map { try Data(contentsOf: URL(filePath: Program.photo($0))) }
    random = SplitMix(seed: seed)
    for folder in [photos, others] {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
    try contents[0].write(to: others.appending(path: "linked.jpg"))
    try contents[1].write(to: photos.appending(path: Self.kept))
    try restore()
  }

  /// Makes a change, as another program would.
  func change() {
    let photo = photos.appending(path: names[Int.random(in: names.indices, using: &random)])
    let files = FileManager.default
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<4: try? files.removeItem(at: photo)
    case 4..<8:
      comerCount += 1
      try? contents[comerCount % 2].write(to: photos.appending(path: "new-\(comerCount).jpg"))
    case 8..<11:
      comerCount += 1
      try? files.moveItem(at: photo, to: photos.appending(path: "renamed-\(comerCount).jpg"))
    case 11..<13:
      try? files.removeItem(at: photo)
      try? files.createSymbolicLink(at: photo, withDestinationURL: others.appending(path: "linked.jpg"))
    case 13:
      try? files.removeItem(at: photo)
      // A link to nothing.
      try? files.createSymbolicLink(at: photo, withDestinationURL: others.appending(path: "gone.jpg"))
    case 14: try? contents[comerCount % 2].write(to: photo)
    case 15: try? Data(contents[0].prefix(9000)).write(to: photo)
    case 16: try? files.removeItem(at: photo.appendingPathExtension("xmp"))
    case 17:
      try? files.removeItem(at: photo)
      try? files.createDirectory(at: photo, withIntermediateDirectories: true)
    case 18 where !isFull: fill()
    default: makeRoom()
    }
  }

  /// Fills the disk.
  func fill() {
    disk.fill()
    isFull = true
  }

  /// Ends what ``fill()`` has begun.
  func makeRoom() {
    disk.makeRoom()
    isFull = false
  }

  /// The number of blocks for files that the disk still has.
  var freeBlocks: Int {
    var room = statvfs()
    return statvfs(photos.path, &room) == 0 ? Int(room.f_bavail) : -1
  }

  /// Brings the photos of the beginning back and removes all others. Sidecars stay.
  func restore() throws {
    makeRoom()
    let wanted = Set(names + [Self.kept])
    for file in try FileManager.default.contentsOfDirectory(at: photos, includingPropertiesForKeys: [.isRegularFileKey])
    {
      let isRegular = (try? file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile) == true
      if file.pathExtension == "xmp" || isRegular && wanted.contains(file.lastPathComponent) { continue }
      // The gallery may have removed a temporary file.
      try? FileManager.default.removeItem(at: file)
    }
    for (index, name) in names.enumerated() {
      let photo = photos.appending(path: name)
      let size = try? FileManager.default.attributesOfItem(atPath: photo.path)[.size] as? Int
      if size != contents[index % 2].count { try contents[index % 2].write(to: photo) }
    }
  }

  /// The stars in the sidecar of the photo that is kept; nil if there are none.
  var keptRating: Int? {
    let sidecar = photos.appending(path: Self.kept + ".xmp")
    guard let text = try? String(contentsOf: sidecar, encoding: .utf8),
      let match = text.firstMatch(of: #/Rating(?:="|>)(\d)/#)
    else { return nil }
    return Int(match.1)
  }
}
