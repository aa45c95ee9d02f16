import Gallery

/// The rules by which files are parts of one photo: a raw file and the JPEG that the camera wrote with it, a photo and the
/// video of its moment (Apple's Live Photos), and a photo with its edited versions.
///
/// The parts have the same name in the same folder, but for their suffixes and the ending of an edited version.
public struct PhotoParts: Sendable {
  /// The kind of a part. The first kind that a photo has is shown for all of it.
  enum Kind: Int, Comparable {
    case edited, image, raw, video
    /// An image that can't be shown, such as a drawing in a program's own format. It belongs to no photo.
    case unsupported

    static func < (left: Kind, right: Kind) -> Bool { left.rawValue < right.rawValue }
  }

  /// The endings of the names of edited versions, in lowercase.
  private let editedEndings: [[UInt8]]

  /// The endings that Google Photos, Apple's Photos and Lightroom give to edited versions.
  public static let usualEndings = ["_edited", "-edited", "-edit", "(edited)"]

  /// Creates rules.
  ///
  /// - Parameter editedEndings: The endings of the names of edited versions, without regard to the case of ASCII letters.
  public init(editedEndings: [String] = usualEndings) {
    self.editedEndings = editedEndings.map { Array($0.lowercased().utf8) }.filter { !$0.isEmpty }
  }

  /// Returns the groups of a table whose photos have paths in `imageURL`.
  public func groups(of photos: PhotoTable) -> PhotoGroups {
    var places = PlacesByHash(count: photos.count)
    // The photos in the chain of each photo: those before it that have the same name.
    var previous = [TableIndex](repeating: PlacesByHash.noPhoto, count: photos.count)
    var (kinds, mayHaveGroups) = ([Kind](repeating: .image, count: photos.count), false)
    for photo in photos.indices {
      let (hash, kind) = photos.withText(.imageURL, at: photo) { path in
        let name = base(path)
        return (Self.hash(name.path), name.kind)
      }
      kinds[photo.value] = kind
      if kind == .unsupported { continue }
      previous[photo.value] = places.replace(hash, with: photo) { other in
        let areEqual = photos.withPaths(photo, other) { base($0).path.elementsEqual(base($1).path) }
        return areEqual && areInOneFolder(photo, other, in: photos)
      }
      if previous[photo.value] != PlacesByHash.noPhoto { mayHaveGroups = true }
    }
    guard mayHaveGroups else { return PhotoGroups() }
    return groups(previous, kinds)
  }

  /// Returns whether two photos are in the same folder. A path that is not UTF-8 is only similar to the text that is shown.
  private func areInOneFolder(_ first: TableIndex, _ second: TableIndex, in photos: PhotoTable) -> Bool {
    guard case .file(let one) = photos.image(at: first), case .file(let other) = photos.image(at: second) else {
      return false
    }
    func stem(_ path: FilePath) -> [UInt8] { path.bytes.withUnsafeBufferPointer { Array(base($0).path) } }
    return stem(one) == stem(other)
  }

  /// - Parameter previous: The photo before each photo that has the same name, or ``PlacesByHash/noPhoto``.
  private func groups(_ previous: [TableIndex], _ kinds: [Kind]) -> PhotoGroups {
    var isInChain = [Bool](repeating: false, count: previous.count)
    var groups: [[TableIndex]] = []
    for last in previous.indices.reversed() where !isInChain[last] {
      var chain: [TableIndex] = []
      var photo = TableIndex(last)
      while photo != PlacesByHash.noPhoto {
        isInChain[photo.value] = true
        chain.append(photo)
        photo = previous[photo.value]
      }
      if Set(chain.map { kinds[$0.value] }).count > 1 {
        // The order of the table decides between parts of the same kind.
        groups.append(chain.sorted { (kinds[$0.value], $0) < (kinds[$1.value], $1) })
      }
    }
    return PhotoGroups(groups.reversed(), photoCount: previous.count)
  }

  /// Returns a path without its suffix and without the ending of an edited version, and the kind of the file.
  private func base(
    _ path: UnsafeBufferPointer<UInt8>
  ) -> (path: Slice<UnsafeBufferPointer<UInt8>>, kind: Kind) {
    let stem = PhotoName.stem(path)
    if PhotoName.isVideo(path) { return (stem, .video) }
    if PhotoName.isRaw(path) { return (stem, .raw) }
    if PhotoName.isUnsupported(path) { return (stem, .unsupported) }
    for ending in editedEndings where Self.ends(stem, with: ending) { return (stem.dropLast(ending.count), .edited) }
    return (stem, .image)
  }

  private static func ends(_ stem: Slice<UnsafeBufferPointer<UInt8>>, with ending: [UInt8]) -> Bool {
    guard stem.count > ending.count else { return false }
    let letters = UInt8(ascii: "A")...UInt8(ascii: "Z")
    return zip(stem.suffix(ending.count), ending).allSatisfy { (letters.contains($0) ? $0 | 0x20 : $0) == $1 }
  }

  /// Returns a hash of bytes, eight at a time (FNV-1a with words in place of bytes, and a final mix).
  private static func hash(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> UInt64 {
    let bytes = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes))
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    var place = 0
    func add(_ word: UInt64) { hash = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15 }
    while place + 8 <= bytes.count {
      add(bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
      hash ^= hash >> 32
      place += 8
    }
    while place < bytes.count {
      add(UInt64(bytes[place]))
      place += 1
    }
    return hash ^ hash >> 29
  }
}

/// The last photo with each hash, in an open-addressing table.
private struct PlacesByHash {
  /// An index that stands for none.
  static let noPhoto: TableIndex = -1

  private var photos: [TableIndex]
  private let mask: Int

  init(count: Int) {
    var size = 16
    while size < 2 * count { size *= 2 }
    photos = Array(repeating: Self.noPhoto, count: size)
    mask = size - 1
  }

  /// Stores a photo in place of another one for which `isSame` returns true.
  /// - Returns: The photo that was replaced, or ``noPhoto``.
  mutating func replace(_ hash: UInt64, with photo: TableIndex, isSame: (TableIndex) -> Bool) -> TableIndex {
    var slot = Int(truncatingIfNeeded: hash) & mask
    while photos[slot] != Self.noPhoto {
      if isSame(photos[slot]) { break }
      slot = (slot + 1) & mask
    }
    defer { photos[slot] = photo }
    return photos[slot]
  }
}
