import Gallery

/// The `meta` box of a HEIF or AVIF file (ISO/IEC 23008-12, in boxes of ISO/IEC 14496-12), which says where Exif and XMP
/// are and how large the image is.
struct HEIFMetadata {
  private struct Item {
    var type = ""
    /// The content type of a `mime` item.
    var contentType = ""
    /// The place of an item that is in one piece: in the file, or in `idat`.
    var place: Range<Int>?
    /// Whether `place` is in `idat`.
    var isInData = false
  }

  /// The longest `meta` box that is read, in bytes.
  private static let longest = 1 << 20

  private var items: [Int: Item] = [:]
  private var primary = 0
  private var properties: [Box<ArraySlice<UInt8>>] = []
  /// The numbers of the primary item's properties, counted from 1.
  private var associations: [Int] = []
  private var dataStart = 0
  /// The references of metadata to the images that they describe, each with the place of its type in the file.
  private var descriptions: [(place: Int, images: [Int])] = []
  /// The bytes that list the properties of items in an order that libheif refuses, in one that it reads.
  private var reordered: [BytePatch] = []

  /// - Parameter place: The place of the content of the `meta` box.
  init(_ file: ImageFile, at place: Range<Int>) {
    guard place.count <= Self.longest else { return }
    let bytes = file.bytes(at: place.lowerBound, count: place.count)
    var reader = ByteReader(bytes.dropFirst(4))
    var later: [Box<ArraySlice<UInt8>>] = []
    while let box = reader.box() {
      switch box.type {
      case "pitm": readPrimary(box.content)
      case "iinf": readInformation(box.content)
      case "iloc": readLocations(box.content)
      case "idat": dataStart = place.lowerBound + box.content.startIndex - bytes.startIndex
      case "iref": readReferences(box.content) { place.lowerBound + $0 - bytes.startIndex }
      case "iprp": later.append(box)
      default: break
      }
    }
    // The box that names the primary item may follow the properties.
    for box in later { readProperties(box.content) { place.lowerBound + $0 - bytes.startIndex } }
  }

  /// Returns the place of the Exif item's TIFF structure in the file. The item's first four bytes give its distance from
  /// them.
  func exif(in file: ImageFile) -> Int? {
    guard let place = place(where: { $0.type == "Exif" }) else { return nil }
    return place.lowerBound + 4 + file.number(at: place.lowerBound, count: 4, .bigEndian)
  }

  /// The place of an XMP packet in the file.
  var xmp: Range<Int>? {
    place { $0.type == "mime" && $0.contentType == "application/rdf+xml" }
  }

  /// The size of the primary item, cropped and rotated as it is shown, or zeros if it is not known.
  var size: (width: Int, height: Int) {
    var size = (width: 0, height: 0)
    for index in associations where properties.indices.contains(index - 1) {
      var reader = ByteReader(properties[index - 1].content)
      func sides() -> [Int] { (0..<4).map { _ in reader.number(4) ?? 0 } }
      switch properties[index - 1].type {
      case "ispe":
        let numbers = sides()
        size = (numbers[1], numbers[2])
      case "clap":
        let parts = sides()
        guard parts[1] > 0, parts[3] > 0 else { continue }
        size = (min(size.width, parts[0] / parts[1]), min(size.height, parts[2] / parts[3]))
      case "irot" where (reader.number(1) ?? 0) % 2 == 1: size = (size.height, size.width)
      default: break
      }
    }
    return size
  }

  /// The orientation of the primary item by its rotations, or nil if it is mirrored: the readers and writers of such files
  /// disagree about the axis.
  var orientation: ImageOrientation? {
    var quarters = 0
    for index in associations where properties.indices.contains(index - 1) {
      switch properties[index - 1].type {
      case "imir": return nil
      // The angle counts against the clock.
      case "irot": quarters -= Int(properties[index - 1].content.first ?? 0) & 3
      default: break
      }
    }
    return ImageOrientation.upright.rotated(quarters: quarters)
  }

  /// The colors of the primary item that a box names by numbers, or nil if there is none. A profile in another box counts before
  /// it.
  var codedColors: CodedColors? {
    let boxes = associations.filter { properties.indices.contains($0 - 1) }.map { properties[$0 - 1] }
      .filter { $0.type == "colr" }
    if boxes.contains(where: { $0.content.starts(with: "prof".utf8) || $0.content.starts(with: "rICC".utf8) }) {
      return nil
    }
    for box in boxes {
      var reader = ByteReader(box.content)
      guard reader.type() == "nclx", let primaries = reader.number(2), let transfer = reader.number(2) else { continue }
      return CodedColors(primaries: primaries, transfer: transfer)
    }
    return nil
  }

  /// The bytes that libheif before version 1.18 must read instead of those in the file, because it would refuse the image.
  ///
  /// - It allows metadata to describe only one image, of a type that it knows. iPhones assign them to the image that is made of the
  ///   photo and its gain map (`tmap`, ISO 21496-1), too. Such a reference gets another type, which readers skip. Only metadata are
  ///   found by it, and those are read without libheif.
  /// - It expects an image's size before the crop and the rotation that change it. Their order among each other counts, but the size
  ///   may be anywhere (ISO/IEC 23008-12, 6.5).
  var patches: [BytePatch] {
    let refused = descriptions.filter { $0.images.count != 1 || $0.images.contains { items[$0]?.type == "tmap" } }
    return refused.flatMap { BytePatch.patches("skip".utf8, at: $0.place) } + reordered
  }

  private func place(where isWanted: (Item) -> Bool) -> Range<Int>? {
    guard let item = items.filter({ isWanted($0.value) }).min(by: { $0.key < $1.key })?.value else { return nil }
    guard item.isInData else { return item.place }
    return item.place.map { $0.lowerBound + dataStart..<$0.upperBound + dataStart }
  }
}

// The boxes of ISO/IEC 14496-12, 8.11, and ISO/IEC 23008-12, 9.3.
extension HEIFMetadata {
  private mutating func readPrimary(_ bytes: ArraySlice<UInt8>) {
    var reader = ByteReader(bytes)
    guard let version = reader.version()?.version else { return }
    primary = reader.number(version == 0 ? 2 : 4) ?? 0
  }

  private mutating func readInformation(_ bytes: ArraySlice<UInt8>) {
    var reader = ByteReader(bytes)
    guard let version = reader.version()?.version else { return }
    reader.skip(version == 0 ? 2 : 4)
    while let box = reader.box() {
      var entry = ByteReader(box.content)
      guard let version = entry.version()?.version, version >= 2, let id = entry.number(version == 2 ? 2 : 4) else {
        continue
      }
      entry.skip(2)
      items[id, default: Item()].type = entry.type() ?? ""
      if items[id]?.type == "mime", entry.text() != nil { items[id]?.contentType = entry.text() ?? "" }
    }
  }

  private mutating func readLocations(_ bytes: ArraySlice<UInt8>) {
    var reader = ByteReader(bytes)
    guard let version = reader.version()?.version, version <= 2, let sizes = reader.number(2) else { return }
    let (offsetSize, lengthSize, baseSize) = (sizes >> 12, sizes >> 8 & 15, sizes >> 4 & 15)
    let indexSize = version == 0 ? 0 : sizes & 15
    reader.skip(version < 2 ? 2 : 4)
    while let id = reader.number(version < 2 ? 2 : 4) {
      let method = version == 0 ? 0 : (reader.number(2) ?? 0) & 15
      reader.skip(2)
      guard let base = reader.number(baseSize), let extents = reader.number(2) else { return }
      guard extents == 1, method < 2 else {
        reader.skip(extents * (indexSize + offsetSize + lengthSize))
        continue
      }
      reader.skip(indexSize)
      guard let offset = reader.number(offsetSize), let count = reader.number(lengthSize) else { return }
      // No file is larger, and sums of these numbers don't overflow.
      guard [base, offset, count].allSatisfy({ (0...1 << 48).contains($0) }) else { continue }
      items[id, default: Item()].place = base + offset..<base + offset + count
      items[id]?.isInData = method == 1
    }
  }

  /// - Parameter place: Returns the place in the file of a byte of the box.
  private mutating func readReferences(_ bytes: ArraySlice<UInt8>, place: (Int) -> Int) {
    var reader = ByteReader(bytes)
    guard let version = reader.version()?.version, version <= 1 else { return }
    let idSize = version == 0 ? 2 : 4
    while let box = reader.box() {
      var content = ByteReader(box.content)
      guard box.type == "cdsc", content.bytes(idSize) != nil, let count = content.number(2) else { continue }
      let images = (0..<count).compactMap { _ in content.number(idSize) }
      // The content of a box comes right behind its type, unless its size has eight bytes.
      let type = box.content.startIndex - 4
      if images.count == count, bytes[type..<type + 4].elementsEqual("cdsc".utf8) {
        descriptions.append((place(type), images))
      }
    }
  }

  /// - Parameter place: Returns the place in the file of a byte of the box.
  private mutating func readProperties(_ bytes: ArraySlice<UInt8>, place: (Int) -> Int) {
    var reader = ByteReader(bytes)
    while let box = reader.box() {
      var content = ByteReader(box.content)
      if box.type == "ipco" {
        while let property = content.box() { properties.append(property) }
      } else if box.type == "ipma", let (version, flags) = content.version() {
        readAssociations(&content, idSize: version == 0 ? 2 : 4, indexSize: flags & 1 == 0 ? 1 : 2, place: place)
      }
    }
  }

  private mutating func readAssociations(
    _ reader: inout ByteReader, idSize: Int, indexSize: Int, place: (Int) -> Int
  ) {
    reader.skip(4)
    while let id = reader.number(idSize), let count = reader.number(1) {
      let start = reader.rest.startIndex
      var numbers = (0..<count).compactMap { _ in reader.number(indexSize) }
      if moveSizeFirst(&numbers, isShort: indexSize == 1) {
        let bytes = numbers.flatMap { number in indexSize == 1 ? [number] : [number >> 8, number & 0xFF] }
        reordered += BytePatch.patches(bytes.map(UInt8.init), at: place(start))
      }
      if id == primary { associations += numbers.map { Self.index($0, isShort: indexSize == 1) } }
    }
  }

  /// Returns the number of a property, counted from 1. The highest bit says that the property is essential.
  private static func index(_ number: Int, isShort: Bool) -> Int { number & (isShort ? 0x7F : 0x7FFF) }

  /// Moves the number of an item's size to the front if a property that changes the size comes before it. Returns whether
  /// that is so.
  private func moveSizeFirst(_ numbers: inout [Int], isShort: Bool) -> Bool {
    let types = numbers.map { number in
      let index = Self.index(number, isShort: isShort) - 1
      return properties.indices.contains(index) ? properties[index].type : ""
    }
    guard let size = types.firstIndex(of: "ispe"), types[..<size].contains(where: { ["clap", "irot"].contains($0) })
    else { return false }
    numbers.insert(numbers.remove(at: size), at: 0)
    return true
  }
}

extension ImageFile {
  /// The contents of the `meta` box of a HEIF or AVIF file, or nil if there is none.
  var heif: HEIFMetadata? {
    guard format == .heif,
      let place = boxes(atMost: Container.mostParts).first(where: { $0.type == "meta" })?.content
    else { return nil }
    return HEIFMetadata(self, at: place)
  }

  /// The bytes that libheif before version 1.18 must read instead of those in the file, because it would refuse the image.
  public var heifPatches: [BytePatch] { heif?.patches ?? [] }
}
