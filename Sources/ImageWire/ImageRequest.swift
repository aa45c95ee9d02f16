import Gallery

/// A request to an image worker: a file, and the job to do with its image.
public struct ImageRequest: Hashable, Sendable {
  /// The jobs of a worker.
  public enum Job: Hashable, Sendable {
    /// Renders the image.
    case show(RenditionRequest)
    /// Stores a thumbnail, if there is none. The answer is ``ImageAnswer/Content/noPreview``.
    case thumbnail
    /// Measures the image for an ``ImageAppraisal``.
    case appraise(ImageAppraisal.Detail)
    /// Writes a new file of the image. The answer is ``ImageAnswer/Content/exported(_:)``.
    case export(ExportRequest)
    /// Draws pages of a contact sheet. The file is that of the sheet's pictures. The answer is
    /// ``ImageAnswer/Content/exported(_:)``.
    case drawSheet(SheetRequest)
    /// Lists photos of the archive that the file is. The answer is ``ImageAnswer/Content/listing(_:)``.
    case list(ListingRequest)
  }

  /// The number of the request, from 1 to 2^24 - 1. It comes back with the answer, and is the image's id for terminals that
  /// store images.
  public var number: UInt32
  /// The absolute path of the file. An image from the web has been fetched to it. It may lead through an archive.
  public var path: FilePath
  /// The number of bytes at the end of ``path`` that name an entry of an archive, which the worker's opener finds out; 0 for a
  /// file.
  public var entryCount = 0
  /// The job.
  public var job: Job

  /// Creates a request from its properties.
  public init(number: UInt32, path: FilePath, job: Job) {
    self.number = number
    self.path = path
    self.job = job
  }

  /// The name of the entry of an archive that the path leads to; nil if it leads to a file.
  public var entry: ArraySlice<UInt8>? { entryCount > 0 ? path.bytes.suffix(entryCount) : nil }

  /// The rendition that is wanted; nil if the job is another one.
  public var rendition: RenditionRequest? { if case .show(let rendition) = job { rendition } else { nil } }

  /// The absolute path of the new file that the job writes; nil if it writes none.
  public var destination: FilePath? {
    switch job {
    case .export(let export): export.destination
    case .drawSheet(let sheet): sheet.destination
    case .show, .thumbnail, .appraise, .list: nil
    }
  }

  /// Whether the request comes from a command that ends with its images.
  public var isForCommand: Bool { rendition?.stage.isForCommand ?? false }
}

/// A rendition, and the effort that it is worth.
public struct RenditionRequest: Hashable, Sendable {
  /// The rendition.
  public var specification: RenditionSpecification
  /// The version of the image that is wanted.
  public var stage: RenditionStage
  /// The bytes that the rendition may take; nil for any number.
  public var budget: RenditionBudget?

  /// Creates a request from its properties.
  public init(_ specification: RenditionSpecification, _ stage: RenditionStage, budget: RenditionBudget? = nil) {
    self.specification = specification
    self.stage = stage
    self.budget = budget
  }
}

/// The version of an image that a request asks for.
public enum RenditionStage: UInt8, Hashable, Sendable {
  /// The preview, if the file or the thumbnail cache has one.
  case preview
  /// The image itself. A thumbnail is stored for the next time.
  case full
  /// The preview if it is as sharp as the image itself would be, or else the image as for ``full``.
  case ahead
  /// The image itself. Nothing is stored.
  case once
  /// The preview if it is as sharp as the image itself would be, or else the image as for ``once``.
  case glance

  /// Whether the request comes from a command that ends with its images: they have all processors, and nothing is stored.
  public var isForCommand: Bool { self == .once || self == .glance }
}

/// The bytes that a rendition may take on a slow line to the terminal.
public struct RenditionBudget: Hashable, Sendable {
  /// The most bytes. A rendition that would take more is coarser. If the coarsest one takes more, it is the answer.
  public var bytes: Int
  /// The most bytes of a rendition from which nothing is left out.
  public var exactBytes: Int
  /// The throughput of the line in bytes per second; 0 if it is not known.
  public var throughput: Int

  /// Creates a budget from its properties.
  /// - Parameter exactBytes: nil for as many bytes as other renditions may take.
  public init(bytes: Int, exactBytes: Int? = nil, throughput: Int = 0) {
    self.bytes = bytes
    self.exactBytes = exactBytes ?? bytes
    self.throughput = throughput
  }
}

extension ImageRequest: WireMessage {
  public func encode(to bytes: inout [UInt8]) {
    bytes.put(number)
    bytes.put(path.bytes)
    bytes.put(entryCount)
    switch job {
    case .show(let rendition):
      bytes.append(0)
      rendition.encode(to: &bytes)
    case .thumbnail: bytes.append(1)
    case .appraise(let detail):
      bytes.append(2)
      bytes.append(detail.rawValue)
    case .export(let export):
      bytes.append(3)
      export.encode(to: &bytes)
    case .drawSheet(let sheet):
      bytes.append(4)
      sheet.encode(to: &bytes)
    case .list(let listing):
      bytes.append(5)
      listing.encode(to: &bytes)
    }
  }

  public init(from reader: inout WireReader) throws(WireError) {
    number = try reader.uint32()
    path = FilePath(try reader.blob())
    entryCount = try reader.int(in: 0...path.bytes.count)
    switch try reader.uint8() {
    case 0: job = .show(try RenditionRequest(of: .file(path), from: &reader))
    case 1: job = .thumbnail
    case 2: job = .appraise(try reader.value())
    case 3: job = .export(try ExportRequest(from: &reader))
    case 4: job = .drawSheet(try SheetRequest(from: &reader))
    case 5: job = .list(try ListingRequest(from: &reader))
    default: throw .malformed
    }
  }
}

extension RenditionRequest {
  fileprivate func encode(to bytes: inout [UInt8]) {
    specification.encode(to: &bytes)
    bytes.append(stage.rawValue)
    bytes.put(budget != nil)
    if let budget { for value in [budget.bytes, budget.exactBytes, budget.throughput] { bytes.put(value) } }
  }

  fileprivate init(of image: ImageLocation, from reader: inout WireReader) throws(WireError) {
    specification = try RenditionSpecification(of: image, from: &reader)
    stage = try reader.value()
    budget =
      try reader.flag()
      ? RenditionBudget(bytes: reader.int(), exactBytes: reader.int(), throughput: reader.int()) : nil
  }
}
