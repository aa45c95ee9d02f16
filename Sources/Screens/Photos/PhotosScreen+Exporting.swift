import Gallery
import Photos
import Services
import Terminal
import ViewModels

// The export of photos.
extension PhotosScreen {
  /// Asks for a preset and for a folder, and shows what will be made.
  func export(_ photos: [Photo]) {
    let name = choosing.filePreview(of: photos).subject
    let presets = host.exportPresets
    var choices = presets.enumerated().map { index, preset in
      ChoicePopup.Choice(key: index < 9 ? "\(index + 1)" : "", text: preset.name, note: preset.summary)
    }
    choices.append(.init(key: "s", text: localized("Another size…"), note: localized("JPEG · long edge in pixels")))
    func export(by preset: ExportPreset) {
      askForFolder(title: localized("Export \(name) to"), button: localized("Export")) { [unowned self] folder in
        choosing.planExport(of: photos, by: preset, to: folder) { [unowned self] in confirm($0, preset, in: folder) }
      }
    }
    host.open(
      ChoicePopup(title: localized("Export \(name)"), choices: choices) { [unowned self] choice in
        if choice < presets.count { return export(by: presets[choice]) }
        host.open(.longEdge(title: localized("Export \(name)"), onChoice: export))
      })
  }

  private func confirm(_ plan: ExportPlan, _ preset: ExportPreset, in folder: FilePath) {
    if let refusal = plan.forecast.refusal { return refuse(localized("Export"), refusal) }
    if plan.count == 1, plan.forecast.takenCount == 0, plan.obstacles.isEmpty { return choosing.export(plan) }
    openLate(.exporting(plan, preset, to: folder) { [unowned self] in choosing.export(plan) })
  }
}

extension Popup where Self == FieldPopup {
  /// Asks for the long edge of the new files.
  @MainActor
  fileprivate static func longEdge(title: String, onChoice: @escaping (ExportPreset) -> Void) -> FieldPopup {
    func preset(_ text: String) -> ExportPreset? {
      var preset = ExportPreset()
      return (try? preset.set("long-edge", to: text)).map { preset }
    }
    return FieldPopup(
      title: title, label: localized("Long edge in pixels"), text: "2048", button: localized("Next"),
      refusal: { preset($0) == nil ? localized("It takes a number of pixels from 16 to 16384.") : nil },
      onEnter: { if let preset = preset($0) { onChoice(preset) } })
  }
}

extension Popup where Self == ChoicePopup {
  /// Asks whether new files are made, with their names and what they meet in their folder.
  @MainActor
  fileprivate static func exporting(
    _ plan: ExportPlan, _ preset: ExportPreset, to folder: FilePath, _ export: @escaping () -> Void
  ) -> ChoicePopup {
    let files = localized("\(plan.count) new file", plural: "\(plan.count) new files", count: plan.count)
    let free = plan.forecast.free.map { localized("\($0.fileSizeText) free") }
    let taken = plan.forecast.takenCount
    let takenText = localized(
      "\(taken) name is taken there. The new file gets a number.",
      plural: "\(taken) names are taken there. The new files get numbers.", count: taken)
    let facts = [[files, preset.summary].joined(separator: " · "), free].compactMap(\.self)
    let choices: [ChoicePopup.Choice] =
      plan.count == 0
      ? [ChoicePopup.Choice(key: "n", text: localized("Back"))]
      : [
        ChoicePopup.Choice(key: "n", text: localized("Export nothing")),
        ChoicePopup.Choice(key: "y", text: localized("Export")),
      ]
    return ChoicePopup(
      title: localized("Export to \(folder.printable)?"),
      text: (plan.count == 0 ? [localized("No new file can be made.")] : [plan.names]) + facts
        + (taken > 0 ? [takenText] : []) + plan.obstacles, choices: choices
    ) { if $0 == 1 { export() } }
  }
}
