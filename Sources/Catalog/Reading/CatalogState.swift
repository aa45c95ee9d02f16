/// The part of a catalog that a ``CatalogReader`` expects next, and the part that it expects after invalid JSON.
enum CatalogState {
  case start
  /// Inside the list of photos, with the element that is expected next.
  case list(List)
  /// After a member of the object that contains the list.
  case object
  /// Between photos that are not in a list.
  case lines
  case end
  /// After invalid JSON from which the reader could not recover.
  case lost

  enum List { case rowOrEnd, row, separator }

  /// Whether photos are being read.
  var isAmongPhotos: Bool {
    switch self {
    case .list, .lines: true
    case .start, .object, .end, .lost: false
    }
  }

  /// Whether a photo must come next, or in text without a list, may come next.
  var isBeforePhoto: Bool {
    switch self {
    case .list(.row), .lines: true
    case .list, .start, .object, .end, .lost: false
    }
  }

  /// Returns the offset of what looks like the first photo in the second half of some bytes, or nil if there is none.
  ///
  /// A photo is recognized by its beginning, up to the first colon, since photos of a catalog begin alike.
  func middle(of bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    var scanner = JSONScanner(bytes, isLast: false)
    if case .list(.separator) = self { _ = scanner.take(UInt8(ascii: ",")) }
    guard isAmongPhotos, scanner.next() == UInt8(ascii: "{") else { return nil }
    let start = scanner.offset
    scanner.offset += 1
    guard (try? scanner.key()) != nil else { return nil }
    let beginning = bytes[start..<scanner.offset]
    return (bytes.count / 2..<bytes.count).first { place in
      bytes[place] == UInt8(ascii: "{") && bytes[place...].starts(with: beginning)
    }
  }

  /// Returns whether a fault is in a photo.
  /// - Parameter byte: The first byte of the invalid part, or nil if the text ends there.
  func isInRow(_ byte: UInt8?) -> Bool {
    switch self {
    case .list(.row), .list(.rowOrEnd): byte != UInt8(ascii: "]") && byte != nil
    case .lines: true
    case .start: byte == UInt8(ascii: "{")
    case .list(.separator), .object, .end, .lost: false
    }
  }

  /// Returns the place at which reading can continue after a fault.
  /// - Parameters:
  ///   - start: The offset of the invalid part.
  ///   - byte: The byte at that offset, or nil if the text ends there.
  func resumption(
    from fault: JSONFault, at start: Int, byte: UInt8?, in scanner: JSONScanner, isLast: Bool
  ) -> CatalogRecovery.Place {
    if fault.isAtEnd { return .nowhere }
    let recovery = CatalogRecovery(bytes: scanner.bytes, isLast: isLast)
    switch self {
    case .list(.separator) where byte == UInt8(ascii: "{"): return .rowStart(start)
    case .list(.row) where byte == UInt8(ascii: "]"): return .rowEnd(start)
    case .list, .lines: return recovery.place(row: byte == UInt8(ascii: "{") ? start : nil, fault: fault.offset)
    case .start where byte == UInt8(ascii: "{"): return recovery.place(row: start, fault: fault.offset)
    case .start, .object, .end, .lost: return .nowhere
    }
  }

  /// Moves to a place at which reading can continue.
  mutating func resume(at place: CatalogRecovery.Place, _ scanner: inout JSONScanner) {
    switch place {
    case .rowEnd(let offset): go(to: offset, .separator, &scanner)
    case .rowStart(let offset): go(to: offset, .row, &scanner)
    case .nowhere, .unknown:
      scanner.offset = scanner.bytes.count
      self = .lost
    }
  }

  private mutating func go(to offset: Int, _ wanted: List, _ scanner: inout JSONScanner) {
    scanner.offset = offset
    if case .list = self { self = .list(wanted) } else { self = .lines }
  }
}
