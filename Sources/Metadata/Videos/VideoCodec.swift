/// The names by which people know the formats of a video's frames.
enum VideoCodec {
  /// Returns the name of a format that four characters denote, as in QuickTime and AVI, or these characters.
  static func name(_ code: ArraySlice<UInt8>) -> String? {
    guard let code = MetadataText.decode(code) else { return nil }
    return names[code.lowercased()] ?? code
  }

  /// Returns the name of a format by its identifier in Matroska (RFC 9559, "Codec ID"), or the identifier.
  ///
  /// - Parameter header: Returns the data of the format, which have the four characters of a format of Windows.
  static func name(matroska identifier: String, header: () -> ArraySlice<UInt8>) -> String? {
    if identifier == "V_MS/VFW/FOURCC" { return name(header().dropFirst(16).prefix(4)) }
    let words = identifier.hasPrefix("V_") ? identifier.dropFirst(2) : identifier[...]
    return identifiers.first { words.hasPrefix($0.0) }?.1 ?? MetadataText.trim(words)
  }

  private static let identifiers = [
    ("MPEG4/ISO/AVC", "H.264"), ("MPEGH/ISO/HEVC", "HEVC"), ("MPEGI/ISO/VVC", "VVC"), ("MPEG4", "MPEG-4"),
    ("MPEG1", "MPEG-1"), ("MPEG2", "MPEG-2"), ("PRORES", "ProRes"), ("THEORA", "Theora"),
  ]

  private static let names: [String: String] = {
    let codes = [
      ("H.264", ["avc1", "avc2", "avc3", "avc4", "h264", "x264"]),
      ("HEVC", ["hvc1", "hvc2", "hev1", "hev2", "dvh1", "dvhe", "h265", "hevc"]), ("VVC", ["vvc1", "vvi1"]),
      ("AV1", ["av01", "dav1"]), ("VP8", ["vp08", "vp80"]), ("VP9", ["vp09", "vp90"]),
      ("ProRes", ["apch", "apcn", "apcs", "apco", "ap4h", "ap4x"]), ("ProRes RAW", ["aprn", "aprh"]),
      ("MJPEG", ["jpeg", "mjpa", "mjpb", "mjpg"]), ("MPEG-4", ["mp4v", "xvid", "divx", "dx50", "fmp4"]),
      ("H.263", ["h263", "s263"]), ("MPEG-1", ["mp1v", "mpg1"]), ("MPEG-2", ["mp2v", "mpg2", "m2v1"]),
      ("DNxHD", ["avdn", "avdh"]), ("CineForm", ["cfhd"]), ("Cinepak", ["cvid"]), ("Sorenson", ["svq1", "svq3"]),
      ("DV", ["dvc", "dvcp", "dvpp", "dv5n", "dv5p", "dvh5", "dvh6"]),
    ]
    return Dictionary(uniqueKeysWithValues: codes.flatMap { name, codes in codes.map { ($0, name) } })
  }()
}
