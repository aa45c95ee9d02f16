/// A reader of XML 1.0 that finds the places of elements and attributes.
///
/// It is stricter than the specification where a document could do harm, and laxer elsewhere: libexempi checks the
/// document afterwards. There is no document type declaration, so that no entity can expand.
package struct XMLReader {
  /// The limits of a document, so that it takes a bounded time and amount of memory.
  package struct Limits: Sendable {
    /// The deepest level of an element. Parsers use the stack.
    var deepestLevel = 64
    /// The largest number of elements and attributes.
    var mostNodes: Int
    /// The largest number of elements and attributes next to each other. The items of XMP's arrays don't count.
    var mostSiblings: Int
    /// The largest number of namespaces.
    var mostNamespaces = 256

    /// The limits of a sidecar. Lightroom's masks need about 20 levels, and it writes about 300 properties. libexempi compares each
    /// property with all before it, and keeps namespaces as long as the program runs.
    package static let sidecar = Limits(mostNodes: 200_000, mostSiblings: 2048)
    /// The limits of a list of files from a server: some 40,000 files. Each element has a table of its namespaces.
    package static let list = Limits(deepestLevel: 16, mostNodes: 600_000, mostSiblings: 100_000, mostNamespaces: 16)
    /// The limits of a track of a receiver: a point a second for two weeks, of which little is kept at once.
    package static let track = Limits(deepestLevel: 16, mostNodes: 12_000_000, mostSiblings: 2_000_000)
  }

  private let limits: Limits
  /// Takes an element at its end. Returns whether it is not needed any more.
  private let take: (XMLElement) -> Bool
  private let bytes: [UInt8]
  private var index = 0
  private var nodeCount = 0
  private var declarations: Set<String> = []

  private init(_ bytes: [UInt8], _ limits: Limits, _ take: @escaping (XMLElement) -> Bool) {
    self.bytes = bytes
    self.limits = limits
    self.take = take
  }

  /// Reads a document in UTF-8, and returns its root element.
  ///
  /// - Parameter take: Called with each element below the root at its end. It is left out of its parent if the closure returns true, so
  ///   that a long document takes little memory.
  package static func root(
    of bytes: [UInt8], limits: Limits = .sidecar, taking take: (XMLElement) -> Bool = { _ in false }
  ) throws(SidecarFault.Damage) -> XMLElement {
    try withoutActuallyEscaping(take) { take throws(SidecarFault.Damage) in
      try root(XMLReader(bytes, limits, take))
    }
  }

  private static func root(_ reader: XMLReader) throws(SidecarFault.Damage) -> XMLElement {
    var reader = reader
    let bytes = reader.bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { reader.index = 3 }
    try reader.skipMisc()
    guard reader.hasNext("<") else { throw .notXML }
    let root = try reader.element(in: ["xml": XMLName.language.namespace], level: 1)
    try reader.skipMisc()
    guard reader.index == bytes.count else { throw .notXML }
    return root
  }

  private func hasNext(_ text: StaticString) -> Bool {
    index < bytes.count && bytes[index] == text.utf8Start.pointee
      && bytes[index...].starts(with: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

  private mutating func skipSpace() {
    while index < bytes.count, Self.isSpace(bytes[index]) { index += 1 }
  }

  /// Moves past the next occurrence of `end`, and returns what is before it.
  @discardableResult
  private mutating func take(until end: StaticString) throws(SidecarFault.Damage) -> ArraySlice<UInt8> {
    let start = index
    while index < bytes.count {
      if hasNext(end) {
        defer { index += end.utf8CodeUnitCount }
        return bytes[start..<index]
      }
      index += 1
    }
    throw .notXML
  }

  /// Skips what may be before and after the root: white space, comments and processing instructions.
  private mutating func skipMisc() throws(SidecarFault.Damage) {
    while true {
      skipSpace()
      if hasNext("<!DOCTYPE") { throw .documentType }
      guard try skipMarkup() else { return }
    }
  }

  /// Skips a comment or a processing instruction, and returns whether there was one.
  private mutating func skipMarkup() throws(SidecarFault.Damage) -> Bool {
    if hasNext("<!--") {
      index += 4
      try take(until: "-->")
    } else if hasNext("<?") {
      try take(until: "?>")
    } else {
      return false
    }
    return true
  }

  private mutating func count() throws(SidecarFault.Damage) {
    nodeCount += 1
    guard nodeCount <= limits.mostNodes else { throw .tooComplex }
  }
}

extension XMLReader {
  private mutating func element(in scope: [String: String], level: Int) throws(SidecarFault.Damage) -> XMLElement {
    guard level <= limits.deepestLevel else { throw .tooComplex }
    try count()
    let start = index
    index += 1
    let qualifiedName = try name()
    let (attributes, namespaces) = try attributes(in: scope)
    let isEmpty = hasNext("/>")
    index += isEmpty ? 2 : 1
    var element = XMLElement(
      name: try Self.resolved(qualifiedName, in: namespaces, defaultNamespace: namespaces[""] ?? ""),
      attributes: attributes, namespaces: namespaces, startTag: start..<index)
    if !isEmpty { try content(of: &element, named: qualifiedName, level: level) }
    let siblings = element.attributes.count + element.children.count { $0.name != .rdf("li") }
    guard siblings <= limits.mostSiblings else { throw .tooComplex }
    return element
  }

  /// Reads the content and the end tag of an element.
  private mutating func content(
    of element: inout XMLElement, named qualifiedName: String, level: Int
  ) throws(SidecarFault.Damage) {
    while index < bytes.count {
      if hasNext("</") {
        let start = index
        index += 2
        guard try name() == qualifiedName else { throw .notXML }
        skipSpace()
        guard hasNext(">") else { throw .notXML }
        index += 1
        element.endTag = start..<index
        return
      } else if hasNext("<![CDATA[") {
        index += 9
        element.characters += String(decoding: try take(until: "]]>"), as: UTF8.self)
      } else if try skipMarkup() {
        continue
      } else if hasNext("<") {
        let child = try self.element(in: element.namespaces, level: level + 1)
        if !take(child) { element.children.append(child) }
      } else {
        let start = index
        while index < bytes.count, bytes[index] != UInt8(ascii: "<") { index += 1 }
        element.characters += try XMLText.decoded(bytes[start..<index])
      }
    }
    throw .notXML
  }

  /// Reads the attributes up to the end of a start tag, and returns them with the namespaces of the element.
  private mutating func attributes(
    in scope: [String: String]
  ) throws(SidecarFault.Damage) -> ([XMLAttribute], [String: String]) {
    var namespaces = scope
    var found: [(name: String, value: String, range: Range<Int>, valueRange: Range<Int>)] = []
    while true {
      let start = index
      skipSpace()
      if hasNext(">") || hasNext("/>") { break }
      guard index > start else { throw .notXML }
      try count()
      let name = try name()
      let valueRange = try value()
      // Parsers turn white space in the value of an attribute into spaces (XML 1.0, section 3.3.3).
      let value = try XMLText.decoded(ArraySlice(bytes[valueRange].map { Self.isSpace($0) ? 0x20 : $0 }))
      if name == "xmlns" || name.hasPrefix("xmlns:") {
        namespaces[String(name.dropFirst(6))] = value
        declarations.insert("\(name)=\(value)")
        guard declarations.count <= limits.mostNamespaces else { throw .tooComplex }
      } else {
        found.append((name, value, start..<index, valueRange))
      }
    }
    var attributes: [XMLAttribute] = []
    for (name, value, range, valueRange) in found {
      attributes.append(
        XMLAttribute(
          name: try Self.resolved(name, in: namespaces, defaultNamespace: ""), value: value, range: range,
          valueRange: valueRange))
    }
    return (attributes, namespaces)
  }

  /// Reads `="value"`, and returns the place of the value.
  private mutating func value() throws(SidecarFault.Damage) -> Range<Int> {
    skipSpace()
    guard hasNext("=") else { throw .notXML }
    index += 1
    skipSpace()
    guard hasNext("\"") || hasNext("'") else { throw .notXML }
    let quote: StaticString = hasNext("\"") ? "\"" : "'"
    index += 1
    let value = try take(until: quote)
    guard !value.contains(UInt8(ascii: "<")) else { throw .notXML }
    return value.indices
  }

  private mutating func name() throws(SidecarFault.Damage) -> String {
    let start = index
    while index < bytes.count, !Self.isSpace(bytes[index]), !"=/><\"'".utf8.contains(bytes[index]) { index += 1 }
    guard index > start else { throw .notXML }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  private static func resolved(
    _ name: String, in namespaces: [String: String], defaultNamespace: String
  ) throws(SidecarFault.Damage) -> XMLName {
    guard let colon = name.firstIndex(of: ":") else { return XMLName(defaultNamespace, name) }
    guard let namespace = namespaces[String(name[..<colon])] else { throw .notXML }
    return XMLName(namespace, String(name[name.index(after: colon)...]))
  }
}
