import Gallery
import Terminal
import ViewModels

// The frames, from the state at the moment. Drawing changes nothing of it.
extension GalleryWindow {
  func draw(on surface: Surface) {
    guard let layout = WindowLayout(of: surface.bounds) else { return drawTooSmall(on: surface) }
    images.beginFrame()
    defer { images.endFrame() }
    // A layer that covers the window hides the room and its header. A plain screen keeps the header, which announces.
    let covering = popups.lastIndex { $0.extent.isCovering }
    let aboveFooter = surface.clipped(to: Charset.isPlain ? layout.body : layout.aboveFooter)
    if covering == nil || Charset.isPlain { header.draw(headerContents, on: surface.clipped(to: layout.header)) }
    if covering == nil { room.draw(on: surface.clipped(to: layout.body)) }
    for layer in popups[(covering ?? 0)...] {
      layer.draw(on: layer.extent == .screen && !Charset.isPlain ? surface : aboveFooter)
    }
    drawFooter(of: layout, on: surface)
    (covering.map { popups[$0] } ?? room).prepareNext(for: aboveFooter)
  }

  private var headerContents: HeaderBar.Contents {
    let greeting = viewModels.guestbook.visitor.map { localized("Hello \($0)!") }
    let basket = viewModels.basket.total.isEmpty ? nil : localized("Basket: \(viewModels.basket.total)")
    let lead = room.lead
    return HeaderBar.Contents(
      leads: lead.isEmpty ? tabs : lead, status: room.status, isLoading: room.isLoading, spinner: spinner.symbol,
      announcement: Charset.isPlain
        ? [footerText ?? topmost.warning, topmost.announcement].compactMap(\.self).joined(separator: " · ") : nil,
      remark: lead.isEmpty ? [greeting, basket].compactMap(\.self) : [])
  }

  /// The names of the rooms: all of them, or only the current one if they don't fit.
  private var tabs: [[HeaderPart]] {
    let parts = zip(RoomName.allCases, rooms).enumerated().map { index, tab in
      let (name, room) = tab
      return HeaderPart.tab(
        room.name, letter: keys.binding(of: name.command)?.letter, isCurrent: index == current
      ) { [unowned self] in enter(room: index) }
    }
    return [[.title] + parts, parts, [.title, parts[current]]]
  }

  /// The text before the hints: what was done last, that it is not on the disk yet, and the progress of a step.
  private var footerText: String? {
    let unsaved = viewModels.choosing.deciding.unsavedCount
    let saving = localized(
      "Saving \(unsaved.grouped) change", plural: "Saving \(unsaved.grouped) changes", count: unsaved)
    let parts = [notice, unsaved > 0 ? saving : nil, jobText].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: " · ")
  }

  /// The progress of the step that takes long. A photo stays uncovered, and the list of jobs has it anyway. The announcements of a
  /// plain screen name the step instead, so that they don't change twice a second.
  private var jobText: String? {
    guard topmost.extent == .room, let job = jobs.first(where: { $0.progress != nil }) else { return nil }
    let words = job.isStopped ? localized("Stopping: \(job.title)") : Charset.isPlain ? job.title : job.progress?.line
    let key = "\(keys.keyName(of: .goTo))\(keys.binding(of: .jobs)?.letter.map(String.init) ?? "")"
    return [words, localized("\(key): Jobs")].compactMap(\.self).joined(separator: " · ")
  }

  private func drawFooter(of layout: WindowLayout, on screen: Surface) {
    let text = footerText
    if text == nil, topmost.extent == .screen { return footer.hide() }
    // A photo may have the whole screen.
    screen.clipped(to: layout.footer.inset(columns: -1)).clear()
    let layer = topmost
    let hints = FooterHint.hints(layer.hints, of: actions(of: layer).all, keys: keys, isTyping: layer.isTyping)
    footer.draw(
      hints, notice: text ?? layer.warning, isImproving: images.isImproving,
      upper: popups.isEmpty ? layout.upperFooter.map(screen.clipped) : nil, on: screen.clipped(to: layout.footer))
  }

  private func drawTooSmall(on surface: Surface) {
    footer.hide()
    let message =
      localized("Window too small (needs \(WindowLayout.smallest.columns)×\(WindowLayout.smallest.rows)).")
    for (row, line) in CellText(message).wrapped(to: surface.bounds.columns).enumerated() {
      surface.put(line, row: row)
    }
  }
}
