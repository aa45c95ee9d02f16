import Finding
import Gallery
import Photos
import Terminal
import ViewModels

// The texts of the header, of the search field, and of an empty list.
extension PhotosScreen {
  /// The most columns of the parent folder's name.
  private static var parentColumns: Int { 20 }

  var status: [StatusPart] {
    if let error = viewModel.source.retriedError {
      return [StatusPart(text: context.spinner.retryText), StatusPart(text: error.message)]
    }
    if isLoading { return [StatusPart(text: localized("\(context.spinner.symbol) Loading photos…"))] }
    let source = self.source.isOwn ? nil : StatusPart(text: self.source.name)
    if let progress = viewModel.source.progress {
      return [StatusPart(text: progress.line), source].compactMap(\.self)
    }
    if case .failed = viewModel.state, viewModel.rows.isEmpty { return [source].compactMap(\.self) }
    let order = viewModel.rows.isEmpty ? nil : StatusPart(text: orderText, command: .sort)
    // A chosen order says more than the source's name, which the user knows.
    let isChosen = viewModel.search.order != PhotoOrder()
    let first = [marked, age, photoCount].compactMap(\.self).map { StatusPart(text: $0) }
    return first + [problems, isChosen ? order : source, isChosen ? source : order].compactMap(\.self)
  }

  /// The order of the rows; in an open stack that was measured, the order of its shots.
  private var orderText: String {
    if let stack = stackOfHighlighted, stack.isOpen, stack.isSorted { return localized("stack: sharpest first") }
    return viewModel.search.order.text(in: viewModel.source.capabilities)
  }

  /// The source and the terms of the search; nothing in the bundled gallery, which has the names of the rooms there.
  var lead: [[HeaderPart]] {
    guard source.isOwn else { return [] }
    let terms = field.isTyping ? [] : PhotoQuery.terms(of: field.text)
    let chips = terms.enumerated().flatMap { index, term in
      chip(Self.sign(for: term)) { [unowned self] in
        var rest = terms
        rest.remove(at: index)
        field.text = rest.joined(separator: " ")
      }
    }
    let all = localized("\(terms.count) filter", plural: "\(terms.count) filters", count: terms.count)
    let allInOne = terms.isEmpty ? [] : chip(all) { [unowned self] in field.clear() }
    let name = HeaderPart(text: source.name, role: .title, gap: 3, command: .places)
    let parent = source.parent.map {
      [
        HeaderPart(
          text: CellText($0).truncatedInMiddle(to: Self.parentColumns).string, gap: 1, command: .parentFolder),
        HeaderPart(text: Charset.isPlain ? "/" : "▸", role: .faint, gap: 1),
      ]
    }
    return [(parent ?? []) + [name] + chips, [name] + chips, [name] + allInOne, [name]]
  }

  /// Makes the parts for a term of the search, whose sign at the end removes it.
  private func chip(_ text: String, onClose: @escaping @MainActor () -> Void) -> [HeaderPart] {
    [
      HeaderPart(text: text, role: .accent, gap: 1, command: .search),
      HeaderPart(text: Charset.isPlain ? "x" : "✕", gap: 3, onClick: onClose),
    ]
  }

  /// Returns a term of a search as the header shows it: `rating:>=4` is "★≥4".
  private static func sign(for term: String) -> String {
    guard !Charset.isPlain, let rating = term.wholeMatch(of: /rating(?::|(?=[<>=]))(.+)/)?.1 else {
      return term.printable
    }
    return "★\(String(rating).printable.replacing(">=", with: "≥").replacing("<=", with: "≤"))"
  }

  private var photoCount: String {
    let (shown, total) = (viewModel.source.loadedCount, viewModel.source.totalCount)
    if viewModel.source.isPaging {
      return "\(context.spinner.symbol) \(localized("\(shown.grouped) of \(total.photosText)"))"
    }
    if viewModel.source.isReading { return localized("\(shown.photosText) so far") }
    let search = viewModel.search
    if search.query != nil, let count = search.matchCount {
      return localized("\(count.grouped) of \(shown.photosText)")
    }
    return shown < total ? localized("\(shown.grouped) of \(total.photosText)") : total.photosText
  }

  /// The place in a list in which stacks have one row each; nil in another list, which counts photos.
  var rowCount: String? {
    let count = viewModel.rows.count
    guard viewModel.search.query == nil, count > 0, count < viewModel.source.loadedCount else { return nil }
    return localized("\((highlighted + 1).value.grouped)/\(count.grouped) rows")
  }

  private var marked: String? {
    if choosing.marks.range != nil {
      return localized("Marking a range – \(host.keys.keyName(of: .markRange)) to finish")
    }
    let (count, unlisted) = (choosing.marks.count, choosing.unlistedMarkCount)
    if unlisted > 0 { return localized("\(count.grouped) marked (\(unlisted.grouped) not listed)") }
    return count > 0 ? localized("\(count.grouped) marked") : nil
  }

  private var problems: StatusPart? {
    let count = viewModel.source.problemCount
    guard count > 0 else { return nil }
    return StatusPart(
      text: localized("\(count.grouped) problem", plural: "\(count.grouped) problems", count: count),
      command: .showProblems)
  }

  private var age: String? { viewModel.source.cachedSince.map { localized("as of \($0)") } }

  /// The number of results, or why there are none, and the style for it.
  var searchResult: (text: String, role: Role)? {
    let (search, source) = (viewModel.search, viewModel.source)
    if search.fault != nil { return (localized("invalid", context: "a search"), .accent) }
    if search.awaitsDuplicates { return (lookingForDuplicates, .accent) }
    if search.isRunning || search.awaitsServer { return (context.spinner.symbol, .accent) }
    guard search.query != nil, let count = search.matchCount else { return nil }
    // Only the pages that are loaded can be searched.
    let (found, all) = (count.grouped, source.loadedCount.grouped)
    let isComplete = source.loadedCount == source.totalCount
    return (isComplete ? localized("\(found) of \(all)") : localized("\(found) of \(all) loaded"), .secondary)
  }

  /// The number of photos that were looked at for duplicates.
  private var lookingForDuplicates: String {
    guard let progress = choosing.duplicates.progress else { return context.spinner.symbol }
    return "\(context.spinner.symbol) \(localized("\(progress.done.grouped) of \(progress.total.grouped)"))"
  }

  /// The reason why the query is invalid, or what to write instead if it finds nothing in a list that shows all photos.
  var warning: String? {
    let search = viewModel.search
    return field.isTyping ? search.fault ?? (search.listsAll ? search.advice : nil) : nil
  }

  /// The lines shown if there are no rows; nil while the first ones are loading.
  var notice: [String]? {
    switch viewModel.state {
    case .loading: viewModel.source.retriedError.map { [$0.message, context.spinner.retryText] }
    case .idle:
      [localized("Nothing is loaded."), localized("Press \(host.keys.keyName(of: .reload)) to load the photos.")]
    case .loaded where viewModel.search.awaitsDuplicates: [localized("Looking for duplicates…")]
    case .loaded where viewModel.search.awaitsServer: [localized("Asking the server…")]
    case .loaded where viewModel.search.query != nil:
      [
        localized("No matches."), viewModel.search.advice,
        localized("Press \(host.keys.keyName(of: .close)) to clear the search."),
      ]
      .compactMap(\.self)
    case .loaded where viewModel.source.problemCount > 0:
      [
        localized("None of the photos can be read."),
        localized("Press \(host.keys.keyName(of: .showProblems)) for why."),
      ]
    case .loaded: viewModel.source.emptyNotice
    // The alert says the same.
    case .failed(let error): host.isTopmost(self) ? [error.message, host.keys.reloadHint()] : []
    }
  }
}
