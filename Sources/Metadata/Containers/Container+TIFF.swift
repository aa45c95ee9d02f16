import Gallery

// TIFF 6.0, and cameras' raw files.
extension Container {
  mutating func readTIFF(_ file: ImageFile) {
    if BigTIFF.isHead(of: file) {
      size = BigTIFF.size(of: file)
      return
    }
    exif = ExifMetadata(file, at: [0])
    let directories = TIFFReader(file: file, base: 0)?.directories() ?? []
    let isRaw = file.format != .tiff || directories.contains(where: \.isSensorData)
    // In other files, the first image is shown. The others are further pages, or the same image in other sizes.
    readSize(isRaw ? directories : Array(directories.prefix(1)))
  }

  /// Takes the size of the largest image.
  private mutating func readSize(_ directories: [TIFFReader.Directory]) {
    for directory in directories
    where directory.width <= 1 << 20 && directory.height <= 1 << 20
      && directory.width * directory.height > size.width * size.height
    {
      size = (directory.width, directory.height)
    }
  }

  /// Reads a RAF. Its embedded JPEG has the metadata, but another size than the image.
  mutating func readFujifilm(_ file: ImageFile) {
    readJPEG(file, at: file.number(at: 84, count: 4, .bigEndian))
    size = (0, 0)
  }

  /// Reads a CR3, an ISO BMFF file in which a box each holds a TIFF structure for the image, Exif's tags, Canon's
  /// own tags, and the place.
  mutating func readCanon(_ file: ImageFile) {
    let head = file.bytes(at: 0, count: 1 << 20)
    func place(_ name: String) -> Int? { head.firstRange(of: Array(name.utf8))?.upperBound }
    exif = ExifMetadata(
      file, at: ["CMT1", "CMT2"].compactMap(place), placeAt: place("CMT4"), noteAt: place("CMT3"))
    readSize(place("CMT1").flatMap { TIFFReader(file: file, base: $0) }?.directories() ?? [])
  }

  /// Reads a CRW, which has records instead of Exif.
  mutating func readCanonHeap(_ file: ImageFile) {
    guard let heap = CanonHeap(file) else { return }
    size = heap.size
    ownMetadata = heap.metadata
    formatOrientation = ImageOrientation(rawValue: heap.orientation)
  }

  /// Reads an MRW, in which a block holds Exif.
  mutating func readMinolta(_ file: ImageFile) {
    let blocks = MinoltaBlocks(file)
    size = blocks.size
    exif = blocks.tiff.map { ExifMetadata(file, at: [$0]) }
  }

  /// Reads an X3F. The embedded JPEG has Exif, except in the files of the first cameras.
  mutating func readSigma(_ file: ImageFile) {
    let sections = SigmaSections(file)
    if let jpeg = sections.jpeg { readJPEG(file, at: jpeg.offset) }
    size = sections.size
    isCutOff = false
    formatOrientation = ImageOrientation(rawValue: sections.orientation)
  }
}
