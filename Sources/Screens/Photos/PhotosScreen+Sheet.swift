import Gallery
import ViewModels

// The contact sheet of the marked photos, or of all that are listed if none is marked.
extension PhotosScreen {
  /// Asks for the format and the name of the sheet.
  func makeSheet() {
    endRange()
    let most = PhotoChoosingViewModel.mostOnSheet
    if choosing.sheetCount > most {
      let count = choosing.sheetCount.photosText
      return host.note(localized("\(count) are too many for a contact sheet. Mark \(most.grouped) at most."))
    }
    guard let form = choosing.makeSheet(in: source.folder) else {
      return host.note(localized("A contact sheet needs files. Copy the photos to a folder first."))
    }
    host.open(FormPopup(form) { [host] in host.setNeedsDisplay() })
  }
}
