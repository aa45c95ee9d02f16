import Gallery

/// A collection as an extended M3U list: one path a line, and comments with the collection's name and the photos' titles.
///
/// ```
/// #EXTM3U
/// #PLAYLIST:Portfolio
/// #EXTINF:-1,Dune in the wind
/// oslo/dune.jpg
/// ```
///
/// A path with a line break can't be in such a list, so it is left out.
public struct CollectionList: Sendable {
  /// The list.
  public private(set) var bytes: [UInt8]

  /// Creates an empty list.
  /// - Parameter name: The name of the collection.
  public init(name: String) { bytes = Array("#EXTM3U\n#PLAYLIST:\(name.printable)\n".utf8) }

  /// Adds a file.
  ///
  /// - Parameters:
  ///   - title: The title of the photo; nil if it is unknown.
  ///   - folder: The absolute path of the folder from which the path begins; nil for an absolute path.
  public mutating func add(_ file: FilePath, title: String?, from folder: FilePath? = nil) {
    guard !file.bytes.contains(UInt8(ascii: "\n")) else { return }
    if let title { bytes += "#EXTINF:-1,\(title.printable)\n".utf8 }
    bytes += folder.map { Self.path(of: file, from: $0) } ?? file.bytes
    bytes.append(UInt8(ascii: "\n"))
  }

  /// Returns the path of a file as seen from a folder. One that would begin like a comment begins with `./`.
  static func path(of file: FilePath, from folder: FilePath) -> [UInt8] {
    let slash = UInt8(ascii: "/")
    let names = file.bytes.split(separator: slash)
    let start = folder.bytes.split(separator: slash)
    let shared = zip(names, start).prefix { $0.elementsEqual($1) }.count
    let up = Array(repeating: Array("..".utf8), count: start.count - shared)
    let path = Array((up + names[shared...].map(Array.init)).joined(separator: [slash]))
    return path.first == UInt8(ascii: "#") ? Array("./".utf8) + path : path
  }
}
