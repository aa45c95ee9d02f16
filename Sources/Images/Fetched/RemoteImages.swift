import Foundation
import Gallery
import ImageWire
import Store
import WorkerPool

/// The images on other machines that the current frame wants, each as a file of the size in which it is shown.
///
/// An image comes in versions, as a rendition over a slow line does: first a preview, then the scans of a progressive JPEG, and for
/// a part at its actual size the exact pixels at last. Each version is a file, which a worker of this machine decodes. The last one
/// stays for the next session, in which the other machine is only asked whether its photo has changed.
@MainActor
final class RemoteImages {
  /// A version of an image.
  struct Version {
    /// The number of the version; later ones are better.
    let number: Int
    /// The path of its file, or the reason why there is none.
    let file: Result<FilePath, ImageFault>
    let width: Int
    let height: Int
    /// The properties of the image itself.
    let info: ImageInfo
    /// Whether no better version follows.
    let isFinal: Bool
  }

  /// The versions that are fetched, coarsest first.
  private enum Grade: Int, CaseIterable {
    case preview, full, exact
  }

  private struct Entry {
    var version: Version?
    /// The number of the version that a worker was given last.
    var shown = 0
    /// The fetches that are under way, by their grades.
    var fetches: [Grade: (id: UInt32, number: UInt32)] = [:]
    var done: Set<Grade> = []
    var isAhead = true
    /// The number of scans in the last version of the grade that is under way.
    var scans = 0
    /// Whether the file of an earlier session has been looked for.
    var isLookedUp = false
    /// The modification time of the photo from which a version of an earlier session is, or 0.
    var knownAt = 0
    /// Whether the best version is here, but the photo may have changed since.
    var isStale = false
    /// Whether the photo may have changed since the fetch began that is under way.
    var isOvertaken = false
    /// Whether a file is being written. Only the latest bytes are written after it.
    var isWriting = false
    var next: (grade: Grade, answer: ImageAnswer, isWhole: Bool)?

    /// Whether there is nothing to fetch.
    var isBest: Bool { version?.isFinal == true && !isStale }
  }

  /// Called when there is a new version of an image, or when its state has changed.
  var onChange: (RenditionSpecification) -> Void = { _ in }

  private var fetchers: [String: any RemoteImageFetcher] = [:]
  private var entries: [RenditionSpecification: Entry] = [:]
  private let files: RemoteImageFiles?
  /// The images that the last frame wanted.
  private var wanted: [(specification: RenditionSpecification, isAhead: Bool)] = []
  private var lastVersion = 0
  private var lastNumber: UInt32 = 0

  /// The number of scans that show more than a preview.
  private static let scansOfPreview = 3
  /// The longer side in pixels of a box for which one grade is enough.
  private static let smallSide = 420
  /// The most images that are fetched at once. They share the line.
  private static let atOnce = 16
  /// The most images whose state is kept.
  private static let mostEntries = 3000
  /// The qualities of previews and of images as JPEGs, each with the bytes in a second from which a line gets it.
  private static let previewQualities = [(0, 40), (50_000, 70)]
  private static let fullQualities = [(0, 85), (4_000_000, 93)]

  init(folder: CacheFolder?) { files = folder.map { RemoteImageFiles(folder: $0) } }

  /// Adds the machine whose images are fetched through a connection.
  func add(_ fetcher: any RemoteImageFetcher, for machine: String) { fetchers[machine] = fetcher }

  /// Whether the images of another machine may be connected again.
  func isConnected(_ image: ImageLocation) -> Bool {
    image.file?.remote.flatMap { fetchers[$0.machine]?.isConnected } ?? false
  }

  /// The best version of an image that has come, or nil.
  func version(of specification: RenditionSpecification) -> Version? { entries[specification]?.version }

  /// Whether there is a version that no worker has been given.
  func hasNews(of specification: RenditionSpecification) -> Bool {
    guard let entry = entries[specification], let version = entry.version else { return false }
    return version.number > entry.shown
  }

  /// Takes note that a worker gets the latest version, and returns it.
  func take(_ specification: RenditionSpecification) -> Version? {
    guard let version = entries[specification]?.version else { return nil }
    entries[specification]?.shown = version.number
    return version
  }

  /// Whether the version that is shown is the best one that there will be.
  func isFinal(_ specification: RenditionSpecification) -> Bool {
    entries[specification].map { $0.isBest && $0.shown == $0.version?.number } ?? false
  }

  /// Fetches images, and stops fetching all others.
  ///
  /// - Parameter wanted: What is missing, in the order in which it is needed, with whether it is not in view yet.
  func want(_ wanted: [(specification: RenditionSpecification, isAhead: Bool)]) {
    self.wanted = wanted
    let specifications = Set(wanted.map(\.specification))
    for (specification, entry) in entries where !entry.fetches.isEmpty && !specifications.contains(specification) {
      stop(specification)
    }
    if entries.count > Self.mostEntries { entries = entries.filter { specifications.contains($0.key) } }
    var count = entries.values.count { !$0.fetches.isEmpty }
    // The line and the workers of the other machine are those of the images in view first.
    var isBusy = false
    for (specification, isAhead) in wanted {
      if isAhead, isBusy { break }
      var entry = entries[specification] ?? Entry()
      let wasAhead = entry.isAhead
      entry.isAhead = isAhead
      entries[specification] = entry
      if entry.isBest { continue }
      guard entry.isLookedUp else {
        lookUp(specification)
        isBusy = isBusy || !isAhead
        continue
      }
      // What comes into view must not wait behind what is fetched ahead.
      if wasAhead, !isAhead, !entry.fetches.isEmpty, entry.scans == 0, entry.version == nil { stop(specification) }
      guard count < Self.atOnce || entries[specification]?.fetches.isEmpty == false else { continue }
      if entries[specification]?.fetches.isEmpty == true { count += 1 }
      for grade in grades(of: specification) { start(grade, specification, isAhead: isAhead) }
      isBusy = isBusy || !isAhead && entries[specification]?.fetches.isEmpty == false
    }
  }

  /// Forgets failures, so that they are tried again, and asks for each image that is wanted from now on whether its photo has
  /// changed. Until the answer, an image stays as it is.
  func revalidate() {
    for (specification, entry) in entries {
      if entry.fetches.isEmpty { revalidate(specification) } else { entries[specification]?.isOvertaken = true }
    }
  }

  private func revalidateIfOvertaken(_ specification: RenditionSpecification) {
    guard entries[specification]?.isOvertaken == true else { return }
    entries[specification]?.isOvertaken = false
    revalidate(specification)
  }

  private func revalidate(_ specification: RenditionSpecification) {
    guard let version = entries[specification]?.version, version.isFinal else { return }
    guard case .success = version.file else {
      entries[specification] = nil
      return
    }
    entries[specification]?.isStale = true
    entries[specification]?.knownAt = version.info.modifiedAt
    entries[specification]?.done = []
    entries[specification]?.scans = 0
  }

  // MARK: - Fetching

  private func stop(_ specification: RenditionSpecification) {
    guard let machine = specification.image.file?.remote?.machine else { return }
    for fetch in entries[specification]?.fetches.values ?? [:].values { fetchers[machine]?.stop(fetch.id) }
    entries[specification]?.fetches = [:]
    entries[specification]?.scans = 0
  }

  private func grades(of specification: RenditionSpecification) -> [Grade] {
    guard let entry = entries[specification] else { return [] }
    if isSmall(specification) { return [.full] }
    if !entry.done.contains(.full) {
      if entry.knownAt != 0 { return [.full] }
      // A part of a preview shows nothing, and one that is fetched ahead is needed later.
      return specification.isPart || specification.presentation.frame != 0 || entry.isAhead
        ? [.full] : [.preview, .full]
    }
    return isExactWanted(specification) && !entry.isAhead ? [.exact] : []
  }

  private func isSmall(_ specification: RenditionSpecification) -> Bool {
    let box = specification.boxInPixels
    return max(box.width, box.height) <= Self.smallSide
  }

  /// Whether the image's own pixels are shown, so that none may be lost.
  private func isExactWanted(_ specification: RenditionSpecification) -> Bool {
    if case .zoomed(let scale, _, _) = specification.presentation.view { scale >= 65_536 } else { false }
  }

  private func start(_ grade: Grade, _ specification: RenditionSpecification, isAhead: Bool) {
    guard let entry = entries[specification], entry.fetches[grade] == nil, !entry.done.contains(grade),
      let (machine, path) = specification.image.file?.remote, let fetcher = fetchers[machine]
    else { return }
    var there = specification
    there.image = .file(path)
    let cell = specification.cellInPixels
    let quality =
      switch grade {
      case .preview: Self.quality(of: Self.previewQualities, for: fetcher)
      case .full: Self.quality(of: Self.fullQualities, for: fetcher)
      case .exact: 0
      }
    there.screen = RenditionScreen(
      format: .transfer(quality: quality), cellWidth: cell.width, cellHeight: cell.height,
      background: specification.screen.background)
    // A thumbnail is as good as the image where that is small.
    let stage: RenditionStage = grade == .preview ? .preview : isSmall(specification) ? .ahead : .full
    lastNumber = lastNumber % 0xFF_FFFF + 1
    let number = lastNumber
    let request = ImageRequest(number: number, path: path, job: .show(RenditionRequest(there, stage)))
    let fetch = fetcher.fetch(request, isAhead: isAhead, knownAt: entry.knownAt) { [weak self] news in
      DispatchQueue.main.async { MainActor.assumeIsolated { self?.receive(news, of: number, grade, specification) } }
    }
    if let fetch { entries[specification]?.fetches[grade] = (fetch, number) }
  }

  private static func quality(of qualities: [(bytes: Int, quality: Int)], for fetcher: any RemoteImageFetcher) -> Int {
    qualities.last { $0.bytes <= fetcher.throughput }?.quality ?? qualities[0].quality
  }

  private func receive(
    _ news: (answer: ImageAnswer, isWhole: Bool)?, of number: UInt32, _ grade: Grade,
    _ specification: RenditionSpecification
  ) {
    // The answer to a fetch that was stopped may come still.
    guard let entry = entries[specification], entry.fetches[grade]?.number == number else { return }
    guard let news else {
      // The connection is broken. What is shown stays, and the next frame asks again.
      entries[specification]?.fetches[grade] = nil
      onChange(specification)
      return
    }
    if news.isWhole {
      entries[specification]?.fetches[grade] = nil
      entries[specification]?.done.insert(grade)
    }
    // What is fetched ahead may have waited for this.
    defer { if news.isWhole { want(wanted) } }
    switch news.answer.content {
    case .transfer(let image):
      // A version that is better has come already.
      if grade == .preview, entry.done.contains(.full) || entry.scans > 0 { return }
      if !news.isWhole {
        let scans = image.finishedScans
        // The first scans show less than a preview does.
        let least = entry.version == nil ? 1 : Self.scansOfPreview
        guard grade == .full, scans > entry.scans, scans >= least else { return }
        entries[specification]?.scans = scans
      }
      write(grade, news.answer, isWhole: news.isWhole, specification)
    case .noPreview where grade == .full && entry.knownAt != 0:
      // What is here already is still what the file shows.
      entries[specification]?.done.insert(.exact)
      entries[specification]?.isStale = false
      if let version = entry.version, !version.isFinal {
        add(version.file, version.width, version.height, version.info, isFinal: true, specification)
      } else {
        revalidateIfOvertaken(specification)
      }
    case .failure where grade != .preview && entry.isOvertaken: entries[specification] = nil
    case .failure(let fault) where grade != .preview:
      add(.failure(fault), 0, 0, news.answer.info, isFinal: true, specification)
    default: break
    }
  }

  // MARK: - Files

  /// Looks for the file of an earlier session, and then goes on with what is wanted.
  private func lookUp(_ specification: RenditionSpecification) {
    entries[specification]?.isLookedUp = true
    guard let files else { return }
    let name = Self.name(of: specification)
    entries[specification]?.isWriting = true
    Task.onMainActor { [weak self] in
      let note = await files.note(of: name)
      guard let self, entries[specification] != nil else { return }
      if let note, case .transfer(let image) = note.content {
        entries[specification]?.knownAt = note.info.modifiedAt
        add(
          .success(files.path(name)), image.width, image.height, note.info, isFinal: false, specification)
      }
      endWriting(specification)
      want(wanted)
    }
  }

  /// Writes what has come in the meantime. An answer may be there before the file of an earlier session is found.
  private func endWriting(_ specification: RenditionSpecification) {
    entries[specification]?.isWriting = false
    guard let next = entries[specification]?.next else { return }
    entries[specification]?.next = nil
    write(next.grade, next.answer, isWhole: next.isWhole, specification)
  }

  /// The name of an image's file, which depends on all that it shows.
  private static func name(of specification: RenditionSpecification) -> String {
    let box = specification.boxInPixels
    return SHA256.name(
      "\(specification.image.bytes) \(box) \(specification.presentation) \(specification.screen.background)")
  }

  private func write(
    _ grade: Grade, _ answer: ImageAnswer, isWhole: Bool, _ specification: RenditionSpecification
  ) {
    guard entries[specification]?.isWriting == false else {
      entries[specification]?.next = (grade, answer, isWhole)
      return
    }
    guard let files, case .transfer(var image) = answer.content else { return }
    entries[specification]?.isWriting = true
    let bytes = image.bytes
    image.bytes = []
    let name = Self.name(of: specification)
    let isFinal = isWhole && (grade == .exact || grade == .full && !isExactWanted(specification))
    let note = ImageAnswer(number: 0, content: .transfer(image), info: answer.info).framed
    Task.onMainActor { [weak self, image] in
      let isWritten = await files.write(bytes, isFinal ? note : nil, as: name)
      guard let self, entries[specification] != nil else { return }
      add(
        isWritten ? .success(files.path(name)) : .failure(.noCache), image.width, image.height, answer.info,
        isFinal: isFinal, specification)
      endWriting(specification)
    }
  }

  private func add(
    _ file: Result<FilePath, ImageFault>, _ width: Int, _ height: Int, _ info: ImageInfo, isFinal: Bool,
    _ specification: RenditionSpecification
  ) {
    lastVersion += 1
    entries[specification]?.isStale = false
    entries[specification]?.version = Version(
      number: lastVersion, file: file, width: width, height: height, info: info, isFinal: isFinal)
    if isFinal { revalidateIfOvertaken(specification) }
    onChange(specification)
  }
}

extension RemoteImages.Version {
  /// Returns the request for a worker here that shows the version as the specification says.
  func request(_ request: RenditionRequest) -> RenditionRequest {
    var request = request
    // No thumbnails are left of it.
    request.stage = .once
    let view = request.specification.presentation.view
    request.specification.presentation = ImagePresentation(view: self.view(for: view))
    return request
  }

  private func view(for view: ImageView) -> ImageView {
    let one = 65_536
    // The pixels that the part has on the screen.
    if case .zoomed(let scale, _, _) = view {
      return .zoomed(scale: max(one, scale), centerX: one / 2, centerY: one / 2)
    }
    let shown = info.width * info.scale / one
    // A preview has fewer pixels than are shown.
    return view == .whole && width > 0 && shown > width + 1 ? .enlarged : view
  }
}

extension TransferredImage {
  /// The number of whole scans of a progressive JPEG (ITU-T T.81, B.2.3), which all have a header, among the bytes that have come.
  fileprivate var finishedScans: Int {
    var count = 0
    var last: UInt8 = 0
    for byte in bytes {
      if last == 0xFF, byte == 0xDA { count += 1 }
      last = byte
    }
    return max(0, count - 1)
  }
}
