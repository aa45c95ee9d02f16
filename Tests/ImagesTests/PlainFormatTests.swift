import Foundation
import Gallery
import ImageWire
import TestLimit
import TestPhotos
import Testing

@testable import Images

/// The formats that our own code decodes, and those of light that has no limit.
@MainActor
@Suite(.serialized, .timeLimit(.minutes(10)), .limited) final class PlainFormatTests {
  private let folder: ImageFolder

  init() throws { folder = try ImageFolder() }

  @Test(arguments: PlainImages.all) func theImageIsDecoded(sample: PlainImages.Sample) async throws {
    let image = try await folder.image(sample.bytes)
    #expect(image.rows == sample.rows, "\(sample.name)")
    #expect(!image.info.isIncomplete, "\(sample.name)")
  }

  @Test func theListHasTheSizesOfImages() async throws {
    let workers = MetadataWorkers(workerPath: ImageLoaderTests.readerPath, workerCount: 1)
    let light: PlainImages.Sample = ("EXR", PlainImages.openEXR(2, 1, light: [1, 1]), [[0, 0]])
    for sample in PlainImages.all + [light] {
      let path = try folder.write(sample.bytes, as: "listed")
      let metadata = try await workers.metadata(of: [FoundPhoto(path: path)])[0].get().metadata
      #expect(metadata.width == sample.rows[0].count && metadata.height == sample.rows.count, "\(sample.name)")
    }
  }

  /// Wherever a file ends, what there is of it is shown, or there is a reason. No worker dies.
  @Test(arguments: PlainImages.all) func anIncompleteFileHarmsNothing(sample: PlainImages.Sample) async throws {
    for length in stride(from: 1, to: sample.bytes.count, by: max(1, sample.bytes.count / 20)) {
      await check(try folder.write(sample.bytes.prefix(length), as: "cut"), "\(sample.name), \(length)")
    }
  }

  @Test(arguments: PlainImages.all) func aDamagedFileHarmsNothing(sample: PlainImages.Sample) async throws {
    for place in stride(from: 0, to: sample.bytes.count, by: max(1, sample.bytes.count / 30)) {
      for value: UInt8 in [0, 0xFF] {
        var bytes = sample.bytes
        bytes[place] = value
        await check(try folder.write(bytes, as: "damaged"), "\(sample.name), \(place)")
      }
    }
  }

  private func check(_ path: FilePath, _ comment: String) async {
    // A busy machine may delay any one answer; a file that takes too long delays each.
    for _ in 1...3 {
      guard case .failure(let fault) = await folder.answer(path).content else { return }
      #expect(fault != .crashed, "\(comment)")
      if fault != .timedOut, fault != .unresponsive { return }
    }
    Issue.record("\(comment): no answer in time")
  }

  @Test func aCodingThatIsNotSupportedIsNamed() async throws {
    for (number, name) in [(95, "BC6H"), (98, "BC7"), (3, "DXGI_FORMAT 3")] {
      let path = try folder.write(PlainImages.surface("DX10", number: number, data: [1, 2, 3, 4]))
      #expect(await folder.answer(path).content == ImageAnswer.Content.failure(.damaged(.coding(name))))
    }
  }

  @Test func theMissingRestOfAnImageIsBlack() async throws {
    let whole = try #require(PlainImages.all.first { $0.name == "TGA, from the top" })
    let image = try await folder.image(whole.bytes.dropLast(6))
    let expected: [[Int]] = [whole.rows[0], [0, 0]]
    #expect(image.rows == expected)
    #expect(image.info.isIncomplete)
  }

  // MARK: - Light

  /// The tones of light in an OpenEXR and in a Radiance HDR.
  private func tones(_ light: [Float]) async throws -> [[Int]] {
    let open = try await folder.image(PlainImages.openEXR(light.count, 1, light: light)).rows[0]
    let pixels = light.flatMap { light -> [UInt8] in
      let exponent = light == 0 ? 0 : Int(light.exponent) + 1
      let value = UInt8(light * Float(sign: .plus, exponent: 8 - exponent, significand: 1))
      return [value, value, value, UInt8(exponent + 128)]
    }
    let head = "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X \(light.count)\n"
    let radiance = try await folder.image(Array(head.utf8) + pixels).rows[0]
    return [open.map { $0 & 255 }, radiance.map { $0 & 255 }]
  }

  @Test func lightBeyondWhiteHasTonesOfItsOwn() async throws {
    for tones in try await tones([0, 0.25, 1, 2, 100]) {
      #expect(tones[0] < 16 && tones.last == 255, "\(tones)")
      #expect(zip(tones, tones.dropFirst()).allSatisfy { $0 < $1 }, "\(tones)")
      // The tones of a photo are near those of a file without highlights: 0.25 is 137.
      #expect(abs(tones[1] - 137) < 8, "\(tones)")
      #expect((220...240).contains(tones[2]), "\(tones)")
    }
  }

  @Test func anOpenEXRThatIsDamagedHarmsNothing() async throws {
    let whole = PlainImages.openEXR(3, 3, light: Array(repeating: 0.5, count: 9))
    for length in stride(from: 4, to: whole.count, by: 7) {
      await check(try folder.write(whole.prefix(length), as: "cut"), "\(length)")
    }
    for place in stride(from: 4, to: whole.count, by: 3) {
      var bytes = whole
      bytes[place] = place % 2 == 0 ? 0x7F : 0xFF
      await check(try folder.write(bytes, as: "damaged"), "\(place)")
    }
  }
}
