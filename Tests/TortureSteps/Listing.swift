import Foundation
import Gallery

/// What is below a folder. Names are bytes, which need not be UTF-8.
struct Listing {
  /// The files and links, without the folders.
  private(set) var files: [FilePath] = []
  private(set) var folders: [FilePath] = []

  init(_ folder: FilePath) { add(folder) }

  private mutating func add(_ folder: FilePath) {
    guard let stream = folder.withCString({ opendir($0) }) else { return }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      let text = UnsafeRawPointer(entry).advanced(by: MemoryLayout<dirent>.offset(of: \.d_name)!)
      let name = UnsafeRawBufferPointer(start: text, count: strlen(text.assumingMemoryBound(to: CChar.self)))
      if [".", ".."].contains(where: { name.elementsEqual($0.utf8) }) { continue }
      let path = folder.appending(name)
      guard entry.pointee.d_type == UInt8(DT_DIR) else {
        files.append(path)
        continue
      }
      folders.append(path)
      add(path)
    }
  }
}

extension FilePath {
  /// The permissions, the time and the content of a file, or the target of a link. The time at which a rating has written a
  /// sidecar is left out.
  var fingerprint: String {
    var (status, target) = (stat(), [CChar](repeating: 0, count: Int(PATH_MAX)))
    guard withCString({ lstat($0, &status) }) == 0 else { return "missing" }
    if case let count = withCString({ readlink($0, &target, target.count) }), count > 0 {
      return "-> " + String(decoding: target[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
    let mode = String(status.st_mode & 0o7777, radix: 8)
    if name.reversed().starts(with: ".xmp".utf8.reversed()) { return "\(mode) \(sidecarText)" }
    return "\(mode) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec) \(text)"
  }

  var text: String { String(decoding: head(1 << 20), as: UTF8.self) }

  private var sidecarText: String {
    String(text.drop { $0 != "<" }).replacing(/MetadataDate="[^"]*"/, with: "").replacing(
      />\s+<\/rdf:Description>/, with: "/>")
  }
}
