import Gallery

extension PhotoChoosingViewModel {
  /// Copies the image of a row to the clipboard, as it is shown: rotated and cropped.
  public func copyImage(of row: any RowViewModel, to clipboard: any ImageClipboard) {
    guard let row = row as? PhotoRow, let file = row.image.file else { return }
    let metadata = row.files.first { $0.image == row.image }?.metadata ?? PhotoMetadata()
    copying.copy(file, shown: metadata.with(row.decisions), to: clipboard)
  }
}
