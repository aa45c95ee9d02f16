import Gallery
import Terminal
import ViewModels

/// The list of the steps that take long, in which the user stops them.
@MainActor
final class JobsPopup: Popup {
  var onClose: () -> Void = {}
  /// Called when a job was stopped.
  var onStop: () -> Void = {}

  private let jobs: () -> [StepJobs.Job]
  private var list = ChoiceList([])
  private var box = Rect(column: 0, row: 0, columns: 0, rows: 0)

  /// - Parameter jobs: Returns the jobs at the moment.
  init(_ jobs: @escaping () -> [StepJobs.Job]) { self.jobs = jobs }

  let name = localized("Jobs")
  let extent = Extent.popup
  let hints: [Command] = [.stopLoading, .moveUp, .press]

  var announcement: String? { "\(name): \(choices.isEmpty ? Self.nothing : choices[highlighted].text)" }

  private static var nothing: String { localized("All steps are done.") }

  /// The lines of the jobs.
  private var choices: [ChoiceList.Choice] {
    jobs().map { job in
      let note = job.isStopped ? localized("is stopped…") : job.progress.map(\.line) ?? localized("waits")
      return ChoiceList.Choice(key: "", text: job.title, note: note)
    }
  }

  private var highlighted: Int { min(list.position.highlighted, max(0, jobs().count - 1)) }

  @ActionList var actions: [Action] {
    Action.moves { [self] in list.move($0) }
    // The key that leaves popups stops a job as long as there is one.
    if !jobs().isEmpty { Action(.stopLoading) { [self] in stop() } }
    Action(.press, label: localized("Close")) { [self] in onClose() }
    Action(.close) { [self] in onClose() }
  }

  private func stop() {
    let jobs = jobs()
    if jobs.indices.contains(highlighted) { jobs[highlighted].stop() }
    onStop()
  }

  func draw(on surface: Surface) {
    let choices = choices
    var current = ChoiceList(choices, highlighted: highlighted)
    let rows = max(1, choices.count)
    let columns = max(current.columns + 2, CellText(Self.nothing).width + 6)
    box = surface.bounds.centered(columns: columns, rows: rows + 2)
    surface.drawBox(box, title: name)
    let place = surface.clipped(to: box.inset(columns: 1, rows: 1))
    if choices.isEmpty { place.put(CellText(Self.nothing, truncatedTo: place.bounds.columns), column: 2) }
    current.draw(on: place)
    list = current
  }

  func handle(_ mouse: Mouse) {
    if box.isMissed(by: mouse) { onClose() } else { _ = list.handle(mouse) }
  }
}
