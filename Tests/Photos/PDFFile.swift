/// A PDF whose pages are each filled with a color (ISO 32000-1, section 7.5).
public struct PDFFile {
  /// The bytes of the file.
  public private(set) var bytes: [UInt8] = []

  /// Creates a file with a page for each color, whose parts are from 0 to 1.
  /// - Parameters:
  ///   - width: The width of a page in points.
  ///   - height: The height of a page in points.
  public init(colors: [(red: Double, green: Double, blue: Double)], width: Int = 120, height: Int = 240) {
    let kids = colors.indices.map { "\(3 + 2 * $0) 0 R" }.joined(separator: " ")
    var objects = ["<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[\(kids)]/Count \(colors.count)>>"]
    for (index, color) in colors.enumerated() {
      let drawing = "\(color.red) \(color.green) \(color.blue) rg 0 0 \(width) \(height) re f"
      objects.append("<</Type/Page/Parent 2 0 R/MediaBox[0 0 \(width) \(height)]/Contents \(4 + 2 * index) 0 R>>")
      objects.append("<</Length \(drawing.utf8.count)>>stream\n\(drawing)\nendstream")
    }
    var text = "%PDF-1.4\n"
    var table = "0000000000 65535 f \n"
    for (index, object) in objects.enumerated() {
      let offset = String(text.utf8.count)
      table += String(repeating: "0", count: 10 - offset.count) + offset + " 00000 n \n"
      text += "\(index + 1) 0 obj\(object)endobj\n"
    }
    let start = text.utf8.count
    text += "xref\n0 \(objects.count + 1)\n\(table)trailer<</Size \(objects.count + 1)/Root 1 0 R>>\n"
    bytes = Array((text + "startxref\n\(start)\n%%EOF\n").utf8)
  }
}
