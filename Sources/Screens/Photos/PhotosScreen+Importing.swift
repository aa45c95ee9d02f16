import Gallery
import Services
import ViewModels

// The import of new photos from a memory card.
extension PhotosScreen {
  /// Asks for the card and the places of the photos, looks for new ones, and shows what would be imported.
  func importPhotos() {
    let form = choosing.makeImport(
      to: folderOfFiles, templates: host.templates, folders: { [host] in host.destination(from: $0, named: $1) },
      onSubmit: { [unowned self] card, rule in
        choosing.findPhotos(on: card, rule) { [unowned self] in confirm($0, rule) }
      })
    guard let form else { return }
    host.open(FormPopup(form) { [host] in host.setNeedsDisplay() })
  }

  private func confirm(_ forecast: ImportForecast, _ rule: ImportRule) {
    openLate(
      .importing(forecast, rule) { [unowned self] opens in
        choosing.importPhotos(forecast, rule)
        let first = forecast.imports.first?.photo.image
        if opens { choosing.create(rule.place) { [host] in host.open(folder: rule.place, at: first) } }
      })
    host.setNeedsDisplay()
  }
}

extension Popup where Self == ChoicePopup {
  /// Asks whether new photos are imported, with their number, their size and the free space.
  @MainActor
  fileprivate static func importing(
    _ forecast: ImportForecast, _ rule: ImportRule, _ importPhotos: @escaping (_ opens: Bool) -> Void
  ) -> ChoicePopup {
    let isPossible = !forecast.imports.isEmpty && !forecast.lacksRoom
    let choices: [ChoicePopup.Choice] =
      isPossible
      ? [
        ChoicePopup.Choice(key: "n", text: localized("Import nothing")),
        ChoicePopup.Choice(key: "y", text: localized("Import")),
        ChoicePopup.Choice(key: "o", text: localized("Import, and open the folder")),
      ] : [ChoicePopup.Choice(key: "n", text: localized("Back"))]
    let room =
      forecast.lacksRoom ? [localized("There is not enough room. Free some space, or choose another folder.")] : []
    return ChoicePopup(
      title: localized("Import to \(rule.place.printable)?"), text: forecast.lines + room, choices: choices
    ) { if $0 > 0 { importPhotos($0 == 2) } }
  }
}
