import Gallery
import Photos
import WorkerPool

/// An incremental reader of JSON catalogs, which accepts the bytes in pieces of any size.
///
/// A catalog has one of three shapes: an object with a list of photos in its member `photos`, a list of photos, or
/// photos one after another (newline-delimited JSON). Other members of the object are ignored, and the order of the
/// members does not matter. If an object has `photos` twice, the last list counts.
///
/// Invalid photos are reported and skipped.
public struct CatalogReader: PhotoReader {
  public private(set) var photos = PhotoTable()
  public private(set) var problems = CatalogProblems()
  public private(set) var pageNumber: Int?
  public private(set) var totalPages: Int?
  public private(set) var totalItems: Int?

  private let base: any ImageBase
  /// The base, if it refuses some addresses, or nil for a folder, which resolves any address.
  private let restrictedBase: (any ImageBase)?
  private let mostBytesOfOne: Int
  private var packer: PhotoPacker
  private var state = CatalogState.start
  /// Whether the list is a member of an object.
  private var isInObject = false
  /// Whether the object's member `photos` has been found.
  private var hasPhotos = false
  private var rowsRead = 0
  /// Whether the text started with an object that has no member `photos` and is not meant as a photo.
  private var isFirstNoPhoto = false
  /// The bytes that have been received but not parsed completely.
  private var pending: [UInt8] = []
  /// The number of pending bytes at which parsing is tried again.
  private var enough = 1
  /// An offset in the bytes that are being parsed, with its line and column in the whole text.
  private var place = (text: TextPlace(), offset: 0)

  /// The audit that also reports what reading ignores, or nil.
  private let audit: CatalogAudit?
  /// The number of bytes from which on their second half is read on another core.
  private let leastBytesOfTwo: Int

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - base: The place that relative addresses of images start from.
  ///   - mostBytesOfOne: The maximum size in bytes of a photo or of another member of the catalog.
  public init(base: any ImageBase, mostBytesOfOne: Int = 1 << 26) {
    self.init(base: base, mostBytesOfOne: mostBytesOfOne, audit: nil)
  }

  /// Creates a reader for a check.
  ///
  /// - Parameters:
  ///   - audit: An audit that also reports what reading ignores. All problems are kept for it.
  ///   - leastBytesOfTwo: The number of bytes from which on their second half is read on another core.
  init(base: any ImageBase, mostBytesOfOne: Int = 1 << 26, leastBytesOfTwo: Int = 1 << 18, audit: CatalogAudit?) {
    self.base = base
    restrictedBase = base is FilePath ? nil : base
    packer = PhotoPacker(base: base)
    self.mostBytesOfOne = mostBytesOfOne
    self.audit = audit
    self.leastBytesOfTwo = leastBytesOfTwo
    if audit != nil { problems = CatalogProblems(mostKept: .max) }
  }

  public var unflushed: Int { packer.count }

  public mutating func feed(_ bytes: UnsafeRawBufferPointer) {
    if case .lost = state { return }
    pending.append(contentsOf: bytes)
    if pending.count >= enough { parse(isLast: false) }
  }

  public mutating func finish(failure: ReadingFault? = nil) {
    if let failure {
      // An incomplete photo at the end is not a separate problem, since the failure explains it.
      let rest = pending
      rest.withUnsafeBufferPointer { advance(to: $0.count, in: $0) }
      problems.append(
        CatalogProblem(.text(line: place.text.line, column: place.text.column, row: nil), .reading(failure)))
    } else {
      parse(isLast: true)
    }
    flush()
    if isFirstNoPhoto, rowsRead == 1, let problem = problems.first.first {
      problems = CatalogProblems()
      problems.append(CatalogProblem(problem.place.ofNoRow, .value(of: "photos", .missing)))
    }
  }

  public mutating func flush() {
    if packer.count > 0 { photos.append(packer.pack()) }
  }

  private mutating func parse(isLast: Bool) {
    var bytes: [UInt8] = []
    swap(&bytes, &pending)
    let understood = bytes.withUnsafeBufferPointer { bytes in
      let start = parseHalves(of: bytes)
      return start + parse(UnsafeBufferPointer(rebasing: bytes[start...]), isLast: isLast)
    }
    bytes.removeFirst(understood)
    swap(&bytes, &pending)
    // A long incomplete photo is parsed again only when the pending bytes have doubled. So the total time stays linear.
    enough = pending.count < 1 << 16 ? 1 : 2 * pending.count
  }

  /// Parses all complete photos and members, and returns the number of bytes that are no longer needed.
  private mutating func parse(_ bytes: UnsafeBufferPointer<UInt8>, isLast: Bool) -> Int {
    var scanner = JSONScanner(bytes, isLast: isLast)
    while true {
      // White space is consumed at once, so that any amount of it may come before a photo.
      _ = scanner.next()
      let start = scanner.offset
      do throws(JSONFault) {
        guard try step(&scanner, isLast: isLast) else { break }
      } catch {
        var fault = error
        if fault.isAtEnd, bytes.count - start > mostBytesOfOne {
          fault = JSONFault(offset: start, reason: .tooLong(limit: mostBytesOfOne), isAtEnd: true)
        } else if fault.isAtEnd, !isLast {
          scanner.offset = start
          break
        }
        guard recover(from: fault, start: start, &scanner, isLast: isLast) else {
          scanner.offset = start
          break
        }
      }
    }
    advance(to: scanner.offset, in: bytes)
    place.offset -= scanner.offset
    return scanner.offset
  }

  private mutating func advance(to offset: Int, in bytes: UnsafeBufferPointer<UInt8>) {
    guard offset > place.offset else { return }
    place.text.advance(over: bytes[place.offset..<offset])
    place.offset = offset
  }

  private mutating func report(
    _ fault: CatalogProblem.Fault, row: Int? = nil, at offset: Int, in scanner: JSONScanner
  ) {
    advance(to: offset, in: scanner.bytes)
    problems.append(CatalogProblem(.text(line: place.text.line, column: place.text.column, row: row), fault))
  }
}

// The grammar of a catalog. Each step ends where another step can begin, or throws and changes no state.
extension CatalogReader {
  /// Reads the next photo, member or delimiter. Returns false if there is nothing left to read.
  private mutating func step(_ scanner: inout JSONScanner, isLast: Bool) throws(JSONFault) -> Bool {
    switch state {
    case .start: try begin(&scanner)
    case .list(.rowOrEnd) where scanner.take(UInt8(ascii: "]")): endList()
    case .list(.rowOrEnd), .list(.row):
      try row(&scanner)
      state = .list(.separator)
    case .list(.separator):
      if scanner.take(UInt8(ascii: "]")) {
        endList()
      } else if scanner.take(UInt8(ascii: ",")) {
        state = .list(.row)
      } else {
        throw scanner.unexpected(wanted: .commaOrBracket)
      }
    case .object: try member(&scanner)
    case .lines:
      guard scanner.next() != nil else { return false }
      try row(&scanner)
    case .end:
      guard scanner.next() != nil else { return false }
      throw scanner.unexpected(wanted: .endOfText)
    case .lost: return false
    }
    return true
  }

  private mutating func endList() { state = isInObject ? .object : .end }

  private mutating func begin(_ scanner: inout JSONScanner) throws(JSONFault) {
    try skipByteOrderMark(&scanner)
    switch scanner.next() {
    case UInt8(ascii: "["):
      scanner.offset += 1
      state = .list(.rowOrEnd)
    case UInt8(ascii: "{"): try beginObject(&scanner)
    case UInt8(ascii: "<"): throw JSONFault(offset: scanner.offset, reason: .webPage)
    default:
      let start = scanner.offset
      try scanner.skipValue()
      throw JSONFault(offset: start, reason: .notACatalog)
    }
  }

  /// Reads the start of an object, which is the first photo if it has no member `photos`.
  private mutating func beginObject(_ scanner: inout JSONScanner) throws(JSONFault) {
    let start = scanner.offset
    scanner.offset += 1
    if !scanner.take(UInt8(ascii: "}")) {
      repeat {
        let key = try scanner.key()
        if scanner.isText(key, "photos") {
          scanner.offset = start + 1
          isInObject = true
          return try value(of: scanner.key(), &scanner)
        }
        try scanner.skipValue()
      } while scanner.take(UInt8(ascii: ","))
      guard scanner.take(UInt8(ascii: "}")) else { throw scanner.unexpected(wanted: .commaOrBrace) }
    }
    scanner.offset = start
    isFirstNoPhoto = try !row(&scanner)
    state = .lines
  }

  private mutating func member(_ scanner: inout JSONScanner) throws(JSONFault) {
    if scanner.take(UInt8(ascii: "}")) {
      state = .end
    } else if scanner.take(UInt8(ascii: ",")) {
      try value(of: scanner.key(), &scanner)
    } else {
      throw scanner.unexpected(wanted: .commaOrBrace)
    }
  }

  private mutating func value(of key: JSONText, _ scanner: inout JSONScanner) throws(JSONFault) {
    let first = scanner.next()
    let start = scanner.offset
    let isPhotos = scanner.isText(key, "photos")
    if isPhotos, first == UInt8(ascii: "[") {
      beginPhotos(at: key.range.lowerBound - 1, in: scanner)
      scanner.offset += 1
      state = .list(.rowOrEnd)
      return
    }
    try scanner.skipValue()
    let value = start..<scanner.offset
    if isPhotos {
      beginPhotos(at: key.range.lowerBound - 1, in: scanner)
      report(.value(of: "photos", .isNot(.list)), at: start, in: scanner)
    } else if scanner.isText(key, "current_page") {
      pageNumber = scanner.integer(value)
    } else if scanner.isText(key, "total_pages") {
      totalPages = scanner.integer(value)
    } else if scanner.isText(key, "total_items") {
      totalItems = scanner.integer(value)
    }
    state = .object
  }

  /// Starts a list of photos. The photos of an earlier list are dropped, since the last list counts.
  private mutating func beginPhotos(at offset: Int, in scanner: JSONScanner) {
    defer { hasPhotos = true }
    guard hasPhotos else { return }
    let others = problems.first.filter { $0.place.row == nil }
    photos = PhotoTable()
    packer = PhotoPacker(base: base)
    rowsRead = 0
    problems = audit == nil ? CatalogProblems() : CatalogProblems(mostKept: .max)
    for problem in others { problems.append(problem) }
    guard let audit else { return }
    audit.startOver()
    report(.duplicate("photos"), at: offset, in: scanner)
  }

  /// Reads a photo, or reports and skips an invalid one.
  ///
  /// - Returns: Whether the value is a photo, or is meant as one.
  @discardableResult
  private mutating func row(_ scanner: inout JSONScanner) throws(JSONFault) -> Bool {
    guard scanner.next() == UInt8(ascii: "{") else {
      let start = scanner.offset
      try scanner.skipValue()
      rowsRead += 1
      report(.notAnObject, row: rowsRead, at: start, in: scanner)
      return false
    }
    let row = try CatalogRow(&scanner, base: restrictedBase, isChecked: audit != nil)
    rowsRead += 1
    for finding in audit?.findings(in: row, scanner) ?? [] {
      report(finding.fault, row: rowsRead, at: finding.offset, in: scanner)
    }
    if let problem = row.problem {
      if audit != nil { return row.isMeantAsPhoto }
      report(problem.fault, row: rowsRead, at: problem.offset, in: scanner)
    } else {
      row.append(to: &packer, from: scanner)
      if packer.isFull { flush() }
    }
    return row.problem == nil || row.isMeantAsPhoto
  }

  private mutating func skipByteOrderMark(_ scanner: inout JSONScanner) throws(JSONFault) {
    let mark = scanner.bytes.prefix(3)
    if mark.starts(with: [0xFE, 0xFF]) || mark.starts(with: [0xFF, 0xFE]) {
      throw JSONFault(offset: 0, reason: .utf16)
    }
    guard let first = mark.first, [0xEF, 0xFE, 0xFF].contains(first) else { return }
    // The first piece of the file may end within the mark.
    if mark.count < (first == 0xEF ? 3 : 2) { throw JSONFault(offset: 0, reason: .notUTF8, isAtEnd: true) }
    if mark.elementsEqual([0xEF, 0xBB, 0xBF]) { scanner.offset = 3 }
  }
}

// Reading on two cores.
extension CatalogReader {
  /// Parses the first half of many bytes here and the second half on another core, and returns the number of bytes that
  /// are no longer needed.
  ///
  /// Where the second half starts is a guess. It was right if the first half ends there, in front of a photo. Otherwise,
  /// or if anything but valid photos was found, the photos of the second half are dropped, to be read again in order.
  private mutating func parseHalves(of bytes: UnsafeBufferPointer<UInt8>) -> Int {
    guard audit == nil, bytes.count >= leastBytesOfTwo, let middle = state.middle(of: bytes) else { return 0 }
    // The other core only reads the bytes, which stay until its result is taken below, and its reader is a copy.
    nonisolated(unsafe) let rest = UnsafeBufferPointer(rebasing: bytes[middle...])
    nonisolated(unsafe) let reader = readerOfPhotos
    let secondHalf = OfferedWork {
      var reader = reader
      let count = reader.parse(rest, isLast: false)
      return (reader: reader, count: count)
    }
    let count = parse(UnsafeBufferPointer(rebasing: bytes[..<middle]), isLast: false)
    guard let half = secondHalf.result(), count == middle, state.isBeforePhoto, half.reader.hasOnlyPhotos else {
      return count
    }
    append(half.reader)
    return count + half.count
  }

  /// A reader for text in the middle of a catalog, which starts with a photo.
  private var readerOfPhotos: CatalogReader {
    var reader = CatalogReader(base: base, mostBytesOfOne: mostBytesOfOne)
    if case .lines = state { reader.state = .lines } else { reader.state = .list(.row) }
    return reader
  }

  /// Whether all that has been read are valid photos that are not yet in the table.
  private var hasOnlyPhotos: Bool { problems.count == 0 && photos.isEmpty && state.isAmongPhotos }

  /// Appends the photos of a reader that has continued where this one ends.
  private mutating func append(_ next: CatalogReader) {
    if packer.count + next.packer.count > PackedPhotos.mostRows { flush() }
    packer.append(next.packer)
    if packer.isFull { flush() }
    state = next.state
    rowsRead += next.rowsRead
    place.text.advance(by: next.place.text)
  }
}

// Recovery from invalid JSON.
extension CatalogReader {
  /// Reports a fault and moves to the place at which reading can continue.
  ///
  /// - Returns: Whether there are enough bytes to decide on that place.
  private mutating func recover(
    from fault: JSONFault, start: Int, _ scanner: inout JSONScanner, isLast: Bool
  ) -> Bool {
    scanner.offset = start
    let byte = scanner.next()
    let next = state.resumption(from: fault, at: scanner.offset, byte: byte, in: scanner, isLast: isLast)
    if next == .unknown { return false }
    let row = state.isInRow(byte) ? rowsRead + 1 : nil
    rowsRead = row ?? rowsRead
    report(.syntax(fault.reason), row: row, at: fault.offset, in: scanner)
    state.resume(at: next, &scanner)
    return true
  }
}
