/// Cameras' raw files in structures of their own, without the sensor's values, built by the formats' specifications (see the
/// readers in Sources/Metadata).
public enum SampleRaw {
  private static func little(_ value: Int, _ count: Int = 4) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private static func big(_ value: Int, _ count: Int = 4) -> [UInt8] { little(value, count).reversed() }

  /// Returns a heap of Canon's records: their data, and a directory behind them.
  private static func heap(_ records: [(type: Int, data: [UInt8])]) -> [UInt8] {
    var (data, directory) = ([UInt8](), little(records.count, 2))
    for record in records {
      directory += little(record.type, 2) + little(record.data.count) + little(data.count)
      data += record.data
    }
    return data + directory + little(data.count)
  }

  /// Returns a CRW of 640x480 pixels, taken on 2003-12-14 at 12:01:44.
  ///
  /// - Parameter rotation: The degrees by which the image is rotated clockwise to be upright.
  public static func crw(jpeg: [UInt8], thumbnail: [UInt8] = [], rotation: Int = 0) -> [UInt8] {
    let info = little(640) + little(480) + little(0) + little(rotation) + Array(repeating: 0, count: 12)
    let camera = heap([(0x080A, Array("Canon\0Canon EOS 10D\0".utf8))])
    let properties = heap([(0x1810, info), (0x180E, little(1_071_403_304) + little(0, 8)), (0x2807, camera)])
    let records = heap([(0x2008, thumbnail), (0x300A, properties), (0x2007, jpeg)])
    return Array("II".utf8) + little(26) + Array("HEAPCCDR".utf8) + little(0, 12) + records
  }

  /// Returns an MRW of 640x480 pixels with the Exif of ``SamplePhoto/tiff(isBigEndian:)`` in its first directory, and with the
  /// preview that the maker's tags name.
  public static func mrw(jpeg: [UInt8], orientation: Int = 1) -> [UInt8] {
    // The offset of the preview counts from the structure of TIFF, which has a fixed length before the preview.
    func tiff(preview: Int) -> [UInt8] {
      var tiff = TIFF(isBigEndian: true)
      tiff.add([
        .text(0x010F, "Minolta Co., Ltd."), .text(0x0110, "DiMAGE 7Hi"), .short(0x0112, orientation),
        .directory(0x8769),
      ])
      let note = big(2, 2) + big(0x88, 2) + big(4, 2) + big(1) + big(preview)
      let end = big(0x89, 2) + big(4, 2) + big(1) + big(jpeg.count) + big(0)
      tiff.add([.text(0x9003, "2003:12:14 12:01:44"), .raw(0x927C, type: 7, count: (note + end).count, note + end)])
      return tiff.bytes
    }
    let head = tiff(preview: 0).count
    let exif = tiff(preview: head) + jpeg
    let size = Array("27820001".utf8) + big(500, 2) + big(660, 2) + big(480, 2) + big(640, 2) + big(0, 8)
    let blocks = Array("\0PRD".utf8) + big(size.count) + size + Array("\0TTW".utf8) + big(exif.count) + exif
    return Array("\0MRM".utf8) + big(blocks.count) + blocks
  }

  /// Returns an X3F of 640x480 pixels with JPEGs in sections, and a section that has no JPEG.
  public static func x3f(jpegs: [[UInt8]], rotation: Int = 0, version: Int = 2) -> [UInt8] {
    var file = Array("FOVb".utf8) + little(version << 16) + Array(repeating: 7, count: version >= 4 ? 32 : 20)
    file += little(640) + little(480) + little(rotation) + Array(repeating: 0, count: 40)
    var directory: [UInt8] = []
    func add(_ type: String, format: Int, _ data: [UInt8]) {
      let section = Array("SECi".utf8) + little(2 << 16) + little(2) + little(format) + little(0, 12) + data
      directory += little(file.count) + little(section.count) + Array(type.utf8)
      file += section
    }
    add("IMAG", format: 11, Array(repeating: 9, count: 100_000))
    for jpeg in jpegs { add("IMA2", format: 18, jpeg) }
    let place = file.count
    return file + Array("SECd".utf8) + little(2 << 16) + little(jpegs.count + 1) + directory + little(place)
  }

  /// Returns a raw file with the structure of TIFF whose first directory names a JPEG.
  ///
  /// - Parameters:
  ///   - smaller: A smaller JPEG, which comes first, or nothing.
  ///   - head: The bytes behind the structure's head, by which some makers' files are recognized.
  public static func tiff(jpeg: [UInt8], smaller: [UInt8] = [], head: [UInt8] = []) -> [UInt8] {
    let directory = 8 + head.count + (8 + head.count) % 2
    let end = directory + 2 + 4 * 12 + 4
    // It has a directory of its own.
    let second = smaller.isEmpty ? 0 : 2 + 2 * 12 + 4
    let place = end + second + smaller.count
    func entry(_ tag: Int, _ value: Int) -> [UInt8] { little(tag, 2) + little(4, 2) + little(1) + little(value) }
    let entries = entry(0x0106, 32_803) + entry(0x0112, 1) + entry(0x0201, place) + entry(0x0202, jpeg.count)
    let start = Array("II".utf8) + little(42, 2) + little(directory) + head
    let first = start + Array(repeating: 0, count: directory - start.count) + little(4, 2) + entries
    if smaller.isEmpty { return first + little(0) + jpeg }
    return first + little(end) + little(2, 2) + entry(0x0201, end + second) + entry(0x0202, smaller.count) + little(0)
      + smaller + jpeg
  }
}
