import ArgumentParser
import Foundation
import Gallery

/// A file name from the command line: bytes, which need not be UTF-8.
///
/// ArgumentParser takes strings. ``spelled(_:)`` turns each byte that isn't UTF-8 into a private-use character, and
/// ``init(argument:)`` turns that back into the byte, so that no two names become one.
struct FileArgument: ExpressibleByArgument, Hashable {
  let bytes: [UInt8]
  /// The name for display if the file itself has none that says anything.
  private let name: String?

  /// The character that represents byte 0. The last 256 code points of Unicode are for private use.
  fileprivate static let escapes: UInt32 = 0x10_FF00

  /// - Parameter name: The name for display if it differs from the file's own.
  init(_ bytes: [UInt8], name: String? = nil) {
    self.bytes = bytes
    self.name = name
  }

  init?(argument: String) {
    name = nil
    bytes = argument.unicodeScalars.flatMap { scalar -> [UInt8] in
      scalar.value >= Self.escapes ? [UInt8(truncatingIfNeeded: scalar.value)] : Array(String(scalar).utf8)
    }
  }

  /// Returns an argument as ArgumentParser takes it.
  static func spelled(_ bytes: [UInt8]) -> String {
    var text = String.UnicodeScalarView()
    var parser = Unicode.UTF8.ForwardParser()
    var (rest, offset) = (bytes.makeIterator(), 0)
    while true {
      let count: Int
      switch parser.parseScalar(from: &rest) {
      case .valid(let encoded):
        let scalar = Unicode.UTF8.decode(encoded)
        count = encoded.count
        if scalar.value < escapes { text.append(scalar) } else { text.append(escaping: bytes[offset..<offset + count]) }
      case .error(let length):
        count = length
        text.append(escaping: bytes[offset..<offset + count])
      case .emptyInput: return String(text)
      }
      offset += count
    }
  }

  /// The arguments of the process without the program's name, as ArgumentParser takes them.
  static var commandLine: [String] {
    UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc)).dropFirst().compactMap {
      argument in
      argument.map { spelled(Array(UnsafeRawBufferPointer(start: $0, count: strlen($0)))) }
    }
  }

  /// Whether the argument is `-`.
  var isStandardInput: Bool { bytes.elementsEqual("-".utf8) }
  /// The name as it was typed; nil if it is not UTF-8.
  var text: String? { String(validating: bytes, as: UTF8.self) }
  /// The name for display. It may differ from the name of the file.
  var printable: String { name ?? FilePath(bytes).printable }
  /// The name without its folder, for display.
  var printableName: String { name ?? path.printableName }
  /// The absolute path, without `.` and `..`.
  var path: FilePath { FilePath(bytes, in: .workingFolder) }

  var defaultValueDescription: String { printable }
}

extension String.UnicodeScalarView {
  fileprivate mutating func append(escaping bytes: some Sequence<UInt8>) {
    for byte in bytes { append(Unicode.Scalar(FileArgument.escapes + UInt32(byte)) ?? "\u{FFFD}") }
  }
}
