import Gallery

extension ChoicePopup {
  /// Makes the menu of the places that a letter leads to.
  /// - Parameters:
  ///   - bindings: The commands that are possible, with their letters.
  ///   - onChoice: Called with the command that the user chooses.
  static func goTo(
    _ bindings: [KeyBinding], onChoice: @escaping (Command) -> Void
  ) -> ChoicePopup {
    let choices = bindings.map { Choice(key: $0.letter.map { String($0) } ?? "", text: $0.label ?? $0.title) }
    return ChoicePopup(title: localized("Go to"), choices: choices, isStrip: true) { onChoice(bindings[$0].command) }
  }
}
