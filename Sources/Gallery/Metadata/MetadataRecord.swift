import FoundationEssentials

/// The packed metadata of one photo, which is fit to be shown: its texts are printable, and its values are in range.
///
/// A folder has as many records as photos, so a record takes little memory, and it is checked and copied without creating
/// a text.
public struct MetadataRecord: Hashable, Codable, Sendable {
  /// The packed form (``PhotoMetadata/init(packed:)``).
  public let bytes: [UInt8]

  /// Packs metadata, and makes it fit to be shown.
  public init(_ metadata: PhotoMetadata) {
    var bytes: [UInt8] = []
    metadata.pack(into: &bytes)
    if (try? Self.isFit(bytes)) == true {
      self.bytes = bytes
      return
    }
    var metadata = metadata
    metadata.check()
    bytes = []
    metadata.pack(into: &bytes)
    self.bytes = bytes
  }

  /// Decodes the packed form.
  public init(from decoder: any Decoder) throws {
    try self.init(checking: [UInt8](try decoder.singleValueContainer().decode(Data.self)))
  }

  /// Encodes the packed form.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(Data(bytes))
  }

  /// Checks bytes from another process or from a file, and makes the metadata fit to be shown.
  ///
  /// - Throws: `MalformedMetadata` if the bytes are not packed metadata.
  public init(checking bytes: [UInt8]) throws(MalformedMetadata) {
    guard try Self.isFit(bytes) else {
      self.init(try PhotoMetadata(packed: bytes))
      return
    }
    self.init(fitBytes: bytes)
  }

  /// Returns the bytes of the packed metadata at the start of some bytes, or nil if there are none.
  package static func prefix(of bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8>? {
    var reader = PackedReader(bytes: bytes)
    guard (try? reader.hasFitValues()) != nil else { return nil }
    return UnsafeBufferPointer(rebasing: bytes[..<reader.offset])
  }

  /// Creates a record of bytes that have been found to be fit (``isFit(_:)``).
  package init(fitBytes bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Returns whether bytes are packed metadata that is fit to be shown.
  package static func isFit(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool { (try? isWholeAndFit(bytes)) == true }

  private static func isFit(_ bytes: [UInt8]) throws(MalformedMetadata) -> Bool {
    try bytes.withUnsafeBufferPointer { bytes throws(MalformedMetadata) in try isWholeAndFit(bytes) }
  }

  private static func isWholeAndFit(_ bytes: UnsafeBufferPointer<UInt8>) throws(MalformedMetadata) -> Bool {
    var reader = PackedReader(bytes: bytes)
    return try reader.hasFitValues() && reader.offset == bytes.count
  }

  /// The metadata.
  public var metadata: PhotoMetadata {
    guard let metadata = try? PhotoMetadata(packed: bytes) else { preconditionFailure("a record is packed metadata") }
    return metadata
  }

  /// The values that are also properties of ``Photo``, and others that a list of photos needs. The texts are ranges of
  /// ``bytes``, which are empty if there is no text.
  public struct Summary: Hashable, Sendable {
    /// The time at which the photo was taken.
    public var takenAt: CaptureTime?
    /// The camera's maker and model.
    public var camera = 0..<0
    /// The title.
    public var title = 0..<0
    /// The caption.
    public var caption = 0..<0
    /// Whether the file ends before the image does.
    public var isCutOff = false
  }

  /// The values that a list of photos needs.
  public var summary: Summary {
    var summary = Summary()
    forEachValue { field, range in
      switch field {
      case MetadataLayout.time:
        bytes.withUnsafeBufferPointer { bytes in
          var reader = PackedReader(bytes: UnsafeBufferPointer(rebasing: bytes[range]))
          summary.takenAt = try? reader.time()
        }
      case MetadataLayout.camera: summary.camera = textRange(range)
      case MetadataLayout.title: summary.title = textRange(range)
      case MetadataLayout.caption: summary.caption = textRange(range)
      case MetadataLayout.cutOff: summary.isCutOff = true
      default: break
      }
    }
    return summary
  }

  /// Appends the packed form without the fields that are also properties of ``Photo``.
  public func packBesidePhoto(into target: inout [UInt8]) {
    var known = 0
    forEachValue { field, _ in
      if !MetadataLayout.isOfPhoto[field] { known |= 1 << field }
    }
    target.appendInteger(known)
    forEachValue { field, range in
      if !MetadataLayout.isOfPhoto[field] { target += bytes[range] }
    }
  }

  /// Calls `body` with the index of each known field and the place of its value.
  private func forEachValue(_ body: (_ field: Int, _ range: Range<Int>) -> Void) {
    bytes.withUnsafeBufferPointer { bytes in
      var reader = PackedReader(bytes: bytes)
      guard var rest = try? reader.integer() else { return }
      while rest != 0 {
        let (field, start) = (rest.trailingZeroBitCount, reader.offset)
        guard (try? reader.skip(MetadataLayout.kinds[field])) != nil else { return }
        body(field, start..<reader.offset)
        rest &= rest - 1
      }
    }
  }

  /// Returns the place of a text without the length before it.
  private func textRange(_ range: Range<Int>) -> Range<Int> {
    bytes.withUnsafeBufferPointer { bytes in
      var reader = PackedReader(bytes: UnsafeBufferPointer(rebasing: bytes[range]))
      guard let text = try? reader.range() else { return 0..<0 }
      return range.lowerBound + text.lowerBound..<range.upperBound
    }
  }
}

/// The kinds of the fields' packed values, by the fields' indices in ``MetadataField/all``. They are copied for each value,
/// which takes far longer with the fields themselves.
enum MetadataLayout {
  static let kinds = MetadataField.all.map(\.kind)

  static let isOfPhoto = MetadataField.all.map(\.isOfPhoto)
  static let (time, camera) = (index(of: \.takenAt), index(of: \.camera))
  static let (title, caption) = (index(of: \.title), index(of: \.caption))
  static let cutOff = index(of: \.isCutOff)
  /// The bits of the fields that are parts of a place, and of those without which a place is incomplete.
  static let place = MetadataField.all.indices.reduce(0) { MetadataField.all[$1].isOfPlace ? $0 | 1 << $1 : $0 }
  static let wholePlace = 1 << index(of: \.latitude) | 1 << index(of: \.longitude)
  /// The bits of both coordinates of a focus point.
  static let wholeFocus = 1 << index(of: \.focusX) | 1 << index(of: \.focusY)

  private static func index(of path: PartialKeyPath<PhotoMetadata>) -> Int {
    guard let index = MetadataField.all.firstIndex(where: { $0.value.path == path }) else {
      preconditionFailure("each of these values is a field")
    }
    return index
  }
}

extension PackedReader {
  mutating func time() throws(MalformedMetadata) -> CaptureTime {
    let clock = try number()
    let hasOffset = try byte() == 1
    return CaptureTime(clock: clock, offset: hasOffset ? try integer() : nil)
  }

  /// Reads all values, and returns whether ``PhotoMetadata/check()`` would leave them as they are.
  fileprivate mutating func hasFitValues() throws(MalformedMetadata) -> Bool {
    let known = try integer()
    guard known >= 0, known >> MetadataLayout.kinds.count == 0 else { throw MalformedMetadata() }
    let place = known & MetadataLayout.place
    var isFit = place == 0 || place & MetadataLayout.wholePlace == MetadataLayout.wholePlace
    let focus = known & MetadataLayout.wholeFocus
    isFit = (focus == 0 || focus == MetadataLayout.wholeFocus) && isFit
    var rest = known
    while rest != 0 {
      switch MetadataLayout.kinds[rest.trailingZeroBitCount] {
      case .time: isFit = CaptureTime.clocks.contains(try time().clock) && isFit
      case .integer(let range): isFit = range.contains(try integer()) && isFit
      case .number(let range): isFit = range.contains(try number()) && isFit
      case .text: isFit = isText(try range(), { $0.printable.nonEmpty }) && isFit
      case .lines: isFit = isText(try range(), { $0.printableLines.nonEmpty }) && isFit
      case .texts: for _ in 0..<(try count()) { isFit = isText(try range(), { $0.printable }) && isFit }
      case .flag: break
      }
      rest &= rest - 1
    }
    return isFit
  }

  /// Returns whether a text is its own printable form.
  private func isText(_ range: Range<Int>, _ printable: (String) -> String?) -> Bool {
    let bytes = UnsafeBufferPointer(rebasing: bytes[range])
    if !bytes.isEmpty, bytes.allSatisfy({ (0x20..<0x7F).contains($0) }) { return true }
    return printable(String(decoding: bytes, as: UTF8.self))?.utf8.elementsEqual(bytes) ?? false
  }
}
