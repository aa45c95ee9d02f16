import Foundation
import Harness
import Torture

/// Figures of a running process, read from the kernel (proc(5)).
struct ProcessFigures: CustomStringConvertible {
  /// The private memory that the process has written to, in kB.
  var memory: Int
  /// The open files: paths, and the kinds of others.
  var files: [String]
  var threads: Int

  var descriptors: Int { files.count }

  init(of process: Int32) throws {
    let memory = try Self.values(in: "/proc/\(process)/smaps_rollup")
    self.memory = (memory["Private_Dirty"] ?? 0) + (memory["Swap"] ?? 0)
    let folder = "/proc/\(process)/fd"
    files = try FileManager.default.contentsOfDirectory(atPath: folder).map {
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")) ?? "?"
    }
    threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task").count
  }

  /// The time after which a worker ends that might have been needed again, and a little more.
  private static let longestPause = Duration.seconds(12)

  /// Returns the figures when the same number of files has been open, and of threads been there, for as long as a worker is kept that is
  /// not needed.
  static func settled(of process: Int32, in folder: URL) throws -> ProcessFigures {
    var figures = try ProcessFigures(of: process)
    var start = ContinuousClock.now
    try? waitForFiles(in: folder, "the figures", timeout: .seconds(120)) {
      let new = try ProcessFigures(of: process)
      if (new.descriptors, new.threads) != (figures.descriptors, figures.threads) { start = .now }
      figures = new
      return ContinuousClock.now - start > longestPause
    }
    return figures
  }

  var description: String { "\(memory) kB, \(descriptors) descriptors, \(threads) threads" }

  /// Returns the number of context switches of each thread of these processes, without threads that end meanwhile.
  static func switches(of processes: [Int32]) -> [String: Int] {
    var switches: [String: Int] = [:]
    for process in processes {
      for thread in (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? [] {
        guard let values = try? values(in: "/proc/\(process)/task/\(thread)/status") else { continue }
        switches[thread] = (values["voluntary_ctxt_switches"] ?? 0) + (values["nonvoluntary_ctxt_switches"] ?? 0)
      }
    }
    return switches
  }

  /// Returns the numbers by name from a file with lines such as `Swap: 0 kB`.
  private static func values(in path: String) throws -> [String: Int] {
    let lines = try String(contentsOf: URL(filePath: path), encoding: .utf8).split(separator: "\n")
    var values: [String: Int] = [:]
    for line in lines {
      let parts = line.split(whereSeparator: { $0 == ":" || $0.isWhitespace })
      if parts.count > 1, let value = Int(parts[1]) { values[String(parts[0])] = value }
    }
    return values
  }
}

extension TerminalSession {
  /// Waits until no thread of the program or of its workers has run for a while.
  ///
  /// Only time that passes can show that nothing happens, so this wait is the only one of the tests that is expected to
  /// time out. On a busy machine the images of a folder can take half a minute, so there are as many tries as fit into
  /// the timeout of any other wait. The metadata of thousands of photos takes longer.
  ///
  /// - Parameter leader: The leader of the program's session, if it has its own.
  /// - Returns: The activity in each window, or nil if a window was quiet.
  func idleFault(
    of leader: Int32? = nil, for window: Duration = .seconds(2.5), tries: Int = Torture.rounds(24, long: 240)
  ) async throws -> String? {
    var switches: [String: Int] {
      ProcessFigures.switches(of: leader.map { SessionMembers.find(leader: $0) } ?? sessionProcessIDs)
    }
    var faults: [String] = []
    for _ in 0..<tries {
      let before = switches
      let count = output.count
      do {
        try await waitForOutput("a program that does something", timeout: window) { $0.count != count }
        faults.append("something was drawn")
        continue
      } catch let error as HarnessError where error.kind == .timedOut {}
      let after = switches
      if before == after, !after.isEmpty { return nil }
      let woken = after.filter { before[$0.key] != $0.value }
      faults.append(
        "\(woken.count) threads ran: \(woken.map { "\($0.key) \($0.value - (before[$0.key] ?? 0)) times" })")
    }
    return faults.joined(separator: "; ")
  }
}
