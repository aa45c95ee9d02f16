import Finding
import Gallery
import Terminal
import ViewModels

// The texts of the header, of the search field, and of an empty list.
extension PhotosScreen {
  /// The width of the bar that shows how far the source was read.
  private static var barWidth: Int { 10 }

  var status: [StatusPart] {
    if let error = viewModel.source.retriedError {
      return [StatusPart(text: context.spinner.retryText), StatusPart(text: error.message)]
    }
    if isLoading { return [StatusPart(text: localized("\(context.spinner.symbol) Loading photos…"))] }
    let source = StatusPart(text: source)
    if let progress = viewModel.source.progress {
      let done = Int((progress.fraction * Double(Self.barWidth)).rounded(.down))
      let bar = String(repeating: "━", count: done) + String(repeating: "─", count: Self.barWidth - done)
      return [StatusPart(text: (Charset.isPlain ? "" : "\(bar) ") + progress.text), source]
    }
    if case .failed = viewModel.state, viewModel.rows.isEmpty { return [source] }
    let order = viewModel.rows.isEmpty ? nil : StatusPart(text: viewModel.search.order.text, command: .sort)
    // A chosen order says more than the source's name, which the user knows.
    let isChosen = viewModel.search.order != PhotoOrder()
    let first = [marked, age, photoCount].compactMap(\.self).map { StatusPart(text: $0) }
    return first + [problems, isChosen ? order : source, isChosen ? source : order].compactMap(\.self)
  }

  private var photoCount: String {
    let (shown, total) = (viewModel.source.loadedCount, viewModel.source.totalCount)
    if viewModel.source.isPaging {
      return "\(context.spinner.symbol) \(localized("\(shown.grouped) of \(total.photosText)"))"
    }
    if viewModel.source.isReading { return localized("\(shown.photosText) so far") }
    return shown < total ? localized("\(shown.grouped) of \(total.photosText)") : total.photosText
  }

  private var marked: String? {
    if choosing.marks.range != nil {
      return localized("Marking a range – \(host.keys.keyName(of: .markRange)) to finish")
    }
    let count = choosing.marks.count
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
    if search.isRunning { return (context.spinner.symbol, .accent) }
    guard search.query != nil, let count = search.matchCount else { return nil }
    // Only the pages that are loaded can be searched.
    let (found, all) = (count.grouped, source.loadedCount.grouped)
    let isComplete = source.loadedCount == source.totalCount
    return (isComplete ? localized("\(found) of \(all)") : localized("\(found) of \(all) loaded"), .secondary)
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
    case .failed(let error): host.isCovered ? [] : [error.message, host.keys.reloadHint()]
    }
  }
}
