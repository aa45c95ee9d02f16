import Gallery
import Photos

/// One photo of a catalog, with the ranges of its strings in the text.
///
/// The members are named as in the answer of 500px for popular photos. Unknown members are ignored. If a member is a
/// duplicate, the last one counts.
struct CatalogRow {
  /// A member of a photo.
  enum Field: String, CaseIterable {
    case id, name
    case createdAt = "created_at"
    case imageURL = "image_url"
    case description
    case isForSale = "for_sale"
    case camera, user
    case fullname = "user.fullname"
    case license
  }

  /// A reason why the photo is invalid.
  struct Problem {
    var field: Field
    /// The offset of the member's value, or that of the photo if the member is missing.
    var offset: Int
    var reason: ValueFault

    /// The problem as one of the catalog.
    var fault: CatalogProblem.Fault { .value(of: field.rawValue, reason) }
  }

  private var id: Int?
  private var createdAt: Timestamp?
  private var isForSale: Bool?
  private var name: JSONText?
  private var description: JSONText?
  private var imageURL: JSONText?
  private var camera: JSONText?
  private var author: JSONText?
  private var license: JSONText?
  private var metadata: CatalogMetadata?
  private var problems: [Problem] = []
  /// The problems that reading ignores, or nil if they are not collected.
  private var forgiven: ForgivenByReading?

  /// Reads the object that starts here.
  ///
  /// - Parameters:
  ///   - base: The base that may refuse the address of the image, or nil if every address is valid.
  ///   - isChecked: Whether to collect the problems that reading ignores.
  init(_ scanner: inout JSONScanner, base: (any ImageBase)?, isChecked: Bool = false) throws(JSONFault) {
    let start = scanner.offset
    if isChecked { forgiven = ForgivenByReading() }
    try scanner.members { scanner, key throws(JSONFault) in
      forgiven?.meet(key, in: scanner)
      guard let field = scanner.field(key) else { return try readMetadata(key, &scanner) }
      if !problems.isEmpty { problems.removeAll { $0.field == field } }
      try read(field, &scanner)
    }
    note(absent: .id, id == nil, at: start)
    note(absent: .name, name == nil, at: start)
    note(absent: .createdAt, createdAt == nil, at: start)
    note(absent: .imageURL, imageURL == nil, at: start)
    if let imageURL, let base { check(imageURL, base: base, in: scanner) }
  }

  /// Whether the object is meant as a photo: it has at least half of the required members, valid or not.
  var isMeantAsPhoto: Bool {
    let required: [Field] = [.id, .name, .createdAt, .imageURL]
    return required.count { field in !problems.contains { $0.field == field && $0.reason == .missing } } >= 2
  }

  /// The first problem in the order of the fields, or nil if the photo is valid.
  var problem: Problem? {
    problems.isEmpty ? nil : Field.allCases.lazy.compactMap { field in problems.first { $0.field == field } }.first
  }

  /// Appends the photo, which must be valid, to the packer.
  func append(to packer: inout PhotoPacker, from scanner: JSONScanner) {
    packer.append(
      id: id ?? 0, createdAt: createdAt?.seconds ?? 0, createdOffset: createdAt?.offset ?? 0, isForSale: isForSale
    ) { column, bytes in
      if let text = text(of: column) { scanner.append(text, to: &bytes) }
    }
    guard var metadata = metadata?.metadata else { return }
    if metadata.hasIncompletePlace { metadata.place = nil }
    packer.append(metadata)
  }

  private func text(of column: PhotoColumn) -> JSONText? {
    switch column {
    case .name: name
    case .description: description
    case .imageURL: imageURL
    case .camera: camera
    case .author: author
    case .license: license
    }
  }

  private mutating func check(_ imageURL: JSONText, base: any ImageBase, in scanner: JSONScanner) {
    var address: [UInt8] = []
    scanner.append(imageURL, to: &address)
    if base.location(of: String(decoding: address, as: UTF8.self)) != nil { return }
    problems.append(Problem(field: .imageURL, offset: imageURL.range.lowerBound - 1, reason: .notAnAddress))
  }

  private mutating func note(absent field: Field, _ isAbsent: Bool, at start: Int) {
    guard isAbsent, !problems.contains(where: { $0.field == field }) else { return }
    problems.append(Problem(field: field, offset: start, reason: .missing))
  }
}

// Members.
extension CatalogRow {
  private mutating func readMetadata(_ key: JSONText, _ scanner: inout JSONScanner) throws(JSONFault) {
    guard let field = scanner.metadataField(key) else { return try scanner.skipValue() }
    _ = scanner.next()
    let start = scanner.offset
    if metadata == nil { metadata = CatalogMetadata() }
    if let reason = try metadata?.read(field, &scanner) {
      forgiven?.findings.append(Finding(offset: start, fault: .value(of: field.names[0], reason)))
    }
  }

  private mutating func read(_ field: Field, _ scanner: inout JSONScanner) throws(JSONFault) {
    switch field {
    case .id: id = try integer(&scanner)
    case .name: name = try text(field, isRequired: true, &scanner)
    case .createdAt: createdAt = try moment(&scanner)
    case .imageURL: imageURL = try text(field, isRequired: true, &scanner)
    case .description: description = try text(field, &scanner)
    case .isForSale: isForSale = try truth(&scanner)
    case .camera: camera = try text(field, &scanner)
    case .user: author = try fullname(&scanner)
    case .fullname: author = try text(field, &scanner)
    case .license: license = try text(field, &scanner)
    }
  }

  private mutating func text(
    _ field: Field, isRequired: Bool = false, _ scanner: inout JSONScanner
  ) throws(JSONFault) -> JSONText? {
    if scanner.next() == UInt8(ascii: "\"") {
      let text = try scanner.text()
      if !text.isTooLong { return text }
      problems.append(
        Problem(field: field, offset: text.range.lowerBound - 1, reason: .tooLong(JSONText.longest)))
      return nil
    }
    try refuse(field, kind: .text, isRequired: isRequired, &scanner)
    return nil
  }

  private mutating func integer(_ scanner: inout JSONScanner) throws(JSONFault) -> Int? {
    switch scanner.next() {
    case let byte? where byte == UInt8(ascii: "-") || byte.isDigit:
      let range = try scanner.number()
      if let value = scanner.integer(range) { return value }
      problems.append(Problem(field: .id, offset: range.lowerBound, reason: .notAnInteger))
    default: try refuse(.id, kind: .integer, isRequired: true, &scanner)
    }
    return nil
  }

  private mutating func moment(_ scanner: inout JSONScanner) throws(JSONFault) -> Timestamp? {
    guard let text = try text(.createdAt, isRequired: true, &scanner) else { return nil }
    if !text.hasEscapes, let moment = Timestamp(iso8601: scanner.utf8(text)) { return moment }
    var bytes: [UInt8] = []
    scanner.append(text, to: &bytes)
    if let moment = bytes.withUnsafeBufferPointer(Timestamp.init(iso8601:)) { return moment }
    let beginning = String(String(decoding: bytes, as: UTF8.self).prefix(40))
    problems.append(
      Problem(field: .createdAt, offset: text.range.lowerBound - 1, reason: .notADate(beginning)))
    return nil
  }

  private mutating func truth(_ scanner: inout JSONScanner) throws(JSONFault) -> Bool? {
    let first = scanner.next()
    guard first == UInt8(ascii: "t") || first == UInt8(ascii: "f") else {
      try refuse(.isForSale, kind: .truth, &scanner)
      return nil
    }
    try scanner.skipValue()
    return first == UInt8(ascii: "t")
  }

  private mutating func fullname(_ scanner: inout JSONScanner) throws(JSONFault) -> JSONText? {
    guard scanner.next() == UInt8(ascii: "{") else {
      try refuse(.user, kind: .object, &scanner)
      return nil
    }
    problems.removeAll { $0.field == .fullname }
    var author: JSONText?
    try scanner.members { scanner, key throws(JSONFault) in
      guard scanner.isText(key, "fullname") else { return try scanner.skipValue() }
      problems.removeAll { $0.field == .fullname }
      author = try text(.fullname, &scanner)
    }
    return author
  }

  /// Skips a value of the wrong type and records the problem. A `null` means that there is no value.
  private mutating func refuse(
    _ field: Field, kind: ValueFault.Kind, isRequired: Bool = false, _ scanner: inout JSONScanner
  ) throws(JSONFault) {
    let isNull = scanner.next() == UInt8(ascii: "n")
    let start = scanner.offset
    try scanner.skipValue()
    if isNull && !isRequired { return }
    problems.append(Problem(field: field, offset: start, reason: isNull ? .null : .isNot(kind)))
  }
}

// Checks.
extension CatalogRow {
  /// A problem with its offset.
  struct Finding {
    var offset: Int
    var fault: CatalogProblem.Fault
  }

  /// Returns all problems of the row, in the order of the text.
  ///
  /// - Parameters:
  ///   - isNew: A closure that returns whether no earlier row has this ID.
  ///   - isThere: A closure that returns whether there is an image at this address.
  func findings(
    in scanner: JSONScanner, isNew: (Photo.ID) -> Bool, isThere: (String) -> Bool
  ) -> [Finding] {
    var findings = problems.map { Finding(offset: $0.offset, fault: $0.fault) }
    guard let forgiven else { return findings }
    findings += forgiven.findings
    if let id, !isNew(id) {
      findings.append(Finding(offset: forgiven.places["id"] ?? 0, fault: .duplicateID(id)))
    }
    if let imageURL, !isThere(scanner.string(imageURL)) {
      let address = String(scanner.string(imageURL).prefix(200))
      findings.append(Finding(offset: imageURL.range.lowerBound - 1, fault: .missingImage(address)))
    }
    if metadata?.metadata.hasIncompletePlace == true,
      let place = ["latitude", "longitude", "altitude"].compactMap({ forgiven.places[$0] }).min()
    {
      findings.append(Finding(offset: place, fault: .incompletePlace))
    }
    return findings.sorted { $0.offset < $1.offset }
  }
}

extension JSONScanner {
  /// Returns the field with this name, or nil if the member is unknown or belongs to the metadata.
  func field(_ key: JSONText) -> CatalogRow.Field? {
    if key.hasEscapes {
      return CatalogRow.Field.allCases.first { field in
        var resolved: [UInt8] = []
        append(key, to: &resolved)
        return field != .fullname && resolved.elementsEqual(field.rawValue.utf8)
      }
    }
    switch key.range.count {
    case 2: return isText(key, "id") ? .id : nil
    case 4: return isText(key, "name") ? .name : isText(key, "user") ? .user : nil
    case 6: return isText(key, "camera") ? .camera : nil
    case 7: return isText(key, "license") ? .license : nil
    case 8: return isText(key, "for_sale") ? .isForSale : nil
    case 9: return isText(key, "image_url") ? .imageURL : nil
    case 10: return isText(key, "created_at") ? .createdAt : nil
    case 11: return isText(key, "description") ? .description : nil
    default: return nil
    }
  }
}

/// The problems of a row that reading ignores, and the places of the row's members.
final class ForgivenByReading {
  var findings: [CatalogRow.Finding] = []
  /// The offset of each member's value.
  private(set) var places: [String: Int] = [:]

  /// Records the place of a member, and reports the member if its name is a duplicate.
  func meet(_ key: JSONText, in scanner: JSONScanner) {
    var scanner = scanner
    _ = scanner.next()
    let name = scanner.string(key)
    guard scanner.field(key) != nil || scanner.metadataField(key) != nil else { return }
    if places.updateValue(scanner.offset, forKey: name) != nil {
      findings.append(CatalogRow.Finding(offset: key.range.lowerBound - 1, fault: .duplicate(name)))
    }
  }
}
