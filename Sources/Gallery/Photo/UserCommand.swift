/// A command of the user's own, which runs another program with the chosen photos.
public struct UserCommand: Hashable, Sendable {
  /// The place where a command runs.
  public enum Place: String, CaseIterable, Sendable {
    /// The background, without input and output.
    case background
    /// The terminal, instead of the gallery until the command ends.
    case terminal
    /// The terminal, which then waits for the Enter key so that the user can read the output.
    case pause
  }

  /// The name in the help and in the command palette.
  public let name: String
  /// The command for the shell. `%f` is the highlighted photo's file, `%s` the files of all marked photos, or of the
  /// highlighted one if none is marked, and `%%` is a percent sign.
  public let line: String
  /// The place where the command runs.
  public let place: Place

  /// Creates a command.
  public init(name: String, line: String, place: Place) {
    self.name = name
    self.line = line
    self.place = place
  }

  /// Returns the program that runs the command, and its arguments.
  /// - Parameters:
  ///   - file: The highlighted photo's file.
  ///   - files: The files of all photos that the command is meant for.
  public func arguments(_ file: ImageLocation, _ files: [ImageLocation]) -> [[UInt8]] {
    var script = script
    if place == .pause { script += "\n\(Self.pause)" }
    return ["sh", "-c", script].map { Array($0.utf8) } + [file.bytes] + files.map(\.bytes)
  }

  /// Waits for the Enter key, and ends with the status of the command before.
  private static var pause: String {
    let text = localized("Press Enter to return.").replacing("'", with: "’")
    return "status=$?; printf '\\n%s ' '\(text)'; read -r _; exit $status"
  }

  /// The first code for files that is in quotation marks, such as `'%f'`, or nil if there is none.
  ///
  /// Names of files are quoted already. In single quotes, the shell would take the code's replacement literally; in double
  /// quotes, it would split a name at its spaces.
  public var quotedCode: String? {
    var (quote, isCode, isEscaped): (Character?, Bool, Bool) = (nil, false, false)
    for character in line {
      if isEscaped {
        isEscaped = false
      } else if isCode, character == "f" || character == "s" {
        if let quote { return "\(quote)%\(character)\(quote)" }
      } else if character == "\\", quote != "'" {
        isEscaped = true
      } else if character == "'" || character == "\"" {
        if quote == nil { quote = character } else if quote == character { quote = nil }
      }
      isCode = !isCode && character == "%"
    }
    return nil
  }

  /// The command for a shell whose `$0` is the highlighted photo's file and whose `$@` is all marked ones. So no name of a
  /// file is ever taken for a part of the command.
  public var script: String {
    var (script, isCode) = ("", false)
    for character in line {
      switch (isCode, character) {
      case (true, "f"): script += "\"$0\""
      case (true, "s"): script += "\"$@\""
      case (true, "%"): script += "%"
      case (true, _): script += "%\(character)"
      case (false, "%"): break
      case (false, _): script.append(character)
      }
      isCode = !isCode && character == "%"
    }
    return isCode ? script + "%" : script
  }
}
