import Gallery
import Photos
import Services
import Terminal
import ViewModels

// The export of the marked photos, or of the highlighted one if none is marked.
extension PhotosScreen {
  /// Asks for a preset and for a folder, and shows what will be made.
  func exportPhotos() {
    endRange()
    let photos = choosing.markedPhotos(orRow: highlighted)
    let preview = choosing.filePreview(of: photos)
    let name = preview.photoCount == 1 ? preview.names : preview.photoCount.photosText
    let presets = host.exportPresets
    let choices = presets.enumerated().map { index, preset in
      ChoicePopup.Choice(key: index < 9 ? "\(index + 1)" : "", text: preset.name, note: preset.summary)
    }
    host.open(
      ChoicePopup(title: localized("Export \(name)"), choices: choices) { [unowned self] in
        let preset = presets[$0]
        askForFolder(title: localized("Export \(name) to"), button: localized("Export")) { [unowned self] folder in
          choosing.planExport(of: photos, by: preset, to: folder) { [unowned self] in confirm($0, preset, in: folder) }
        }
      })
  }

  private func confirm(_ plan: ExportPlan, _ preset: ExportPreset, in folder: FilePath) {
    if plan.count == 1, plan.forecast.takenCount == 0, plan.obstacles.isEmpty { return choosing.export(plan) }
    host.open(.exporting(plan, preset, to: folder) { [unowned self] in choosing.export(plan) })
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
