import Foundation
import Gallery
import Metadata

@testable import tintype_pictures

extension Pixels {
  /// Returns the pixels of a JPEG at its native scale, or at one half or a fourth of it.
  static func photo(_ path: String, shrunkBy divisor: Int = 1) throws -> Pixels {
    let descriptor = open(path, O_RDONLY)
    guard descriptor >= 0 else { throw CocoaError(.fileReadNoSuchFile) }
    defer { close(descriptor) }
    let file = try ImageFile(path: FilePath(path), descriptor: descriptor)
    guard let image = JPEGImage(file, orientation: 1) else { throw CocoaError(.fileReadCorruptFile) }
    let size = image.uprightSize
    let wanted = PixelSize(size.width / divisor, size.height / divisor)
    return try image.pixels(of: PixelRect(size: size), wanted: (wanted, wanted))
  }
}
