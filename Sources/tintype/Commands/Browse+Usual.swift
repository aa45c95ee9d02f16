import Screens
import Terminal

/// The gallery's usual command line, which needs no parser.
///
/// ArgumentParser finds a command's options by reflection, which takes 4 ms of every start. A command line of sources, with or
/// without the options of ``usualOptions``, has one meaning only, so it is read here. Everything else is left to
/// ArgumentParser, errors included. A test compares both on generated command lines.
extension Browse {
  /// The options that are read without the parser. Each takes one value, and returns whether it is valid.
  private static let usualOptions: [String: @Sendable (inout Browse, String) -> Bool] = [
    "--pictures": { command, value in
      command.look.chosenImages = OutputChoice(rawValue: value)
      return command.look.chosenImages != nil
    },
    "--delay": { command, value in
      command.delay = Double(value)
      return command.delay != nil
    },
  ]

  /// Creates the command without options.
  private init(sources: [FileArgument]) {
    self.init()
    self.sources = sources
    hasZeroBytes = false
    printsMarked = false
    pick = nil
    strict = false
    delay = nil
    slideshow = nil
    imageMemory = nil
    sidecars = nil
    theme = nil
    room = .photos
    musicURL = nil
    plain = false
    var web = WebOptions()
    web.headers = []
    web.tokenFile = nil
    web.tokenCommand = nil
    self.web = web
    var look = LookOptions()
    look.chosenImages = nil
    look.chosenColors = nil
    look.chosenGlyphs = nil
    self.look = look
  }

  /// Returns the command that ArgumentParser would return for the arguments, or nil if they are not as usual.
  ///
  /// - Throws: `ValidationError` as ``validate()``.
  static func usual(_ arguments: [String]) throws -> Browse? {
    var command = Browse(sources: [])
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if let set = usualOptions[argument] {
        guard let value = rest.popFirst(), !value.hasPrefix("-"), set(&command, value) else { return nil }
      } else {
        guard !argument.hasPrefix("-"), let source = FileArgument(argument: argument) else { return nil }
        command.sources.append(source)
      }
    }
    try command.validate()
    return command
  }
}
