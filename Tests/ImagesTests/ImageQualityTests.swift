import Foundation
import Gallery
import ImageWire
import TestLimit
import Testing

@testable import Images

/// The errors of renditions, compared with those of chafa's own command on the same grid.
@MainActor
@Suite(.serialized, .limited) struct ImageQualityTests {
  private let queue = RenditionQueue(workerPath: ImageLoaderTests.workerPath, workerCount: 1)
  private nonisolated static let chafa = "/usr/bin/chafa"
  private nonisolated static let hasChafa = FileManager.default.isExecutableFile(atPath: chafa)
  private nonisolated static let photos = ["chelsea", "coffee"]

  /// Returns a photo that fills a grid of cells of 8x16 pixels, so that nothing is left over at its sides.
  private func photo(_ name: String, columns: Int, rows: Int) async throws -> Image {
    try await pixels(of: "\(ImageLoaderTests.photos)/\(name).jpg", view: .filling, columns: columns, rows: rows)
  }

  private func pixels(of path: String, view: ImageView, columns: Int, rows: Int) async throws -> Image {
    let transfer = KittyTransfer(hasPlaceholders: false, isLocal: false, isPassedThrough: false)
    let graphic = try await graphic(path, .kitty(transfer), view: view, columns: columns, rows: rows)
    let commands = try KittyDecoder.commands(in: graphic.bytes, isPassedThrough: false)
    return Image(try KittyDecoder.pixels(of: commands))
  }

  private func answer(
    _ path: String, _ format: OutputFormat, view: ImageView = .whole, columns: Int, rows: Int
  ) async -> ImageAnswer.Content {
    let palette = format.characterColors?.colors(of: (0..<16).map(CellImage.xtermColor)) ?? []
    return await queue.render(
      .show(
        FilePath(path), columns, rows, cell: (8, 16), format, as: ImagePresentation(view: view), palette: palette,
        number: 7)
    ).content
  }

  private func graphic(
    _ path: String, _ format: OutputFormat, view: ImageView = .whole, columns: Int, rows: Int
  ) async throws -> GraphicImage {
    let content = await answer(path, format, view: view, columns: columns, rows: rows)
    guard case .graphic(let image) = content else { throw Unexpected(content: "\(content)") }
    return image
  }

  private struct Unexpected: Error { let content: String }

  private func withFile<Result>(_ image: Image, _ body: (String) async throws -> Result) async throws -> Result {
    let path = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString).ppm").path
    try (Data("P6 \(image.width) \(image.height) 255\n".utf8) + image.rgb).write(to: URL(filePath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try await body(path)
  }

  private func chafa(_ arguments: [String]) throws -> [UInt8] {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: Self.chafa)
    process.arguments = arguments
    process.standardOutput = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return [UInt8](output)
  }

  private func report(_ mode: String, _ name: String, _ size: String, own: Double, chafa: Double) {
    let errors = [own, chafa].map { String(format: "%.2f", $0) }
    print("mean error of 255, \(mode) \(size), \(name): \(errors[0]), chafa's \(errors[1])")
  }

  @Test(
    .enabled(if: hasChafa, "SKIPPED: chafa is not installed"),
    arguments: [
      (ColorDepth.truecolor, "full"), (.palette256, "240"), (.palette16, "16"), (.palette8, "8"),
      (.monochrome, "none"),
    ], [(40, 12), (80, 24)])
  func charactersAreAsNearToThePhotoAsChafas(colors: (ColorDepth, String), size: (columns: Int, rows: Int))
    async throws
  {
    for name in Self.photos {
      let photo = try await photo(name, columns: size.columns, rows: size.rows)
      try await withFile(photo) { path in
        let format = OutputFormat.symbols(colors.0, .blocks)
        guard
          case .cells(let own) = await answer(path, format, columns: size.columns, rows: size.rows)
        else { throw Unexpected(content: name) }
        #expect((own.columns, own.rows) == size)
        let theirs = try CellImage(
          sgr: chafa([
            "-f", "symbols", "-c", colors.1, "--symbols", "block+space", "--fg", "white", "--bg", "black",
            "-s", "\(size.columns)x\(size.rows)", "--font-ratio", "1/2", path,
          ]))
        let images = [own, theirs].map { Image(drawing: $0, colors.0) }
        let errors = images.map { $0.error(from: photo) }
        report("\(colors.0)", name, "\(size.columns)x\(size.rows)", own: errors[0], chafa: errors[1])
        // Few colors are mixed from neighboring cells, as the eye does from a distance. That increases the error of a pixel.
        let far = images.map { $0.fromAfar.error(from: photo.fromAfar) }
        report("\(colors.0) from afar", name, "\(size.columns)x\(size.rows)", own: far[0], chafa: far[1])
        #expect(far[0] <= far[1] * 1.01)
        if colors.0 == .truecolor { #expect(errors[0] <= errors[1] * 1.01) }
      }
    }
  }

  @Test(.enabled(if: hasChafa, "SKIPPED: chafa is not installed"), arguments: photos)
  func sixelsAndPixelsForKittyAreAsNearToThePhotoAsChafas(name: String) async throws {
    let path = "\(ImageLoaderTests.photos)/\(name).jpg"
    for (format, option) in [
      (OutputFormat.sixel(colors: 256), "sixels"),
      (.kitty(KittyTransfer(hasPlaceholders: false, isLocal: false, isPassedThrough: false)), "kitty"),
    ] {
      let bytes = try chafa(["-f", option, "-s", "40x12", path])
      let theirs = try Image(graphics: bytes)
      // Each rendition is compared with the photo in the rendition's size, since scaling would blur it.
      let wanted = try await withFile(try await whole(path)) { path in
        try await scaled(path, width: theirs.width, height: theirs.height)
      }
      let own = try await withFile(wanted) { path in
        let graphic = try await graphic(
          path, format, columns: (wanted.width + 7) / 8, rows: (wanted.height + 15) / 16)
        return try Image(graphics: graphic.bytes).middle(width: wanted.width, height: wanted.height)
      }
      let (ownError, error) = (own.error(from: wanted), theirs.error(from: wanted))
      report(option, name, "\(wanted.width)x\(wanted.height) pixels", own: ownError, chafa: error)
      #expect(ownError <= error * 1.01)
    }
  }

  private func whole(_ path: String) async throws -> Image {
    try await pixels(of: path, view: .whole, columns: 200, rows: 100)
  }

  /// Returns an image scaled by averaging, which neither program does.
  private func scaled(_ path: String, width: Int, height: Int) async throws -> Image {
    try await whole(path).averaged(width: width, height: height)
  }
}

/// The pixels of an image.
struct Image {
  let width: Int
  let height: Int
  let rgb: [UInt8]

  init(_ parts: (width: Int, height: Int, rgb: [UInt8])) { (width, height, rgb) = parts }

  /// Decodes the image in kitty's commands or in sixels. Other output around it is ignored.
  init(graphics bytes: [UInt8]) throws {
    let text = String(decoding: bytes, as: UTF8.self)
    if let start = text.range(of: "\u{1B}_G"), let end = text.range(of: "\u{1B}\\", options: .backwards) {
      let commands = try KittyDecoder.commands(
        in: Array(text[start.lowerBound..<end.upperBound].utf8), isPassedThrough: false)
      self.init(try KittyDecoder.pixels(of: commands))
    } else {
      let start = bytes.indices.first { bytes[$0...].starts(with: [0x1B, 0x50]) } ?? 0
      let end = bytes.indices.last { bytes[$0...].starts(with: [0x1B, 0x5C]) } ?? 0
      let decoded = try SixelDecoder.decode(Array(bytes[start..<min(end + 2, bytes.count)]))
      self.init((decoded.width, decoded.height, decoded.pixels.flatMap { $0 ?? [0, 0, 0] }))
    }
  }

  /// Returns the mean difference of the parts of a pixel, from 0 to 255.
  func error(from other: Image) -> Double {
    precondition((width, height) == (other.width, other.height))
    var sum = 0
    for index in rgb.indices { sum += abs(Int(rgb[index]) - Int(other.rgb[index])) }
    return Double(sum) / Double(rgb.count)
  }

  /// Returns the part in the middle.
  func middle(width: Int, height: Int) -> Image {
    let (left, top) = ((self.width - width) / 2, (self.height - height) / 2)
    let rows = (0..<height).flatMap { y in
      let start = (y + top) * self.width + left
      return rgb[start * 3..<(start + width) * 3]
    }
    return Image((width, height, rows))
  }

  /// The image as the eye sees it from a distance: a pixel for two cells next to each other.
  var fromAfar: Image { averaged(width: width / 16, height: height / 16) }

  /// Returns the image scaled by averaging.
  func averaged(width: Int, height: Int) -> Image {
    var result: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        for part in 0..<3 {
          var (sum, count) = (0, 0)
          for row in y * self.height / height..<max(y * self.height / height + 1, (y + 1) * self.height / height) {
            for column in x * self.width / width..<max(x * self.width / width + 1, (x + 1) * self.width / width) {
              sum += Int(rgb[(row * self.width + column) * 3 + part])
              count += 1
            }
          }
          result.append(UInt8(sum / count))
        }
      }
    }
    return Image((width, height, result))
  }

  /// Draws characters as pixels, 8x16 for a cell.
  init(drawing cells: CellImage, _ colors: ColorDepth) {
    let (width, height) = (cells.columns * 8, cells.rows * 16)
    var rgb = [UInt8](repeating: 0, count: width * height * 3)
    var shapes: [UInt32: [Bool]] = [:]
    for (index, cell) in cells.cells.enumerated() {
      let shape = shapes[cell.scalar] ?? Unicode.Scalar(cell.scalar)!.blockShape
      shapes[cell.scalar] = shape
      let (foreground, background) = (
        Self.parts(of: cell.foreground, colors, otherwise: 255), Self.parts(of: cell.background, colors, otherwise: 0)
      )
      for y in 0..<16 {
        for x in 0..<8 {
          let color = shape[y / 2 * 8 + x] ? foreground : background
          let at = ((index / cells.columns * 16 + y) * width + index % cells.columns * 8 + x) * 3
          for part in 0..<3 { rgb[at + part] = color[part] }
        }
      }
    }
    self.init((width, height, rgb))
  }

  private static func parts(of color: UInt32, _ colors: ColorDepth, otherwise: UInt8) -> [UInt8] {
    if color == CellImage.Cell.none || colors == .monochrome { return [otherwise, otherwise, otherwise] }
    let value = colors == .truecolor ? color : CellImage.xtermColor(Int(color))
    return [16, 8, 0].map { UInt8(value >> $0 & 0xFF) }
  }
}

extension Unicode.Scalar {
  /// The parts of a block element, of 8x8, that its character covers.
  fileprivate var blockShape: [Bool] {
    func shape(_ covers: (_ x: Int, _ y: Int) -> Bool) -> [Bool] { (0..<64).map { covers($0 % 8, $0 / 8) } }
    let eighths = Int(value) - 0x2580
    switch value {
    case 0x20: return shape { _, _ in false }
    case 0x2580: return shape { _, y in y < 4 }
    case 0x2581...0x2588: return shape { _, y in y >= 8 - eighths }
    case 0x2589...0x258F: return shape { x, _ in x < 16 - eighths }
    case 0x2590: return shape { x, _ in x >= 4 }
    case 0x2591: return shape { x, y in x % 2 + y % 2 == 0 }
    case 0x2592: return shape { x, y in x % 2 == y % 2 }
    case 0x2593: return shape { x, y in x % 2 + y % 2 < 2 }
    case 0x2594: return shape { _, y in y < 1 }
    case 0x2595: return shape { x, _ in x >= 7 }
    case 0x2596...0x259F:
      // Upper left, upper right, lower left, lower right.
      let quadrants = [4, 8, 1, 13, 9, 7, 11, 2, 6, 14][Int(value) - 0x2596]
      return shape { x, y in quadrants >> (y / 4 * 2 + x / 4) & 1 == 1 }
    default: preconditionFailure("no shape is known of U+\(String(value, radix: 16))")
    }
  }
}

extension CellImage {
  /// Returns a color of xterm's palette, 0xRRGGBB.
  static func xtermColor(_ index: Int) -> UInt32 {
    let levels: [UInt32] = [0, 95, 135, 175, 215, 255]
    switch index {
    case ..<16: return PaletteTests.palettes[0][max(0, index)]
    case ..<232:
      let cube = index - 16
      return levels[cube / 36] << 16 | levels[cube / 6 % 6] << 8 | levels[cube % 6]
    default: return UInt32(8 + (index - 232) * 10) * 0x10101
    }
  }

  /// Reads characters with their colors (ECMA-48 SGR).
  fileprivate init(sgr bytes: [UInt8]) throws {
    var lines: [[Cell]] = [[]]
    var (foreground, background, isReversed) = (Cell.none, Cell.none, false)
    var rest = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)[...]
    while let scalar = rest.popFirst() {
      if scalar == "\n" {
        lines.append([])
      } else if scalar == "\u{1B}", rest.first == "[" {
        rest.removeFirst()
        let text = rest.prefix { $0.value < 0x40 }
        rest.removeFirst(text.count)
        guard rest.popFirst() == "m" else { continue }
        var numbers = String(String.UnicodeScalarView(text)).split(separator: ";").compactMap { UInt32($0) }[...]
        if text.isEmpty { numbers = [0] }
        while let number = numbers.popFirst() {
          switch number {
          case 0: (foreground, background, isReversed) = (Cell.none, Cell.none, false)
          case 7: isReversed = true
          case 27: isReversed = false
          case 30...37: foreground = number - 30
          case 40...47: background = number - 40
          case 90...97: foreground = number - 90 + 8
          case 100...107: background = number - 100 + 8
          case 39: foreground = Cell.none
          case 49: background = Cell.none
          case 38, 48:
            let kind = numbers.popFirst()
            let color = (0..<(kind == 2 ? 3 : 1)).reduce(UInt32(0)) { color, _ in color << 8 | (numbers.popFirst() ?? 0)
            }
            if number == 38 { foreground = color } else { background = color }
          default: break
          }
        }
      } else {
        lines[lines.count - 1].append(
          Cell(
            scalar: scalar.value, foreground: isReversed ? background : foreground,
            background: isReversed ? foreground : background))
      }
    }
    lines.removeAll(where: \.isEmpty)
    self.init(columns: lines.first?.count ?? 0, rows: lines.count, cells: Array(lines.joined()))
  }
}
