@testable import Terminal

/// The promises of the parser of a terminal's input: keys, the mouse, pasted text, and answers.
struct TerminalPromises {
  private let size: Int
  private let bytes: [UInt8]

  init(_ input: [UInt8]) {
    var choices = InputChoices(input)
    size = Int(choices.byte()) + 1
    bytes = Array(choices.rest)
  }

  func check() throws {
    let whole = try events([bytes[...]])
    try promise(try events(bytes.pieces(of: size)) == whole, "events do not depend on the pieces of the input")
    try promise(whole.count <= bytes.count + 1, "each event takes a byte")
    for event in whole { try check(event) }
    for event in try events(bytes.pieces(of: size), givesUp: true) { try check(event) }
    try checkCapabilities(whole)
  }

  /// - Parameter givesUp: Whether the parser stops waiting for the next piece after each one.
  private func events(_ pieces: [ArraySlice<UInt8>], givesUp: Bool = false) throws -> [InputEvent] {
    var parser = InputParser()
    var events: [InputEvent] = []
    for piece in pieces {
      events += parser.feed(piece) + (givesUp ? parser.flush() : [])
      try promise(parser.isBounded, "an incomplete sequence takes bounded memory")
    }
    events += parser.flush()
    try promise(parser.wait == nil, "the parser waits for nothing")
    // An Escape ends a paste that has not ended.
    let ends = parser.feed([0x1B]) + parser.flush()
    try promise(ends.last == .key(Key(.escape)), "Escape is always a key")
    try promise(parser.feed([0x71]) == [.key("q")], "the next key is a key")
    return events
  }

  private func check(_ event: InputEvent) throws {
    switch event {
    case .key(let key):
      guard case .character(let character) = key.code else { return }
      try promise(
        character.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) },
        "a character that is typed is no control")
    case .mouse(let mouse): try promise(mouse.column >= 0 && mouse.row >= 0, "the mouse is on the screen")
    case .reply(.background(let red, let green, let blue)), .reply(.paletteColor(_, let red, let green, let blue)):
      try promise([red, green, blue].allSatisfy((0...1).contains), "a color's parts are from 0 to 1")
    case .paste, .reply: break
    }
  }

  private func checkCapabilities(_ events: [InputEvent]) throws {
    for environment in [[:], ["TMUX": "/tmp/tmux,1,0"]] {
      var capabilities = Capabilities(environment: environment)
      for case .reply(let reply) in events { capabilities.add(reply) }
      try promise(capabilities.cellSize.isPlausible, "a cell has a plausible size")
      try promise(!OutputFormatTable.best(on: capabilities).reason.isEmpty, "there is a reason for the choice")
      try promise((2...65_536).contains(capabilities.sixelColors), "there is a palette")
    }
  }
}
