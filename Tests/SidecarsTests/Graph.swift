import Gallery

@testable import Sidecars

/// The properties of a sidecar as paths with values, whatever way RDF/XML writes them: attributes or elements, and structs in
/// each of the three forms. Two sidecars that say the same have the same graph.
struct Graph: Equatable {
  private(set) var values: [String: String] = [:]

  init(_ bytes: [UInt8]) throws {
    for description in try XMPDocument(bytes).descriptions { addFields(of: description, at: "") }
  }

  /// Returns the graph without some properties.
  func without(_ properties: some Sequence<SidecarProperty>) -> Graph {
    let names = properties.map { "/" + Self.text($0.name) }
    var graph = self
    graph.values = values.filter { path, _ in !names.contains { path == $0 || path.hasPrefix($0 + "/") } }
    return graph
  }

  /// Returns the paths whose values differ from those of another graph, with both values.
  func differences(from other: Graph) -> [String] {
    Set(values.keys).union(other.values.keys).filter { values[$0] != other.values[$0] }.sorted().map {
      "\($0): \(other.values[$0] ?? "nothing") became \(values[$0] ?? "nothing")"
    }
  }

  private static func text(_ name: XMLName) -> String { "{\(name.namespace)}\(name.local)" }

  private mutating func addFields(of element: XMLElement, at path: String) {
    for attribute in element.attributes where !["about", "parseType"].contains(attribute.name.local) {
      values[path + "/" + Self.text(attribute.name)] = attribute.value
    }
    for child in element.children { add(child, at: path + "/" + Self.text(child.name)) }
  }

  private mutating func add(_ property: XMLElement, at path: String) {
    if let (array, form) = property.array {
      values[path] = form.rawValue
      for (index, item) in array.children.enumerated() { add(item, at: "\(path)/\(index)") }
    } else if let description = property.children.first, description.name == .rdf("Description") {
      addFields(of: description, at: path)
    } else {
      if property.children.isEmpty { values[path] = property.characters }
      addFields(of: property, at: path)
    }
  }
}

extension SidecarProperty {
  /// The properties that hold decisions, and the date.
  static let own: [SidecarProperty] =
    [
      .rating, .label, .keywords, .hierarchicalKeywords, .caption, .orientation, .metadataDate,
      .hasCrop, .cropLeft, .cropTop, .cropRight, .cropBottom, .cropAngle, .alreadyApplied,
      .takenAt, .latitude, .longitude, .altitude, .isBelowSea,
    ] + IPTCText.all.map { SidecarProperty(rawValue: $0.property)! }
}
