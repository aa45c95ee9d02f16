import Terminal

/// A command that is not in the table, such as a saved search or a command of the user's own.
struct Shortcut {
  let title: String
  var keys: [Key] = []
  /// The reason why it is not possible at the moment, or nil if it is.
  var refusal: String?
  let perform: () -> Void
}
