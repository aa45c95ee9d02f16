/// A sidecar in memory: an XMP packet in RDF/XML (XMP Specification, part 1, "Serialization"; ISO 16684-1).
///
/// The bytes are the sidecar's own. libexempi would read a sidecar and write it again, but it changes what it
/// does not have to: its aliases replace `tiff:ImageDescription`, `tiff:Software`, `tiff:Copyright` or
/// `exif:DateTimeDigitized` by properties of other namespaces or drop them, and comments are lost. 335 of 616 sample sidecars
/// came back with other properties. So ``XMPEditor`` changes the bytes of single properties, and libexempi checks the
/// result (``XMPToolkit``).
struct XMPDocument {
  /// The document in UTF-8.
  let bytes: [UInt8]
  /// The element `rdf:RDF`.
  let rdf: XMLElement

  /// Reads the content of a sidecar.
  init(_ content: [UInt8]) throws(SidecarFault.Damage) {
    bytes = try XMPEncoding.utf8(content)
    let root = try XMLReader.root(of: bytes)
    let isMeta = root.name.namespace == "adobe:ns:meta/" && ["xmpmeta", "xapmeta"].contains(root.name.local)
    let candidates = isMeta ? root.children : [root]
    guard candidates.count == 1, candidates[0].name == .rdf("RDF") else { throw .notXMP }
    rdf = candidates[0]
  }

  /// A sidecar without properties.
  static var empty: XMPDocument {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="Tintype">
       <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
        <rdf:Description rdf:about=""
          xmlns:xmp="http://ns.adobe.com/xap/1.0/"
          xmlns:dc="http://purl.org/dc/elements/1.1/"
          xmlns:lr="http://ns.adobe.com/lightroom/1.0/"
          xmlns:tiff="http://ns.adobe.com/tiff/1.0/"
          xmlns:crs="http://ns.adobe.com/camera-raw-settings/1.0/"/>
       </rdf:RDF>
      </x:xmpmeta>

      """
    // The text is constant, and each test that creates a sidecar reads it.
    return try! XMPDocument(Array(text.utf8))
  }

  /// Whether this program has created the sidecar.
  var isOwn: Bool { String(decoding: bytes.prefix(200), as: UTF8.self).contains(#"x:xmptk="Tintype""#) }

  /// The elements that hold the properties of the photo.
  var descriptions: [XMLElement] { rdf.children.filter { $0.name == .rdf("Description") } }

  /// Whether there are no properties other than the date of the sidecar.
  var hasOnlyDate: Bool {
    let date = SidecarProperty.metadataDate.name
    return descriptions.allSatisfy { description in
      description.children.allSatisfy { $0.name == date }
        && description.attributes.allSatisfy { $0.name == date || $0.name.local == "about" }
    }
  }

  /// Returns the value of a property, or nil if it is absent.
  func value(of property: SidecarProperty) -> XMPValue? {
    for description in descriptions {
      if let text = description[property.name] { return .text(text) }
      guard let element = description.children.first(where: { $0.name == property.name }) else { continue }
      guard let (array, form) = element.array else { return .text(element.text) }
      guard property.hasLanguages, form == .alternative else { return .array(array.children.map(\.text), form) }
      if let item = array.defaultItem { return .array([item.text], form) }
      return array.children.isEmpty ? .array([], form) : nil
    }
    return nil
  }
}

extension XMLElement {
  /// The element `rdf:Bag`, `rdf:Seq` or `rdf:Alt` in this property, or nil if the property is not an array.
  var array: (element: XMLElement, form: XMPValue.Form)? {
    guard children.count == 1, children[0].name.namespace == XMLName.rdf("").namespace else { return nil }
    return XMPValue.Form(rawValue: children[0].name.local).map { (children[0], $0) }
  }

  /// The item of this array of language alternatives in the default language.
  var defaultItem: XMLElement? { children.first { $0[.language]?.lowercased() == "x-default" } }

  /// The simple value of a property or of an array's item. With qualifiers, it is in `rdf:value`.
  var text: String {
    if let value = self[.rdf("value")] { return value }
    if let value = children.first(where: { $0.name == .rdf("value") }) { return value.text }
    if let description = children.first(where: { $0.name == .rdf("Description") }) { return description.text }
    return self[.rdf("resource")] ?? characters
  }
}
