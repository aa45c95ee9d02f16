/// A view model that turns the input of a screen into output.
///
/// The input is what the user does, as events. The output is what the screen shows, as observables and signals:
///
/// ```swift
/// let input = PrintsViewModel.Input(reload: Subject(), nextPage: Subject())
/// let output = viewModel.transform(input)
/// let subscription = output.rows.bind { list.show($0) }
/// input.nextPage.send()
/// ```
@MainActor
public protocol ViewModelType {
  associatedtype Input
  associatedtype Output

  /// Binds the input and returns the output that follows from it.
  ///
  /// A later call replaces the input of the call before.
  func transform(_ input: Input) -> Output
}
