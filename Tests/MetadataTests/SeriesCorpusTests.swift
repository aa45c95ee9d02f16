import Gallery
import Metadata
import TestLimit
import Testing

/// Compares exposure biases and series with the tags that exiftool reads from photos of many cameras.
@Suite(.timeLimit(.minutes(5)), .limited) struct SeriesCorpusTests {
  /// Words in the values of tags, and what they mean. The first line that fits counts.
  private static let words: [(tag: String, word: String, kind: PhotoSeries)] = [
    ("Canon:BracketMode", "AEB", .exposureBracket), ("Canon:BracketMode", "FEB", .otherBracket),
    ("Canon:BracketMode", "ISO", .otherBracket), ("Canon:BracketMode", "WB", .otherBracket),
    ("Canon:WBBracketMode", "On", .otherBracket), ("Canon:FocusBracketing", "Enable", .focusSeries),
    ("Canon:PanoramaDirection", "", .panorama), ("Nikon:ShootingMode", "White-Balance Bracketing", .otherBracket),
    ("Nikon:ShootingMode", "D-Lighting Bracketing", .otherBracket),
    ("Nikon:ShootingMode", "Exposure Bracketing", .exposureBracket),
    ("Sony:ReleaseMode", "Exposure Bracketing", .exposureBracket), ("Sony:ReleaseMode", "Bracketing", .otherBracket),
    ("Panasonic:BurstMode", "Auto Exposure", .exposureBracket), ("Panasonic:BurstMode", "Focus", .focusSeries),
    ("Panasonic:BurstMode", "Bracketing", .otherBracket), ("Panasonic:TimerRecording", "Focus", .focusSeries),
    ("Panasonic:ShootingMode", "Panorama Assist", .panorama), ("Olympus:PanoramaMode", "Shot", .panorama),
    ("Olympus:SpecialMode", "Panorama, Sequence", .panorama), ("Olympus:DriveMode", "AE", .exposureBracket),
    ("Olympus:DriveMode", "Exposure", .exposureBracket), ("Olympus:DriveMode", "Focus", .focusSeries),
    ("Olympus:DriveMode", "Bracketing", .otherBracket), ("Canon:ContinuousDrive", "Continuous", .burst),
    ("Nikon:ShootingMode", "Continuous", .burst), ("Sony:ReleaseMode", "Continuous", .burst),
    ("Panasonic:BurstMode", "On", .burst), ("Panasonic:BurstMode", "Unlimited", .burst),
    ("Olympus:DriveMode", "Continuous", .burst), ("Olympus:DriveMode", "Sequential", .burst),
    ("Olympus:DriveMode", "ProCap", .burst), ("Olympus:SpecialMode", "Fast", .burst), ("Apple:BurstUUID", "", .burst),
    ("Pentax:DriveMode", "Continuous;", .burst), ("Pentax:DriveMode", "Continuous (", .burst),
    ("Pentax:DriveMode", "Burst", .burst),
  ]
  private static let (mode, bias, xmpBias) = (
    "ExifIFD:ExposureMode", "ExifIFD:ExposureCompensation", "XMP-exif:ExposureCompensation"
  )
  private static let fujifilm = ["FujiFilm:AutoBracketing", "FujiFilm:SequenceNumber", "FujiFilm:DriveMode"]

  @Test(.enabled(if: Exiftool.canCompare, "SKIPPED: no test corpora, or no exiftool"))
  func eachSeriesIsOneThatExiftoolFinds() throws {
    let tags = Set(Self.words.map(\.tag)).sorted() + Self.fujifilm + [Self.mode]
    let numbers = [Self.bias, Self.xmpBias].map { "-\($0)#" }
    let photos = try Exiftool.photos(["-G1"] + numbers + tags.map { "-\($0)" })
    #expect(photos.count >= 10)
    var (count, biased, kinds) = (0, 0, [PhotoSeries: Int]())
    for photo in photos where photo.count > 1 {
      let path = photo["SourceFile"]?.text ?? ""
      guard case .success(let metadata) = MetadataReader().metadata(of: FoundPhoto(path: FilePath(path))) else {
        continue
      }
      #expect(metadata.series == kind(photo), "\(path): \(photo.mapValues(\.text))")
      let known = [Self.bias, Self.xmpBias].lazy.compactMap { photo[$0]?.numbers.first }.first
      let expected = known.flatMap { PhotoMetadata.exposureBiases.contains($0) ? $0 : nil }
      #expect(
        (metadata.exposureBias == nil) == (expected == nil)
          && abs((metadata.exposureBias ?? 0) - (expected ?? 0)) < 1e-5,
        "\(path): \(photo.mapValues(\.text))")
      count += 1
      if expected.map({ $0 != 0 }) ?? false { biased += 1 }
      if let kind = metadata.series { kinds[kind, default: 0] += 1 }
    }
    print("\(count) of \(photos.count) photos were compared: \(biased) with a bias, and series \(kinds).")
  }

  private func kind(_ photo: [String: Exiftool.Value]) -> PhotoSeries? {
    let noted = Self.words.first { tag, word, _ in photo[tag].map { word.isEmpty || $0.text.contains(word) } ?? false }
    func text(_ index: Int) -> String { photo[Self.fujifilm[index]]?.text ?? "" }
    let isFujifilmBurst = ["", "Off"].contains(text(0)) && ((Double(text(1)) ?? 0) > 0 || text(2).hasPrefix("Cont"))
    let kind = noted?.kind ?? (isFujifilmBurst ? .burst : nil)
    return photo[Self.mode]?.text == "Auto bracket" && (kind == nil || kind == .burst) ? .exposureBracket : kind
  }
}
