import Gallery
import Photos
import Terminal
import ViewModels

/// The second room: a feed of photos and of the members who post them.
@MainActor
final class WallScreen: Room {
  private let viewModel: WallViewModel
  private unowned let host: any RoomHost
  private let context: CellContext
  private let pane: ListPane
  private var spinning: SharedSpinner.Use?

  private static let kinds = CellKinds().adding(WallPhotoCell.self).adding(MemberCell.self)

  init(viewModel: WallViewModel, host: any RoomHost, context: CellContext) {
    self.viewModel = viewModel
    self.host = host
    self.context = context
    pane = ListPane(title: localized("Wall"), kinds: Self.kinds, context: context)
    viewModel.onReload = { [unowned self] in
      pane.setRows(viewModel.rows)
      host.setNeedsDisplay()
    }
    viewModel.onAlert = { [unowned self] in self.host.show($0, from: self) }
    viewModel.onLoading = { [unowned self] in
      spinning = $0 ? context.spinner.use() : nil
      host.setNeedsDisplay()
    }
    viewModel.onOpen = { [unowned self] _ in view() }
  }

  var name: String { localized("Wall") }
  let hints: [Command] = [
    .moveUp, .press, .stopLoading, .goTo, .reload, .switchWindow, .close, .help, .quit,
  ]

  var isLoading: Bool { viewModel.isLoading }

  var status: [StatusPart] {
    if isLoading { return [StatusPart(text: localized("\(context.spinner.symbol) Loading the wall…"))] }
    let photos = photos.count
    let members = viewModel.rows.count - photos
    let membersText = localized("\(members) member", plural: "\(members) members", count: members)
    return photos > 0 ? [StatusPart(text: localized("\(photos.photosText), \(membersText)"))] : []
  }

  private var photos: [any RowViewModel] { viewModel.rows.filter { $0 is WallPhotoRow } }

  func enter() {
    if viewModel.state == .idle { viewModel.fetch() }
  }

  func leave() { pane.release() }

  var announcement: String? { pane.announcement ?? (isLoading ? status.text : notice?.joined(separator: " ")) }

  private func view() {
    guard let row = pane.list.highlightedRow, let index = photos.firstIndex(where: { $0 === row }) else { return }
    let viewer = ViewerViewModel(RowIndex(index), among: { [unowned self] in photos }, clock: host.clock)
    viewer?.onTurn = { [unowned self] turned in
      let photo = photos[turned.value]
      if let row = viewModel.rows.firstIndex(where: { $0 === photo }) { pane.highlight(RowIndex(row)) }
    }
    if let viewer { host.view(viewer, summary: nil, photos: nil) }
  }

  func draw(on surface: Surface) {
    pane.draw(notice: notice, isDimmed: isLoading, on: surface)
  }

  private var notice: [String]? {
    switch viewModel.state {
    case .loading: nil
    case .idle:
      [localized("Nothing is loaded."), localized("Press \(host.keys.keyName(of: .reload)) to load the wall.")]
    case .loaded:
      [localized("Nobody has posted yet."), localized("Press \(host.keys.keyName(of: .reload)) to look again.")]
    // The alert says the same.
    case .failed(let error): host.isTopmost(self) ? [error.message, host.keys.reloadHint()] : []
    }
  }

  @ActionList var actions: [Action] {
    Action(.reload, refusal: isLoading ? localized("Already loading.") : nil) { [self] in
      context.images.retry()
      viewModel.fetch()
    }
    if isLoading { Action(.stopLoading) { [self] in viewModel.cancelFetch() } }
    let member = pane.list.highlightedRow as? MemberRow
    Action(.follow, refusal: member == nil ? localized("This is a photo, not a member.") : nil) { [self] in pane.press()
    }
    if let member { Action(.press, label: label(of: member.follow.value)) { [self] in pane.press() } }
    pane.actions
  }

  private func label(of state: FollowState) -> String {
    switch state {
    case .notFollowing, .asking(toFollow: true): localized("Follow")
    case .following, .asking(toFollow: false): localized("Unfollow")
    }
  }

  func handle(_ mouse: Mouse) { pane.handle(mouse) }
}
