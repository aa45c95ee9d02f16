import Foundation
import Gallery
import Metadata

@testable import tintype_pictures

extension Pixels {
  /// The pixels of a JPEG at its native scale.
  static func photo(_ path: String) throws -> Pixels {
    let descriptor = open(path, O_RDONLY)
    guard descriptor >= 0 else { throw CocoaError(.fileReadNoSuchFile) }
    defer { close(descriptor) }
    let file = try ImageFile(path: FilePath(path), descriptor: descriptor)
    guard let image = JPEGImage(file, orientation: 1) else { throw CocoaError(.fileReadCorruptFile) }
    let size = image.uprightSize
    return try image.pixels(of: PixelRect(size: size), wanted: (size, size))
  }
}
