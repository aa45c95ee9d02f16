import Gallery

// PNG (W3C, third edition): Exif in its own chunk, profiles in text chunks, and the frames of an animation.
extension Container {
  mutating func readPNG(_ file: ImageFile) {
    size = (file.number(at: 16, count: 4, .bigEndian), file.number(at: 20, count: 4, .bigEndian))
    var hasExifChunk = false
    var offset = 8
    for _ in 0..<Self.mostParts {
      let count = file.number(at: offset, count: 4, .bigEndian)
      let type = file.typeName(at: offset + 4)
      switch type {
      case "eXIf":
        exif = ExifMetadata(file, at: [offset + 8])
        hasExifChunk = true
      // The frame of an animation, whose delay is a fraction of a second.
      case "fcTL":
        let delay = [28, 30].map { Double(file.number(at: offset + $0, count: 2, .bigEndian)) }
        frames.add(seconds: delay[0] / (delay[1] == 0 ? 100 : delay[1]))
      case "tEXt", "zTXt", "iTXt":
        guard count <= PNGText.longest else { break }
        let data = file.bytes(at: offset + 8, count: count)
        if let text = PNGText(type: type, data: data) { read(text, hasExifChunk: hasExifChunk) }
      case "IEND": return
      case "":
        isCutOff = true
        return
      default: break
      }
      offset += 12 + count
    }
  }

  /// Takes the metadata of a text chunk. Exif in one is ignored if the file has a chunk of Exif.
  private mutating func read(_ text: PNGText, hasExifChunk: Bool) {
    if text.keyword == "XML:com.adobe.xmp" { xmp = text.content.prefix(Self.longestPacket) }
    if let generation = GenerationText(text) {
      var texts = ownTexts ?? PhotoMetadata()
      texts.prompt = generation.prompt ?? texts.prompt
      texts.generation = generation.settings ?? texts.generation
      ownTexts = texts
    }
    guard let profile = text.rawProfile else { return }
    switch profile.name {
    case "exif", "app1":
      if profile.bytes.starts(with: Self.xmpMark) {
        xmp = profile.bytes.dropFirst(Self.xmpMark.count)
      } else if !hasExifChunk {
        // Most programs copy the mark that Exif has in a JPEG.
        let start = profile.bytes.starts(with: Self.exifMark) ? Self.exifMark.count : 0
        exif = ExifMetadata(UnpackedBytes(content: profile.bytes), at: [start])
      }
    case "xmp": xmp = profile.bytes[...]
    case "iptc", "8bim":
      let start = profile.bytes.starts(with: Self.photoshopMark) ? Self.photoshopMark.count : 0
      let isResource = profile.bytes[start...].starts(with: Array("8BIM".utf8))
      iptc = isResource ? IPTCMetadata(photoshop: profile.bytes[start...]) : IPTCMetadata(profile.bytes[...])
    default: break
    }
  }
}
