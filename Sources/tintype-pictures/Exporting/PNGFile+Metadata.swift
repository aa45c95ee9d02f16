import CDeflate
import Metadata

extension PNGFile {
  /// Returns a PNG with metadata and a profile, or the mark of sRGB, behind its header (PNG, third edition, 11.3).
  static func with(_ metadata: NewMetadata, _ profile: [UInt8]?, in bytes: [UInt8]) -> [UInt8] {
    var chunks: [UInt8] = []
    if let profile {
      chunks += chunk("iCCP", Array("ICC profile\0\0".utf8) + compressed(profile))
    } else {
      chunks += chunk("sRGB", [0])
    }
    if !metadata.exif.isEmpty { chunks += chunk("eXIf", metadata.exif) }
    if !metadata.xmp.isEmpty { chunks += chunk("iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + metadata.xmp) }
    let head = 33
    return bytes[..<head] + chunks + bytes[head...]
  }

  private static func compressed(_ bytes: [UInt8]) -> [UInt8] {
    guard let compressor = libdeflate_alloc_compressor(9) else { return [] }
    defer { libdeflate_free_compressor(compressor) }
    return [UInt8](unsafeUninitializedCapacity: libdeflate_zlib_compress_bound(compressor, bytes.count)) { out, count in
      count = libdeflate_zlib_compress(compressor, bytes, bytes.count, out.baseAddress, out.count)
    }
  }
}
