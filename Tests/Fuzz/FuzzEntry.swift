import Foundation

/// The entry point of the fuzzer, which runs libFuzzer on the target that the environment variable `TINTYPE_FUZZ`
/// names.
///
/// The target is not an argument, because libFuzzer has its own arguments and starts the program again for some tasks.
@main
enum FuzzEntry {
  fileprivate static let target: FuzzTarget = {
    let name = ProcessInfo.processInfo.environment["TINTYPE_FUZZ"] ?? ""
    guard let target = FuzzTarget(rawValue: name) else {
      fatalError("TINTYPE_FUZZ names none of \(FuzzTarget.allCases.map(\.rawValue))")
    }
    return target
  }()

  /// Starts libFuzzer. libFuzzer has a main function, but SwiftPM expects a program to have its own.
  static func main() {
    var (count, arguments) = (CommandLine.argc, Optional(CommandLine.unsafeArgv))
    exit(runFuzzer(&count, &arguments, tryInput))
  }
}

/// Checks one input, as libFuzzer requires.
@_cdecl("LLVMFuzzerTestOneInput")
func tryInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  do {
    try FuzzEntry.target.check(Array(UnsafeBufferPointer(start: start, count: count)))
  } catch {
    // libFuzzer reports an input that ends the process.
    fatalError("\(error)")
  }
  return 0
}

/// Returns the leaks that are not reported: fontconfig keeps what it has read about the system's fonts, Dispatch the memory
/// of finished work, TOMLKit each document, and dav1d loses 40 bytes with some damaged images. The sanitizer does not find the
/// constant rule for plurals, which Swift's enumerations keep by pointers with marks in them.
@_cdecl("__lsan_default_suppressions")
func suppressedLeaks() -> UnsafePointer<CChar> {
  let libraries: StaticString = """
    leak:libfontconfig
    leak:_dispatch_continuation_alloc_from_heap
    leak:libdav1d
    leak:TOMLKit
    leak:PluralRuleV7english
    """
  return UnsafeRawPointer(libraries.utf8Start).assumingMemoryBound(to: CChar.self)
}

/// Runs libFuzzer. The function is declared in `FuzzerInterface.h`, which is available only in Clang's sources.
@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
  _ tryInput: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt
