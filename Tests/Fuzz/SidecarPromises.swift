import Gallery

@testable import Sidecars

/// The promises of sidecars, which other programs write. The input has the edits of a user, and a sidecar.
struct SidecarPromises {
  private let edits: DecisionEdits
  private let bytes: [UInt8]

  private static let date = "2026-11-29T12:00:00+01:00"

  init(_ input: [UInt8]) {
    var choices = InputChoices(input)
    edits = DecisionEdits(&choices)
    bytes = Array(choices.rest)
  }

  func check() throws {
    guard let old = try? XMPDocument(bytes), (try? XMPToolkit.check(old)) != nil else { return }
    var change = SidecarChange()
    change.edits = edits
    guard let new = try edited(old, change) else { return }
    let wanted = old.decisions.applying(edits)
    for decision in edits.changed where SidecarProperty(decision) != nil && decision != .crop {
      // An empty text is none, and hides that of the photo's own file.
      let isEmpty = wanted[decision] == .text("")
      try promise(new.decisions[decision] == (isEmpty ? nil : wanted[decision]), "\(decision) has the new value")
      try promise(!isEmpty || new.edits[decision] == .set(.text("")), "\(decision) hides the file's own value")
    }
    // What is undone is as it was, in all of its properties.
    let inverse = SidecarChange(undoing: change, from: old, to: new)
    guard let undone = try edited(new, inverse) else { return }
    for property in SidecarProperty.allCases where property != .metadataDate {
      try promise(undone.value(of: property) == old.value(of: property), "\(property.rawValue) is as it was")
    }
  }

  /// Returns the sidecar after a change; nil if the change alters nothing, or not safely.
  private func edited(_ old: XMPDocument, _ change: SidecarChange) throws -> XMPDocument? {
    var editor = XMPEditor(old)
    editor.apply(change)
    do throws(SidecarFault.Damage) {
      guard let (new, changed) = try editor.finish(date: Self.date) else { return nil }
      try XMPToolkit.check(new, against: old, changed: changed)
      return new
    } catch {
      try promise(error == .ambiguous, "an edited sidecar is XMP")
      return nil
    }
  }
}

extension DecisionEdits {
  /// Creates edits of up to two decisions.
  init(_ choices: inout InputChoices) {
    self.init()
    for _ in 0..<2 {
      let kind = Int(choices.byte())
      let decision = Decision.allCases[kind % Decision.allCases.count]
      if kind > 0xC0 {
        self[decision] = .remove
        continue
      }
      let value: DecisionValue =
        switch decision.form {
        case .number: .number(Int(choices.byte()) % 7 - 1)
        case .text: .text(choices.text().printable)
        case .list: .list([choices.text().printable, choices.text().printable].filter { !$0.isEmpty })
        }
      // Only what a decision can be is a value, such as a time.
      self[decision] = DecisionEdit(PhotoDecisions().applying(DecisionEdits(decision, value))[decision])
    }
  }

  private init(_ decision: Decision, _ value: DecisionValue) {
    self.init()
    self[decision] = .set(value)
  }
}
