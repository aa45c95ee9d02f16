import ArgumentParser
import Configuration
import Foundation
import Gallery
import ImageWire
import Images
import Remote
import Resources
import Screens
import Terminal

/// Reports what Tintype knows about the terminal and this machine.
struct Doctor: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Diagnose image support in this terminal.")

  @Argument(help: "Another machine to report on, as HOST: or HOST:FOLDER.", completion: .list([]))
  var machine: FileArgument?

  @OptionGroup var look: LookOptions

  func validate() throws {
    if let machine, RemoteAddress(machine.bytes) == nil {
      throw ValidationError("\(machine.printable) names no machine. Write it as HOST: or HOST:FOLDER.")
    }
  }

  func run() throws {
    Shell.run(Self.self) {
      if let address = machine.flatMap({ RemoteAddress($0.bytes) }) { return await Self.report(on: address) }
      let surroundings = Surroundings(look: look)
      for line in report(surroundings) { Shell.print(line, to: .standardOutput) }
      for line in await WorkerReport.lines() { Shell.print(line, to: .standardOutput) }
      Shell.print("\nTest card", to: .standardOutput)
      try? FileHandle.standardOutput.write(contentsOf: Data(Self.colorBar(surroundings).utf8))
      for line in Self.glyphLines { Shell.print(line, to: .standardOutput) }
      guard surroundings.format != nil, Resources.imageWorker != nil else { return EXIT_SUCCESS }
      return try await ImageSequence(box: CellBox(columns: 40, rows: 12), surroundings: surroundings)
        .print([FileArgument(Array(Resources.path("photos/gull.jpg").utf8))])
    }
  }

  /// Prints what is known about another machine, and returns the exit code.
  @MainActor
  private static func report(on address: RemoteAddress) async -> Int32 {
    let start = ContinuousClock.now
    do throws(APIError) {
      let connection = try await RemoteConnections.open(
        address, ConfigurationSource.user.read().configuration, fetchesPhotos: false, asks: true)
      let seconds = (ContinuousClock.now - start) / .seconds(1)
      Shell.print("\(address.machine)")
      Shell.print("  connected   in \((seconds * 100).rounded() / 100) s, by \(RemoteAddress.sshCommand)")
      let line = await connection.measure()
      Shell.print("  line        \(line.roundTrip) ms there and back, \(line.kilobytes) kB/s")
      for text in await connection.report() { Shell.print(text) }
      connection.end()
      return EXIT_SUCCESS
    } catch {
      Shell.print(error.messageInShell, to: .standardError)
      return EXIT_FAILURE
    }
  }

  @MainActor
  private func report(_ surroundings: Surroundings) -> [String] {
    let environment = ProcessInfo.processInfo.environment
    func value(_ name: String) -> String { environment[name].map { "\(name)=\($0)" } ?? "\(name) is not set" }
    var lines = ["Tintype \(Release.version)", "", "Terminal"]
    func add(_ label: String, _ text: String) {
      lines.append("  \(label.padding(toLength: 12, withPad: " ", startingAt: 0))\(text.printable)")
    }
    guard let capabilities = surroundings.capabilities else {
      add("output", "not a terminal: images are printed with characters, in 24-bit colors, 80x24 at most")
      return lines
    }
    add("type", "\(value("TERM")), \(value("COLORTERM"))")
    add("name", capabilities.terminalName ?? "(no answer)")
    if let multiplexer = capabilities.multiplexer { add("within", multiplexer.rawValue) }
    add("size", "\(surroundings.box.columns)x\(surroundings.box.rows + 1) cells")
    let cell = surroundings.cell
    add("cell", "\(cell.width)x\(cell.height) pixels (\(capabilities.cellSizeSource))")
    add(
      "colors",
      surroundings.kind.map { "\($0.depth.rawValue) (\($0.depthSource))" } ?? "unknown (TERM is not in terminfo)")
    add("characters", Charset.current.isASCII ? "ASCII (the locale has no others)" : "UTF-8")
    lines += ["", "Images"]
    add("format", surroundings.format?.summary ?? "none")
    add("because", look.images.reason(on: capabilities, depth: surroundings.depth))
    add("glyphs", look.glyphs.reason(on: capabilities, charset: .current))
    if look.images == .auto, let advice = capabilities.advice { add("better", advice) }
    return lines
  }

  /// A line of each set of characters, by which the user sees which ones the terminal draws without gaps.
  private static var glyphLines: [String] {
    guard !Charset.current.isASCII else { return [] }
    func line(_ name: GlyphChoice, _ glyphs: String) -> String {
      "  " + name.rawValue.padding(toLength: 10, withPad: " ", startingAt: 0) + glyphs
    }
    return [
      line(.blocks, "▁▂▃▄▅▆▇█▉▊▋▌▍▎▏▐▔▕▖▗▘▙▚▛▜▝▞▟█▀"),
      line(.sextants, "🬀🬁🬂🬃🬄🬅🬆🬇🬈🬉🬊🬋🬌🬍🬎🬏🬐🬑🬒🬓🬔🬕🬖🬗🬘🬙🬚🬛🬜🬝"),
      line(.octants, String(String.UnicodeScalarView((0..<30).compactMap { Unicode.Scalar(0x1CD00 + $0 * 7) }))),
      line(.braille, "⠁⠃⠇⡇⡏⡟⡿⣿⣷⣧⣇⣀⣄⣆⣶⣿⢿⢻⢹⢸⢰⢠⢀⠤⠶⠛⠒⠉⣉⣿"),
    ]
  }

  /// Returns a bar of all hues in the colors that will be used.
  @MainActor
  private static func colorBar(_ surroundings: Surroundings) -> String {
    switch surroundings.kind?.depth ?? .truecolor {
    case .truecolor:
      (0..<40).map { step in
        let part = [0.0, 2, 4].map { shift -> Int in
          let phase = (Double(step) / 40 * 6 + shift).truncatingRemainder(dividingBy: 6)
          return Int(255 * max(0, min(1, abs(phase - 3) - 1)))
        }
        return "\u{1B}[48;2;\(part[0]);\(part[1]);\(part[2])m "
      }.joined() + "\u{1B}[0m\n"
    case .palette256: (16..<56).map { "\u{1B}[48;5;\($0)m " }.joined() + "\u{1B}[0m\n"
    case .palette16: (0..<16).map { "\u{1B}[\($0 < 8 ? 40 + $0 : 92 + $0)m  " }.joined() + "\u{1B}[0m\n"
    case .palette8: (0..<8).map { "\u{1B}[\(40 + $0)m    " }.joined() + "\u{1B}[0m\n"
    case .monochrome: ""
    }
  }
}
