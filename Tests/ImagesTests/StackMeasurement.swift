import Foundation
import Gallery
import TestLimit
import Testing

@testable import tintype_pictures

/// A measurement of ranking by sharpness, with stacks of shots that `tools/stacks.py` has made of photos:
/// `TINTYPE_STACKS=FOLDER swift test --filter StackMeasurement`
@Suite(.enabled(if: ProcessInfo.processInfo.environment["TINTYPE_STACKS"] != nil), .limited) struct StackMeasurement {
  private struct Shot {
    let stack: String
    let kind: String
    let file: String
    let blur: String
    let strength: String
    let truth: Double
    let focus: (x: Int, y: Int)?
    let noise: String

    init?(_ line: Substring) {
      let parts = line.split(separator: "\t").map(String.init)
      guard parts.count == 8, let truth = Double(parts[5]) else { return nil }
      (stack, kind, file, blur, strength, self.truth, noise) =
        (parts[0], parts[1], parts[2], parts[3], parts[4], truth, parts[7])
      let place = parts[6].split(separator: ",").compactMap { Int($0) }
      focus = place.count == 2 ? (place[0], place[1]) : nil
    }

    var isBest: Bool { blur == "none" || blur == "best" }
  }

  /// What was measured of a shot.
  private struct Measured {
    let appraisal: ImageAppraisal
    let score: Int
    let laplacian: Double
  }

  /// What the photos are shrunk by when they are decoded: 2 measures a cheaper decode.
  private let divisor = ProcessInfo.processInfo.environment["TINTYPE_SHRUNK"].flatMap(Int.init) ?? 1
  private let folder = ProcessInfo.processInfo.environment["TINTYPE_STACKS"] ?? ""

  @Test func ranking() throws {
    let text = try String(contentsOfFile: "\(folder)/labels.tsv", encoding: .utf8)
    let shots = text.split(separator: "\n").compactMap(Shot.init)
    let stacks = Dictionary(grouping: shots, by: \.stack).sorted { $0.key < $1.key }.map(\.value)
    var reports = [
      Report("tiles with focus"), Report("tiles"), Report("mean of tiles"), Report("score of the whole"),
      Report("variance of the Laplacian"),
    ]
    var (seconds, pixelCount) = (0.0, 0)
    var lines: [String] = []
    for shots in stacks {
      let measured = try shots.map { shot in
        let pixels = try Pixels.photo("\(folder)/\(shot.file)", shrunkBy: divisor)
        let clock = ContinuousClock()
        var tiles: [UInt16] = []
        // Each part is measured alone, on one core.
        seconds += clock.measure { tiles = pixels.sharpnessTiles() } / .seconds(1)
        pixelCount += pixels.size.area
        return Measured(
          appraisal: ImageAppraisal(hash: pixels.perceptualHash(), sharpness: tiles), score: pixels.sharpness(),
          laplacian: pixels.varianceOfLaplacian())
      }
      let appraisals = measured.map(\.appraisal)
      let orders = [
        ImageAppraisal.sharpestFirst(appraisals, focus: shots.map(\.focus)),
        ImageAppraisal.sharpestFirst(appraisals, focus: []),
        Self.order(appraisals.map { Double($0.sharpness.reduce(0) { $0 + Int($1) }) }),
        Self.order(measured.map { Double($0.score) }), Self.order(measured.map(\.laplacian)),
      ]
      for index in reports.indices { reports[index].add(shots, orders[index]) }
      for (shot, measured) in zip(shots, measured) {
        let tiles = measured.appraisal.sharpness.map(String.init).joined(separator: ",")
        lines.append(
          "\(shot.file)\t\(String(measured.appraisal.hash, radix: 16))\t\(measured.score)\t\(tiles)")
      }
    }
    for report in reports { print(report.text) }
    print("tiles: \(seconds / Double(pixelCount) * 24e9) ms for 24 megapixels")
    try lines.joined(separator: "\n").write(toFile: "\(folder)/measured.tsv", atomically: true, encoding: .utf8)
  }

  private static func order(_ values: [Double]) -> [Int] { values.indices.sorted { values[$0] > values[$1] } }

  /// The shares of stacks that one way of ranking got right.
  private struct Report {
    private let name: String
    private var hits: [String: [Bool]] = [:]
    private var correlations: [Double] = []
    private var misses: [String] = []

    init(_ name: String) { self.name = name }

    mutating func add(_ shots: [Shot], _ order: [Int]) {
      let first = shots[order[0]]
      hits[first.kind, default: []].append(first.isBest)
      if !first.isBest {
        let best = shots.first { $0.isBest }?.noise ?? ""
        misses.append("\(first.stack): \(first.blur) \(first.strength), ISO \(first.noise) won over ISO \(best)")
      }
      guard first.focus == nil else { return }
      let truth = StackMeasurement.order(shots.map(\.truth))
      // Spearman's correlation of the places.
      let count = Double(shots.count)
      let squares = shots.indices.reduce(0.0) { sum, shot in
        let difference = Double(order.firstIndex(of: shot) ?? 0) - Double(truth.firstIndex(of: shot) ?? 0)
        return sum + difference * difference
      }
      correlations.append(1 - 6 * squares / (count * (count * count - 1)))
    }

    var text: String {
      let all = hits.values.joined()
      let kinds = hits.sorted { $0.key < $1.key }.map { kind, hits in
        "\(kind) \(hits.count { $0 })/\(hits.count)"
      }
      let correlation = correlations.reduce(0, +) / Double(max(1, correlations.count))
      return "\(name): \(all.count { $0 })/\(all.count), \(kinds.joined(separator: ", ")), "
        + "correlation \(correlation)\n" + misses.map { "  \($0)\n" }.joined()
    }
  }
}

extension Pixels {
  /// The usual measure of sharpness, as a peer: the variance of the Laplacian of the brightness, in every fourth row.
  func varianceOfLaplacian() -> Double {
    var (sum, squares, count) = (0, 0, 0)
    for y in stride(from: 1, to: size.height - 1, by: 4) {
      let (above, below) = (row(y - 1).map(Self.gray), row(y + 1).map(Self.gray))
      let row = row(y).map(Self.gray)
      for x in 1..<row.count - 1 {
        let value = row[x - 1] + row[x + 1] + above[x] + below[x] - 4 * row[x]
        sum += value
        squares += value * value
      }
      count += row.count - 2
    }
    let mean = Double(sum) / Double(count)
    return Double(squares) / Double(count) - mean * mean
  }

  private static func gray(_ word: UInt32) -> Int {
    Int((word & 0xFF) + 2 * (word >> 8 & 0xFF) + (word >> 16 & 0xFF))
  }
}
