import Dispatch
import Gallery
import ImageWire

// The tasks of the workers, and their answers.
extension ImageLoader {
  /// The number of images after which ``withoutPreview`` is cleared. It is more than a screen shows.
  private static let mostWithoutPreview = 1000
  /// The number of images in ``partWorkers`` from which those that the last frame did not request are removed.
  private static let mostPartImages = 16

  /// Gives the idle workers the wanted tasks that can start now.
  func startWorkers() {
    wanted.sort { $0.rank < $1.rank }
    var index = 0
    while index < wanted.count, workers.contains(where: \.isIdle) {
      guard isStartable(wanted[index]), let worker = idleWorker(for: wanted[index]) else {
        index += 1
        continue
      }
      send(wanted.remove(at: index), to: worker)
    }
  }

  /// Returns an idle worker for a task: for a part of an image, the one that has decoded what is around it.
  private func idleWorker(for task: Task) -> ImageWorker? {
    guard task.subject.isPart, task.stage != .preview else { return workers.first(where: \.isIdle) }
    if let known = partWorkers[task.subject.image].map({ workers[$0] }) {
      if known.isIdle { return known }
      if isWorthWaiting(for: known, task) { return nil }
    }
    // The panes of a comparison are shared among the workers.
    let idle = workers.indices.prefix(Self.mostPartWorkers).filter { workers[$0].isIdle }
    let worker = idle.min { partWorkers.values.count(of: $0) < partWorkers.values.count(of: $1) }
    guard let worker else { return nil }
    if partWorkers.count >= Self.mostPartImages {
      let images = Set(asked.keys.map(\.image))
      partWorkers = partWorkers.filter { images.contains($0.key) }
    }
    partWorkers[task.subject.image] = worker
    return workers[worker]
  }

  /// Returns whether a part should wait for the busy worker that has its surroundings, or will soon have them.
  private func isWorthWaiting(for worker: ImageWorker, _ task: Task) -> Bool {
    guard worker.underWay?.path != path(of: task.subject.image) else { return true }
    let rest = worker.lastStart + partPatience - .now
    guard rest > .zero else { return false }
    // Without an answer or a frame, nothing else would start the workers.
    guard !isRetryScheduled else { return true }
    isRetryScheduled = true
    DispatchQueue.main.asyncAfter(deadline: .now() + rest / .seconds(1)) { [weak self] in
      MainActor.assumeIsolated {
        self?.isRetryScheduled = false
        self?.startWorkers()
      }
    }
    return true
  }

  /// Returns whether a worker may start a task now. Whole images keep a worker busy for a long time, so one worker is kept
  /// free for previews.
  private func isStartable(_ task: Task) -> Bool {
    guard path(of: task.subject.image) != nil else { return false }
    // On a slow line, the terminal waits for bytes, so rendering ahead does not slow it down.
    if task.isAhead, isTerminalBusy, budgets == nil { return false }
    let siblings = inFlight.values.filter { $0.subject == task.subject }
    // The preview of an image may be there before the image itself, even if that was requested first.
    if task.stage == .preview { return siblings.allSatisfy { $0.stage != .preview } }
    guard siblings.isEmpty else { return false }
    // A part that is visible has no preview, and several may be side by side.
    if !task.isAhead, task.subject.isPart { return true }
    return inFlight.values.count { $0.stage != .preview } < max(1, workers.count - 1)
  }

  private func send(_ task: Task, to worker: ImageWorker) {
    guard let path = path(of: task.subject.image) else { return }
    lastNumber = lastNumber < Self.numbers.upperBound ? lastNumber + 1 : Self.numbers.lowerBound
    inFlight[lastNumber] = task
    let (subject, look) = (task.subject, task.subject.look)
    let cells = subject.columns * subject.rows
    var (format, budget) = (look.format, budgets?.bytes(task.rung, cells: cells))
    if task.rung == .preview, let bytes = budget {
      let (previewFormat, rest) = look.format.forPreviews(cells: cells, budget: bytes.coarse)
      (format, budget) = (previewFormat, (rest, min(rest, bytes.exact)))
    }
    worker.send(
      RenditionRequest(
        number: lastNumber, path: path, columns: subject.columns, rows: subject.rows, cellWidth: look.cellWidth,
        cellHeight: look.cellHeight, rotation: subject.rotation, view: subject.view, frame: subject.frame,
        overlay: subject.overlay, format: format, background: look.background, palette: look.palette, stage: task.stage,
        budget: budget?.coarse ?? 0, exactBudget: budget?.exact ?? 0,
        throughput: budgets.map { Int(min($0.throughput, Double(Int32.max))) } ?? 0))
  }

  /// Keeps the rendition that a worker has made, and requests what the last frame still wants.
  func receive(_ answer: RenditionAnswer) {
    guard let task = inFlight.removeValue(forKey: answer.number) else { return }
    if task.stage == .preview, let known = memory[task.subject], known.best.info.isSharp {
      // The image itself came before its preview.
      if case .graphic(let late) = answer.content { discard([(answer.number, late)]) }
      return startWorkers()
    }
    let rendition: Rendition? =
      switch answer.content {
      case .cells(let image): .cells(image)
      case .graphic(let image): .graphic(id: answer.number, image)
      // The image itself may still be readable.
      case .failure where task.stage == .preview: nil
      case .failure(let fault): .failed(fault)
      // Otherwise, the image would be requested again endlessly.
      case .noPreview, .appraisal: task.stage == .full ? .failed(.invalidAnswer) : nil
      }
    // The request is answered. If the last frame wants more of the image, it is requested below.
    wanted.removeAll { $0.subject == task.subject }
    if let rendition {
      // A rendition of any size may have left a thumbnail, which fills the place of the others.
      if task.stage != .preview { withoutPreview.remove(task.subject.image) }
      keep(RenditionLadder.Step(rendition: rendition, info: answer.info, rung: task.rung), for: task.subject)
    } else {
      withoutPreview.insert(task.subject.image)
      // Like the renditions, they are not kept for ever.
      if withoutPreview.count > Self.mostWithoutPreview { withoutPreview = [task.subject.image] }
    }
    if rendition == nil || !answer.info.isSharp && budgets == nil, let isAhead = asked[task.subject] {
      let rung = budgets == nil ? Rung.exact : .preview
      wanted.append(Task(subject: task.subject, stage: .full, rung: rung, isAhead: isAhead))
    }
    startWorkers()
    // A rendition that was requested ahead is drawn when it becomes visible. On a slow line it is sent ahead.
    if rendition != nil, asked[task.subject] == false || budgets != nil { onRendition() }
  }
}

// Images from the web. Once fetched, they are files.
extension ImageLoader {
  private func path(of image: ImageLocation) -> FilePath? {
    switch image {
    case .file(let path): return path
    case .web(let address):
      guard case .ready(let path)? = web?[address] else { return nil }
      return FilePath(path)
    }
  }

  /// Returns what to show in place of an image whose fetch has failed, or nil.
  func failureToFetch(_ image: ImageLocation) -> Rendition? {
    guard case .web(let address) = image else { return nil }
    guard let web else { return .failed(.noCache) }
    guard case .failed(let error)? = web[address] else { return nil }
    return .notFetched(error)
  }

  func receiveFile(from address: String) {
    startWorkers()
    // If the fetch has failed, the reason is shown in place of the image.
    guard failureToFetch(.web(address)) != nil else { return }
    if asked.contains(where: { $0.key.image == .web(address) && !$0.value }) { onRendition() }
  }
}

extension Collection<Int> {
  fileprivate func count(of number: Int) -> Int { count { $0 == number } }
}
