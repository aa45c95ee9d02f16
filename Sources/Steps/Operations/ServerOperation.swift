import Gallery
import Services

/// A change of the decisions about a photo on a server.
struct ServerOperation: Hashable, StepOperation {
  /// The change. The journal identifies the kind of an operation by the name of this member.
  private let server: Change

  private struct Change: Hashable, Codable {
    var edits: DecisionEdits
    /// The decisions that the photo showed before, which undoing restores. The server is asked whether they are still current.
    var former: DecisionEdits
  }

  /// The number of photos that are changed at once.
  private static let atOnce = 4

  init(_ change: DecisionChange, of target: StepRequest.Target) {
    let shown = target.shown ?? PhotoDecisions()
    var edits = DecisionEdits()
    switch change {
    case .set(let decision, let value): edits[decision] = DecisionEdit(value)
    case .keywords(let added, let removed):
      let keywords = DecisionChange.keywords(shown.keywords ?? [], adding: added, removing: removed)
      edits[.keywords] = keywords.isEmpty ? .remove : .set(.list(keywords))
    // The original stays as it is, and no server keeps another orientation.
    case .rotation: break
    case .planned(let values, _): edits = values
    }
    server = Change(edits: edits, former: edits.inverse(restoring: shown))
  }

  private init(_ server: Change) { self.server = server }

  var isRating: Bool { server.edits.changed == [.rating] }

  func plan(
    for photo: ImageLocation, after expected: Step.Effect?, _ tools: StepTools
  ) throws(OperationFault) -> StepPlan {
    var effect = expected?.decisions ?? DecisionEdits()
    for decision in server.edits.changed { effect[decision] = server.edits[decision] }
    let inverse = ServerOperation(Change(edits: server.former, former: server.edits))
    return StepPlan(
      operation: self, inverse: server.edits == server.former ? nil : inverse, effect: Step.Effect(decisions: effect),
      atOnce: Self.atOnce, busy: .changedElsewhere(PhotoDecisions(), [])
    ) { [server] () throws(OperationFault) in
      // A later session with this server makes the change.
      guard let service = tools.server, service.has(photo) else { throw .stopped }
      do throws(PhotoServerFault) {
        try await service.change(photo, by: server.edits, from: PhotoDecisions().applying(server.former))
        return .written()
      } catch {
        switch error {
        case .missing: throw .missing
        case .outage(let error): throw .failed(.outage(error))
        case .refused(let error): throw .impossible(.refused(error))
        case .conflict(let current): throw .impossible(.changedElsewhere(current, server.edits.changed))
        }
      }
    }
  }

  func effect(on _: ImageLocation, isMade: Bool, _: StepTools) -> Step.Effect {
    Step.Effect(decisions: isMade ? server.edits : server.former)
  }
}

extension StepFault {
  fileprivate static func outage(_ error: APIError) -> StepFault {
    StepFault(
      title: localized("Not sent yet"),
      message: localized("\(error.message) The change is kept, and sent with the next one or at the next start."),
      concernsFolder: true)
  }

  fileprivate static func refused(_ error: APIError) -> StepFault {
    StepFault(title: localized("The server refuses the change"), message: error.message)
  }

  fileprivate static func changedElsewhere(_ current: PhotoDecisions, _ decisions: [Decision]) -> StepFault {
    let values = decisions.filter { current[$0] != nil }.map { $0.text(of: current[$0]) }
    return StepFault(
      title: localized("Changed elsewhere"),
      message: values.isEmpty
        ? localized(
          "Another program has changed the photo on the server, so it stays as it is there. Reload to see it.")
        : localized(
          """
          Another program has changed the photo on the server (\(values.joined(separator: ", "))), so it stays as it is \
          there. Reload to see it.
          """))
  }
}
