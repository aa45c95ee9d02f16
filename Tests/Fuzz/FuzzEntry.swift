import Foundation

/// Tries inputs without end (libFuzzer, with its arguments) on the target that `TINTYPE_FUZZ` names. The environment
/// names it, since libFuzzer starts itself again for some of its work.
@main
enum FuzzEntry {
  fileprivate static let target: FuzzTarget = {
    let name = ProcessInfo.processInfo.environment["TINTYPE_FUZZ"] ?? ""
    guard let target = FuzzTarget(rawValue: name) else {
      fatalError("TINTYPE_FUZZ names none of \(FuzzTarget.allCases.map(\.rawValue))")
    }
    return target
  }()

  /// libFuzzer brings a main function, but SwiftPM wants a program to have one of its own.
  static func main() {
    var (count, arguments) = (CommandLine.argc, Optional(CommandLine.unsafeArgv))
    exit(runFuzzer(&count, &arguments, tryInput))
  }
}

@_cdecl("LLVMFuzzerTestOneInput")
func tryInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  do {
    try FuzzEntry.target.check(Array(UnsafeBufferPointer(start: start, count: count)))
  } catch {
    // To libFuzzer, to have found something is to die.
    fatalError("\(error)")
  }
  return 0
}

/// Declared in `FuzzerInterface.h`, which is only in Clang's sources.
@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
  _ tryInput: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt
