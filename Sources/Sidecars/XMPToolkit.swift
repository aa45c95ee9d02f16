import CExempi

/// Adobe's XMP Toolkit (libexempi), which has the last word on whether a document is XMP and what it says.
///
/// libexempi locks its tables, and no two calls share a packet.
enum XMPToolkit {
  private static let isReady = cexempi_initialize()

  /// One node of XMP's data model: a property, a field, an item or a qualifier.
  private struct Node: Hashable, Comparable {
    let namespace: String
    let path: String
    let value: String
    let options: UInt32

    static func < (one: Node, other: Node) -> Bool {
      (one.namespace, one.path, one.value) < (other.namespace, other.path, other.value)
    }

    /// Whether the node belongs to a property: `dc:subject[1]` belongs to `dc:subject`.
    func belongs(to name: XMLName) -> Bool {
      // libexempi adds a missing slash to a namespace.
      guard namespace == name.namespace || namespace == name.namespace + "/" else { return false }
      return path.drop { $0 != ":" }.dropFirst().prefix { $0 != "[" && $0 != "/" } == name.local
    }
  }

  /// Checks that a document is XMP.
  static func check(_ document: XMPDocument) throws(SidecarFault.Damage) {
    _ = try packet(document)
  }

  /// Checks that two documents differ in these properties alone.
  static func check(
    _ new: XMPDocument, against old: XMPDocument, changed: Set<SidecarProperty>
  ) throws(SidecarFault.Damage) {
    let names = changed.map(\.name)
    func others(_ document: XMPDocument) throws(SidecarFault.Damage) -> [Node] {
      try nodes(of: document).filter { node in !names.contains { node.belongs(to: $0) } }.sorted()
    }
    guard try others(old) == others(new) else { throw .ambiguous }
  }

  private static func nodes(of document: XMPDocument) throws(SidecarFault.Damage) -> [Node] {
    let packet = try packet(document)
    let (namespace, path, value) = (Text(), Text(), Text())
    let iterator = xmp_iterator_new(packet.pointer, nil, nil, XMP_ITER_PROPERTIES)
    defer { xmp_iterator_free(iterator) }
    var nodes: [Node] = []
    var options: UInt32 = 0
    while xmp_iterator_next(iterator, namespace.pointer, path.pointer, value.pointer, &options) {
      // A node without a path is a namespace.
      if path.string.isEmpty { continue }
      nodes.append(Node(namespace: namespace.string, path: path.string, value: value.string, options: options))
    }
    return nodes
  }

  private static func packet(_ document: XMPDocument) throws(SidecarFault.Damage) -> Packet {
    guard isReady, let packet = Packet(document.bytes) else { throw .notXMP }
    return packet
  }
}

/// The owner of libexempi's packet.
private final class Packet {
  let pointer: XmpPtr

  init?(_ bytes: [UInt8]) {
    pointer = xmp_new_empty()
    let isParsed = bytes.withUnsafeBytes {
      xmp_parse(pointer, $0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count)
    }
    if !isParsed { return nil }
  }

  deinit { xmp_free(pointer) }
}

/// The owner of libexempi's string.
private final class Text {
  let pointer: XmpStringPtr = xmp_string_new()

  var string: String { String(cString: xmp_string_cstr(pointer)) }

  deinit { xmp_string_free(pointer) }
}
