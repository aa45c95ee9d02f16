import Gallery
import Metadata

/// An AVIF of one image that libheif has written (ISO/IEC 23008-12, in boxes of ISO/IEC 14496-12).
///
/// The metadata become items at the end of the file, and the profile a property of the image. So the box `meta` grows, and the
/// places of the image's data move.
struct AVIFFile {
  /// A box without its head.
  private struct Box {
    let type: String
    var content: [UInt8]

    var bytes: [UInt8] { content.boxed(type) }
  }

  /// A piece of an item's data.
  private struct Item {
    let id: Int
    let method: Int
    var extents: [(offset: Int, count: Int)]
  }

  private var outer: [Box]
  /// The boxes in `meta`.
  private var inner: [Box] = []
  private var items: [Item] = []

  /// The numbers of the new items. libheif counts from 1.
  private static let (exifID, xmpID) = (0x7FF0, 0x7FF1)

  init(_ bytes: [UInt8]) throws(ImageFault) {
    outer = try Self.boxes(bytes[...])
    guard let meta = outer.first(where: { $0.type == "meta" }), meta.content.count > 4 else { throw Self.unexpected }
    inner = try Self.boxes(meta.content[4...])
    guard let places = inner.first(where: { $0.type == "iloc" }) else { throw Self.unexpected }
    items = try Self.items(places.content)
  }

  private static var unexpected: ImageFault { .notExported(.unwritable(reason: "libheif")) }

  private static func boxes(_ bytes: ArraySlice<UInt8>) throws(ImageFault) -> [Box] {
    var (boxes, rest): ([Box], ArraySlice<UInt8>) = ([], bytes)
    while rest.count >= 8 {
      let count = rest.prefix(4).number(.bigEndian)
      guard count >= 8, count <= rest.count else { throw unexpected }
      let type = String(decoding: rest.dropFirst(4).prefix(4), as: UTF8.self)
      boxes.append(Box(type: type, content: Array(rest.prefix(count).dropFirst(8))))
      rest = rest.dropFirst(count)
    }
    return boxes
  }

  /// Reads the places of the items' data (ISO/IEC 14496-12, 8.11.3).
  private static func items(_ content: [UInt8]) throws(ImageFault) -> [Item] {
    var rest = content[...]
    func next(_ count: Int) throws(ImageFault) -> Int {
      guard rest.count >= count else { throw unexpected }
      defer { rest = rest.dropFirst(count) }
      return rest.prefix(count).number(.bigEndian)
    }
    let version = try next(4) >> 24
    let sizes = try next(2)
    let (offsetSize, countSize, baseSize) = (sizes >> 12, sizes >> 8 & 15, sizes >> 4 & 15)
    let indexSize = version == 0 ? 0 : sizes & 15
    var items: [Item] = []
    for _ in 0..<(try next(version < 2 ? 2 : 4)) {
      let id = try next(version < 2 ? 2 : 4)
      let method = version == 0 ? 0 : try next(2) & 15
      guard try next(2) == 0, method < 2 else { throw unexpected }
      let base = try next(baseSize)
      var item = Item(id: id, method: method, extents: [])
      for _ in 0..<(try next(2)) {
        _ = try next(indexSize)
        item.extents.append((base + (try next(offsetSize)), try next(countSize)))
      }
      items.append(item)
    }
    return items
  }

  /// Returns the file with metadata, a profile, and the colors that the encoder doesn't know.
  func with(_ metadata: NewMetadata, _ profile: [UInt8]?) throws(ImageFault) -> [UInt8] {
    var file = self
    let additions = [
      (Self.exifID, "Exif\0".utf8.map { $0 }, metadata.exif.isEmpty ? [] : [0, 0, 0, 0] + metadata.exif),
      (Self.xmpID, "mime\0application/rdf+xml\0".utf8.map { $0 }, metadata.xmp),
    ].filter { !$0.2.isEmpty }
    file.describe(additions.map { ($0.0, $0.1) })
    try file.setColors(profile)
    // Each item is a box of data of its own at the end. The size of `meta` doesn't depend on the places in it.
    let data = additions.map { $0.2.boxed("mdat") }
    let before = outer.prefix { $0.type != "meta" }.reduce(0) { $0 + $1.bytes.count }
    let oldSize = outer.first { $0.type == "meta" }?.bytes.count ?? 0
    for (id, _, content) in additions { file.items.append(Item(id: id, method: 0, extents: [(0, content.count)])) }
    let growth = file.meta.bytes.count - oldSize
    var end = outer.reduce(growth) { $0 + $1.bytes.count }
    for index in file.items.indices where file.items[index].method == 0 {
      if index < items.count {
        for extent in file.items[index].extents.indices
        where file.items[index].extents[extent].offset >= before + oldSize {
          file.items[index].extents[extent].offset += growth
        }
      } else {
        file.items[index].extents[0].offset = end + 8
        end += 8 + file.items[index].extents[0].count
      }
    }
    return Array(outer.map { $0.type == "meta" ? file.meta.bytes : $0.bytes }.joined()) + Array(data.joined())
  }

  /// The box `meta` with the places of the items.
  private var meta: Box {
    var places: [UInt8] = [1, 0, 0, 0, 0x44, 0x00]
    places.putBigEndian(items.count, bytes: 2)
    for item in items {
      for number in [item.id, item.method, 0, item.extents.count] { places.putBigEndian(number, bytes: 2) }
      for extent in item.extents {
        places.putBigEndian(extent.offset)
        places.putBigEndian(extent.count)
      }
    }
    let boxes = inner.map { $0.type == "iloc" ? Box(type: "iloc", content: places) : $0 }
    return Box(type: "meta", content: [0, 0, 0, 0] + boxes.flatMap(\.bytes))
  }

  /// Adds the types of items (8.11.6), and the references from them to the image that they describe (8.11.12).
  private mutating func describe(_ additions: [(id: Int, type: [UInt8])]) {
    guard !additions.isEmpty, let types = inner.firstIndex(where: { $0.type == "iinf" }),
      let primary = inner.first(where: { $0.type == "pitm" })?.content.suffix(2)
    else { return }
    var references: [UInt8] = []
    for (id, type) in additions {
      var entry: [UInt8] = [2, 0, 0, 1]
      entry.putBigEndian(id, bytes: 2)
      inner[types].content += (entry + [0, 0] + type).boxed("infe")
      var reference: [UInt8] = []
      reference.putBigEndian(id, bytes: 2)
      references += (reference + [0, 1] + primary).boxed("cdsc")
    }
    let count = inner[types].content[4..<6].number(.bigEndian) + additions.count
    inner[types].content[4] = UInt8(truncatingIfNeeded: count >> 8)
    inner[types].content[5] = UInt8(truncatingIfNeeded: count)
    if let index = inner.firstIndex(where: { $0.type == "iref" }) {
      inner[index].content += references
    } else {
      inner.append(Box(type: "iref", content: [0, 0, 0, 0] + references))
    }
  }

  /// Sets the colors to sRGB by the numbers of Rec. ITU-T H.273, or adds a profile (ISO/IEC 23008-12, 6.5.5).
  private mutating func setColors(_ profile: [UInt8]?) throws(ImageFault) {
    guard let index = inner.firstIndex(where: { $0.type == "iprp" }) else { throw Self.unexpected }
    var boxes = try Self.boxes(inner[index].content[...])
    guard let list = boxes.firstIndex(where: { $0.type == "ipco" }),
      let links = boxes.firstIndex(where: { $0.type == "ipma" })
    else { throw Self.unexpected }
    var properties = try Self.boxes(boxes[list].content[...])
    for place in properties.indices where properties[place].type == "colr" && profile == nil {
      guard properties[place].content.starts(with: "nclx".utf8), properties[place].content.count >= 8 else { continue }
      properties[place].content.replaceSubrange(4..<8, with: [0, 1, 0, 13])
    }
    if let profile {
      properties.append(Box(type: "colr", content: Array("prof".utf8) + profile))
      // One image, whose links have a byte each.
      guard boxes[links].content.count > 10, boxes[links].content[..<8].elementsEqual([0, 0, 0, 0, 0, 0, 0, 1]) else {
        throw Self.unexpected
      }
      boxes[links].content[10] += 1
      boxes[links].content.append(UInt8(properties.count))
    }
    boxes[list].content = properties.flatMap(\.bytes)
    inner[index].content = boxes.flatMap(\.bytes)
  }
}
