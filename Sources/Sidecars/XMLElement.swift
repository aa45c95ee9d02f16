/// A name with its namespace resolved (Namespaces in XML 1.0).
package struct XMLName: Hashable, Sendable {
  let namespace: String
  package let local: String

  init(_ namespace: String, _ local: String) {
    self.namespace = namespace
    self.local = local
  }

  static func rdf(_ local: String) -> XMLName { XMLName("http://www.w3.org/1999/02/22-rdf-syntax-ns#", local) }
  static let language = XMLName("http://www.w3.org/XML/1998/namespace", "lang")
}

/// An element of an XML document, with the places of its parts in the bytes of the document.
package struct XMLElement {
  package let name: XMLName
  let attributes: [XMLAttribute]
  /// The namespaces that are in scope, by their prefixes.
  let namespaces: [String: String]
  /// The place of the start tag, or of the whole tag of an empty element: `<a/>`.
  let startTag: Range<Int>
  /// The place of the end tag, or nil if the element has none: `<a/>`.
  var endTag: Range<Int>?
  package var children: [XMLElement] = []
  /// The character data directly in the element.
  package var characters = ""

  /// The place of the whole element.
  var range: Range<Int> { startTag.lowerBound..<(endTag ?? startTag).upperBound }

  /// The value of an attribute without a namespace.
  package subscript(name: String) -> String? { self[XMLName("", name)] }

  subscript(name: XMLName) -> String? { attributes.first { $0.name == name }?.value }
}

/// An attribute of a start tag. Declarations of namespaces are no attributes here.
struct XMLAttribute {
  let name: XMLName
  let value: String
  /// The place of the attribute, from the white space before it.
  let range: Range<Int>
  /// The place of the value between its quotation marks.
  let valueRange: Range<Int>
}

/// Text as it is written in XML (XML 1.0, sections 2.2, 2.4 and 2.11).
enum XMLText {
  /// Returns the text of character data or of an attribute's value, with its references replaced.
  static func decoded(_ bytes: ArraySlice<UInt8>) throws(SidecarFault.Damage) -> String {
    var text: [UInt8] = []
    var rest = bytes
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "&") {
        guard let end = rest.firstIndex(of: UInt8(ascii: ";")) else { throw .notXML }
        text += UTF8.encode(try scalar(String(decoding: rest[..<end], as: UTF8.self)))!
        rest = rest[(end + 1)...]
      } else if byte == 0x0D {
        if rest.first != 0x0A { text.append(0x0A) }
      } else {
        text.append(byte)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns the character that a reference such as `amp` or `#xE9` means. Without a DTD there are no other entities.
  private static func scalar(_ name: String) throws(SidecarFault.Damage) -> Unicode.Scalar {
    if let scalar: Unicode.Scalar = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"][name] {
      return scalar
    }
    let code = name.hasPrefix("#x") ? UInt32(name.dropFirst(2), radix: 16) : UInt32(name.dropFirst())
    guard name.hasPrefix("#"), let scalar = code.flatMap(Unicode.Scalar.init) else { throw .notXML }
    return scalar
  }

  /// Returns text as character data, or as the value of an attribute in quotation marks of any kind. Characters that XML
  /// does not allow are left out.
  static func encoded(_ text: String, inAttribute: Bool = false) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"" where inAttribute: result += "&quot;"
      case "'" where inAttribute: result += "&apos;"
      // Parsers turn these into spaces in the value of an attribute, and a carriage return into a line feed everywhere.
      case "\t" where inAttribute, "\n" where inAttribute, "\r": result += "&#\(scalar.value);"
      case "\t", "\n": result.unicodeScalars.append(scalar)
      case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": break
      default: result.unicodeScalars.append(scalar)
      }
    }
  }
}
