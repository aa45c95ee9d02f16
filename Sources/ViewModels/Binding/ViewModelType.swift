/// A view model that turns the input of a screen into output.
///
/// The input contains the user's actions, the output the content of the screen:
///
/// ```swift
/// let input = PrintsViewModel.Input(reload: Subject(), nextPage: Subject())
/// let output = viewModel.transform(input)
/// let subscription = output.rows.bind { list.show($0) }
/// input.nextPage.send()
/// ```
///
/// A screen that needs no more takes `any ViewModelType<PrintsViewModel.Input, PrintsViewModel.Output>`.
@MainActor
public protocol ViewModelType<Input, Output> {
  associatedtype Input
  associatedtype Output

  /// Binds the input and returns the output that follows from it.
  func transform(_ input: Input) -> Output
}
