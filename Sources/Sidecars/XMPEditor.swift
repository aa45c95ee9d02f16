import Gallery

/// An edit of a sidecar that changes the bytes of single properties and leaves everything else as it is.
struct XMPEditor {
  private let document: XMPDocument
  private var values: [SidecarProperty: XMPValue?] = [:]
  private var replacements: [(range: Range<Int>, text: String)] = []
  /// The new properties, by the number of the description that they are added to.
  private var additions: [Int: String] = [:]

  init(_ document: XMPDocument) { self.document = document }

  /// The decisions before the edit.
  var formerDecisions: PhotoDecisions { document.decisions }

  /// Returns the value that a property had before the edit.
  func formerValue(of property: SidecarProperty) -> XMPValue? { document.value(of: property) }

  /// Sets a property, or removes it. The last call for a property counts.
  mutating func set(_ property: SidecarProperty, to value: XMPValue?) {
    values.updateValue(value, forKey: property)
  }

  /// Returns the edited sidecar with its new date, and the properties whose values have changed. Returns nil if none has.
  consuming func finish(
    date: String
  ) throws(SidecarFault.Damage) -> (document: XMPDocument, changed: Set<SidecarProperty>)? {
    var changed = SidecarProperty.allCases.filter { property in
      values[property].map { $0 != document.value(of: property) } ?? false
    }
    if changed.isEmpty { return nil }
    set(.metadataDate, to: .text(date))
    changed.append(.metadataDate)
    for property in changed { edit(property, to: values[property]!) }
    insertAdditions()
    var bytes = document.bytes
    for (range, text) in replacements.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
      bytes.replaceSubrange(range, with: text.utf8)
    }
    return (try XMPDocument(bytes), Set(changed))
  }
}

extension XMPEditor {
  private mutating func edit(_ property: SidecarProperty, to value: XMPValue?) {
    var rest = value
    for description in document.descriptions {
      for attribute in description.attributes where attribute.name == property.name {
        if case .text(let text) = rest {
          replacements.append((attribute.valueRange, XMLText.encoded(text, inAttribute: true)))
          rest = nil
        } else {
          replacements.append((attribute.range, ""))
        }
      }
      for element in description.children where element.name == property.name {
        if property.hasLanguages, editDefaultItem(of: element, to: rest) {
          rest = nil
        } else if let value = rest {
          replacements.append((element.range, xml(property, value, in: description.namespaces)))
          rest = nil
        } else {
          remove(element)
        }
      }
    }
    if let rest { add(property, rest) }
  }

  /// Adds a property, next to others of its namespace if there are any.
  private mutating func add(_ property: SidecarProperty, _ value: XMPValue) {
    let descriptions = document.descriptions
    let index = descriptions.firstIndex { $0.namespaces.values.contains(property.name.namespace) } ?? 0
    let namespaces = index < descriptions.count ? descriptions[index].namespaces : document.rdf.namespaces
    additions[index, default: ""] += "\n   " + xml(property, value, in: namespaces)
  }

  /// Changes the item in the default language of an array of language alternatives. The other languages stay.
  ///
  /// - Returns: Whether the property is such an array and is meant to stay one.
  private mutating func editDefaultItem(of element: XMLElement, to value: XMPValue?) -> Bool {
    guard let (array, form) = element.array, form == .alternative, array.endTag != nil, (value?.form ?? form) == form
    else { return false }
    let item = array.defaultItem
    if let text = value?.text {
      let new = xml(.rdf("li"), "rdf", " xml:lang=\"x-default\"", XMLText.encoded(text), in: array.namespaces)
      let place = item?.range ?? array.startTag.upperBound..<array.startTag.upperBound
      replacements.append((place, new))
    } else if value == nil, array.children.allSatisfy({ $0.range == item?.range }) {
      remove(element)
    } else if let item {
      remove(item)
    }
    return true
  }

  /// Removes an element and the white space before it.
  private mutating func remove(_ element: XMLElement) {
    replacements.append((startOfSpace(before: element.range.lowerBound)..<element.range.upperBound, ""))
  }

  private func startOfSpace(before index: Int) -> Int {
    document.bytes[..<index].lastIndex { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }.map { $0 + 1 } ?? 0
  }

  private mutating func insertAdditions() {
    for (index, text) in additions {
      if index < document.descriptions.count {
        insert(text, atEndOf: document.descriptions[index])
      } else {
        let description = xml(.rdf("Description"), "rdf", "", text + "\n  ", in: document.rdf.namespaces)
        insert("\n  " + description, atEndOf: document.rdf)
      }
    }
  }

  private mutating func insert(_ text: String, atEndOf element: XMLElement) {
    if let end = element.endTag {
      let place = startOfSpace(before: end.lowerBound)
      replacements.append((place..<place, text))
    } else {
      // The tag ends with "/>".
      let tag = document.bytes[element.startTag]
      let name = tag.dropFirst().prefix { ![0x20, 0x09, 0x0A, 0x0D, 0x2F].contains($0) }
      replacements.append(
        (tag.endIndex - 2..<tag.endIndex, ">" + text + "\n  </" + String(decoding: name, as: UTF8.self) + ">"))
    }
  }
}

extension XMPEditor {
  /// Returns a property in RDF/XML.
  private func xml(_ property: SidecarProperty, _ value: XMPValue, in namespaces: [String: String]) -> String {
    let content =
      switch value {
      case .text(let text): XMLText.encoded(text)
      case .array(let items, let form):
        "\n    "
          + xml(
            .rdf(form.rawValue), "rdf", "",
            items.map { item in
              let language = form == .alternative ? " xml:lang=\"x-default\"" : ""
              return "\n     " + xml(.rdf("li"), "rdf", language, XMLText.encoded(item), in: namespaces)
            }.joined() + "\n    ", in: namespaces) + "\n   "
      }
    return xml(property.name, property.prefix, "", content, in: namespaces)
  }

  /// Returns an element. If no prefix means its namespace here, the element declares one. That is the one that the rest of the
  /// document uses, because exiv2 rejects two prefixes of one namespace.
  private func xml(
    _ name: XMLName, _ prefix: String, _ attributes: String, _ content: String, in namespaces: [String: String]
  ) -> String {
    func prefixes(in namespaces: [String: String]) -> [String] {
      namespaces.filter { $0.value == name.namespace && !$0.key.isEmpty }.keys.sorted()
    }
    let here = prefixes(in: namespaces)
    let all = document.descriptions.lazy.flatMap { [$0] + $0.children }.flatMap { prefixes(in: $0.namespaces) }
    let prefix = (here.contains(prefix) ? prefix : here.first) ?? all.first ?? prefix
    let declaration = here.isEmpty ? " xmlns:\(prefix)=\"\(name.namespace)\"" : ""
    return "<\(prefix):\(name.local)\(declaration)\(attributes)>\(content)</\(prefix):\(name.local)>"
  }
}
