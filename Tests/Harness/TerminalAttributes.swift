import Glibc

/// The line settings of a terminal (termios), as a value to compare.
public struct TerminalAttributes: Hashable, Sendable, CustomStringConvertible {
  /// The input flags (c_iflag).
  public var inputFlags: UInt32
  /// The output flags (c_oflag).
  public var outputFlags: UInt32
  /// The control flags (c_cflag).
  public var controlFlags: UInt32
  /// The local flags (c_lflag).
  public var localFlags: UInt32
  /// The control characters (c_cc).
  public var controlCharacters: [UInt8]
  /// The input and output speeds, as their B… constants.
  public var speeds: [UInt32]

  /// Whether the terminal echoes what is typed.
  public var echoes: Bool { localFlags & UInt32(ECHO) != 0 }
  /// Whether the terminal collects lines before the program gets them.
  public var isCanonical: Bool { localFlags & UInt32(ICANON) != 0 }
  /// Whether control characters send signals.
  public var makesSignals: Bool { localFlags & UInt32(ISIG) != 0 }

  /// The flags in octal and the control characters in decimal.
  public var description: String {
    let flags = [
      ("iflag", inputFlags), ("oflag", outputFlags), ("cflag", controlFlags), ("lflag", localFlags),
    ]
    let characters = controlCharacters.map(String.init).joined(separator: ",")
    return flags.map { "\($0) 0\(String($1, radix: 8))" }.joined(separator: " ") + " cc \(characters) speeds \(speeds)"
  }

  /// Reads the settings of the terminal behind `descriptor`; nil if it is not a terminal or has hung up.
  init?(descriptor: Int32) {
    var settings = termios()
    guard tcgetattr(descriptor, &settings) == 0 else { return nil }
    inputFlags = settings.c_iflag
    outputFlags = settings.c_oflag
    controlFlags = settings.c_cflag
    localFlags = settings.c_lflag
    controlCharacters = withUnsafeBytes(of: settings.c_cc) { Array($0) }
    speeds = [cfgetispeed(&settings), cfgetospeed(&settings)]
  }
}
