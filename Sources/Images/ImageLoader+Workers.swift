import Dispatch
import Gallery
import ImageWire

// The work of the workers, and their answers.
extension ImageLoader {
  /// The number of images after which ``withoutPreview`` is cleared. It is more than a screen shows.
  private static let mostWithoutPreview = 1000
  /// The number of images in ``partWorkers`` from which those that the last frame did not request are removed.
  private static let mostPartImages = 16

  /// Gives the idle workers the wishes that can start now.
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

  /// Returns an idle worker for a wish: for a part of an image, the one that has decoded what is around it, and for a frame, the
  /// one that has decoded the frame before it.
  private func idleWorker(for wish: Wish) -> ImageWorker? {
    let isOfSeveral = wish.specification.isPart || wish.specification.presentation.frame != 0
    guard isOfSeveral, wish.stage != .preview else { return workers.first(where: \.isIdle) }
    if let known = partWorkers[wish.specification.image].map({ workers[$0] }) {
      if known.isIdle { return known }
      if isWorthWaiting(for: known, wish) { return nil }
    }
    // The panes of a comparison are shared among the workers.
    let idle = workers.indices.prefix(Self.mostPartWorkers).filter { workers[$0].isIdle }
    let worker = idle.min { partWorkers.values.count(of: $0) < partWorkers.values.count(of: $1) }
    guard let worker else { return nil }
    if partWorkers.count >= Self.mostPartImages {
      let images = Set(asked.keys.map(\.image))
      partWorkers = partWorkers.filter { images.contains($0.key) }
    }
    partWorkers[wish.specification.image] = worker
    return workers[worker]
  }

  /// Returns whether a part should wait for the busy worker that has its surroundings, or will soon have them.
  private func isWorthWaiting(for worker: ImageWorker, _ wish: Wish) -> Bool {
    guard worker.underWay?.path != path(of: wish) else { return true }
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

  /// Returns whether a worker may start on a wish now. What moves is needed soon, however busy the terminal is. Whole images
  /// keep a worker busy for a long time, so one worker is kept free for previews.
  private func isStartable(_ wish: Wish) -> Bool {
    if wish.specification.image.isRemote {
      // Each version is rendered once, unless its rendition had to leave the memory.
      let isGone = memory[wish.specification] == nil && remote.version(of: wish.specification) != nil
      guard isGone || remote.hasNews(of: wish.specification) else { return false }
    } else {
      guard path(of: wish) != nil else { return false }
    }
    if wish.isAhead, isTerminalBusy, !policy.sendsAhead, wish.specification.presentation.frame == 0 { return false }
    let siblings = inFlight.values.filter { $0.specification == wish.specification }
    // The preview of an image may be there before the image itself, even if that was requested first.
    if wish.stage == .preview { return siblings.allSatisfy { $0.stage != .preview } }
    guard siblings.isEmpty else { return false }
    // A part that is visible has no preview, and several may be side by side.
    if !wish.isAhead, wish.specification.isPart { return true }
    return inFlight.values.count { $0.stage != .preview } < max(1, workers.count - 1)
  }

  /// Returns whether a rendition is sent before it is shown: on a slow line, and the next positions of a video to a terminal that
  /// stores images.
  public func sendsAhead(_ specification: RenditionSpecification) -> Bool {
    guard isPlaying, case .kitty = specification.screen.format else { return policy.sendsAhead }
    return true
  }

  private func send(_ wish: Wish, to worker: ImageWorker) {
    lastNumber = lastNumber < Self.numbers.upperBound ? lastNumber + 1 : Self.numbers.lowerBound
    inFlight[lastNumber] = wish
    var request = policy.request(for: wish)
    inFlight[lastNumber]?.isExact = request.stage != .preview && request.budget == nil
    guard wish.specification.image.isRemote else {
      guard let path = path(of: wish) else { return }
      if let version = smallerVersion(for: wish) {
        inFlight[lastNumber]?.smaller = version
        request = version.request(request)
      }
      return worker.send(ImageRequest(number: lastNumber, path: path, job: .show(request)))
    }
    guard let version = remote.take(wish.specification) else { return }
    inFlight[lastNumber]?.version = version.number
    request = version.request(request)
    switch version.file {
    case .success(let path): worker.send(ImageRequest(number: lastNumber, path: path, job: .show(request)))
    case .failure(let fault):
      receive(ImageAnswer(number: lastNumber, content: .failure(fault), info: version.info))
    }
  }

  /// Keeps the rendition that a worker has made, and requests what the last frame still wants.
  func receive(_ answer: ImageAnswer) {
    guard var wish = inFlight.removeValue(forKey: answer.number) else { return }
    var answer = answer
    // A worker that a hostile file has taken over could say that there is a better rendition, which would be requested endlessly.
    if wish.isExact { answer.info.isSharp = true }
    if wish.specification.image.isRemote, let version = remote.version(of: wish.specification) {
      let isSharp = version.isFinal && version.number == wish.version && answer.info.isSharp
      answer.info = version.info
      answer.info.isSharp = isSharp
      // A failure is that of the image, and not of its preview.
      wish.stage = .full
    } else if let version = wish.smaller {
      version.complete(&answer.info, of: wish)
    }
    if wish.stage == .preview, let known = memory[wish.specification], known.best.info.isSharp {
      // The image itself came before its preview.
      if case .graphic(let late) = answer.content { discard([(answer.number, late)]) }
      return startWorkers()
    }
    let rendition: Rendition? =
      switch answer.content {
      case .cells(let image): .cells(image)
      case .graphic(let image): .graphic(id: answer.number, image)
      // The image itself may still be readable.
      case .failure where wish.stage == .preview || wish.smaller?.isFirstPart == true: nil
      case .noPreview where wish.smaller?.isFirstPart == true: nil
      case .failure(let fault): .failed(fault)
      // Otherwise, the image would be requested again endlessly.
      case .noPreview, .appraisal, .exported, .listing, .transfer: wish.stage == .full ? .failed(.invalidAnswer) : nil
      }
    // The request is answered. If the last frame wants more of the image, it is requested below.
    wanted.removeAll { $0.specification == wish.specification }
    if let rendition {
      // A rendition of any size may have left a thumbnail, which fills the place of the others.
      if wish.stage != .preview { withoutPreview.remove(wish.specification.image) }
      keep(RenditionLadder.Entry(rendition: rendition, info: answer.info, rung: wish.rung), for: wish.specification)
    } else {
      withoutPreview.insert(wish.specification.image)
      // Like the renditions, they are not kept for ever.
      if withoutPreview.count > Self.mostWithoutPreview { withoutPreview = [wish.specification.image] }
    }
    if let isAhead = asked[wish.specification],
      let rung = policy.rungAfterAnswer(hasRendition: rendition != nil, isSharp: answer.info.isSharp)
    {
      wanted.append(Wish(specification: wish.specification, stage: .full, rung: rung, isAhead: isAhead))
    }
    startWorkers()
    // The image itself is fetched when a frame asks for it.
    if rendition == nil, wish.smaller != nil { onRendition() }
    // A rendition that was requested ahead is drawn when it becomes visible, unless it is sent ahead.
    if rendition != nil, asked[wish.specification] == false || sendsAhead(wish.specification) { onRendition() }
  }
}

// Images of other machines. Each version that has come is a file.
extension ImageLoader {
  func receiveVersion(of specification: RenditionSpecification) {
    if let path = specification.image.file, let version = remote.version(of: specification),
      let known = memory[specification], known.best.info.modifiedAt != version.info.modifiedAt
    {
      forget([path: version.info.modifiedAt])
    }
    startWorkers()
    guard let isAhead = asked[specification] else { return }
    // A frame asks again for what the connection has lost.
    if !isAhead, !remote.isConnected(specification.image) { onRendition() }
  }
}

extension Collection<Int> {
  fileprivate func count(of number: Int) -> Int { count { $0 == number } }
}
