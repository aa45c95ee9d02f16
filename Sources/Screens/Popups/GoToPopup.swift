import Gallery

extension ChoicePopup {
  /// Makes the menu of the places that a letter leads to.
  /// - Parameters:
  ///   - bindings: The commands with their letters.
  ///   - refused: The commands that are not possible at the moment.
  ///   - onChoice: Called with the command that the user chooses.
  static func goTo(
    _ bindings: [KeyBinding], refused: Set<Command>, onChoice: @escaping (Command) -> Void
  ) -> ChoicePopup {
    let choices = bindings.map { binding in
      Choice(
        key: binding.letter.map { String($0) } ?? "", text: binding.label ?? binding.title,
        isPossible: !refused.contains(binding.command))
    }
    return ChoicePopup(title: localized("Go to"), choices: choices, isStrip: true) { onChoice(bindings[$0].command) }
  }
}
