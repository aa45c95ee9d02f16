/// The fragments of a movie whose frames are not listed in its head (ISO/IEC 14496-12, 8.8 and 8.16).
struct QuickTimeFragments {
  /// The frames of a track, whose duration is in the track's units.
  private struct Frames {
    var count = 0.0
    var duration = 0.0
  }

  private var frames: [Int: Frames] = [:]
  /// The seconds that the index of segments gives each track.
  private var indexed: [Int: Double] = [:]
  /// The duration of a frame unless the fragment gives another one, by track.
  private var usual: [Int: Double] = [:]
  /// The track of the current fragment, and the duration of its frames unless they are listed.
  private var current = (track: 0, usual: 0.0)

  /// The most bytes of a list of frames that are read, and the most tracks.
  private static let (longestList, mostTracks) = (1 << 16, 100)

  mutating func read(_ box: Box<Range<Int>>, of file: ImageFile) {
    guard ["trex", "tfhd", "trun", "sidx"].contains(box.type), frames.count + indexed.count < Self.mostTracks else {
      return
    }
    var reader = ByteReader(file.bytes(at: box.content.lowerBound, count: min(box.content.count, Self.longestList)))
    guard let (version, flags) = reader.version() else { return }
    switch box.type {
    case "trex":
      guard let track = reader.number(4), usual.count < Self.mostTracks else { return }
      reader.skip(4)
      usual[track] = Double(reader.number(4) ?? 0)
    case "tfhd":
      let track = reader.number(4) ?? 0
      reader.skip((flags & 1 == 0 ? 0 : 8) + (flags & 2 == 0 ? 0 : 4))
      let own = flags & 8 == 0 ? nil : reader.number(4).map(Double.init)
      current = (track, own ?? usual[track] ?? 0)
    case "trun": readFrames(&reader, flags: flags)
    default: readIndex(&reader, version: version)
    }
  }

  private mutating func readFrames(_ reader: inout ByteReader, flags: Int) {
    guard let count = reader.number(4) else { return }
    reader.skip((flags & 1 == 0 ? 0 : 4) + (flags & 4 == 0 ? 0 : 4))
    var sum = Frames(count: Double(count), duration: Double(count) * current.usual)
    if flags & 0x100 != 0 {
      sum = Frames()
      // Each frame may have a size, flags, and an offset, too.
      let others = 4 * [0x200, 0x400, 0x800].filter { flags & $0 != 0 }.count
      while sum.count < Double(count), let duration = reader.number(4) {
        sum.count += 1
        sum.duration += Double(duration)
        reader.skip(others)
      }
    }
    frames[current.track, default: Frames()].count += sum.count
    frames[current.track, default: Frames()].duration += sum.duration
  }

  /// Adds the durations of the segments that an index gives, apart from those that another index gives in parts.
  private mutating func readIndex(_ reader: inout ByteReader, version: Int) {
    guard let track = reader.number(4), let scale = reader.number(4), scale > 0 else { return }
    reader.skip((version == 0 ? 8 : 16) + 2)
    let count = reader.number(2) ?? 0
    var units = 0
    for _ in 0..<count {
      guard let reference = reader.number(4), let duration = reader.number(4) else { break }
      if reference >> 31 == 0 { units += duration }
      reader.skip(4)
    }
    indexed[track, default: 0] += Double(units) / Double(scale)
  }

  /// Returns the seconds of a track's frames, or 0 if it has no fragments.
  func duration(of track: QuickTimeTrack) -> Double {
    let listed = (frames[track.number]?.duration ?? 0) + (track.duration?.units ?? 0)
    guard let scale = track.duration?.scale, frames[track.number] != nil else { return indexed[track.number] ?? 0 }
    return max(listed / scale, indexed[track.number] ?? 0)
  }

  /// Returns the average number of frames in a second.
  func frameRate(of track: QuickTimeTrack) -> Double? {
    guard let frames = frames[track.number], let scale = track.duration?.scale, frames.duration > 0 else { return nil }
    return frames.count * scale / frames.duration
  }
}
