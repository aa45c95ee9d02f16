import Gallery

/// The logic of the guestbook's form: a name is typed, validated, signed and greeted.
///
/// The rows of the guestbook and the sign-in popup each have a form of their own. See ``GuestbookViewModel``.
@MainActor
final class GuestbookForm {
  /// The greeting of the name that was signed last, or an empty string if the last name was invalid or there is none.
  @Published private(set) var greeting = ""
  /// The reason why the name is invalid, or nil if it is valid or has been changed since.
  @Published private(set) var fault: String?

  private var name = ""
  /// The name that was signed last. It isn't signed again before the name changes.
  private var signedName: String?
  private let onSign: (GuestbookForm, String) -> Void

  /// Creates an empty form.
  ///
  /// - Parameter onSign: Called with each valid name to store.
  init(onSign: @escaping (GuestbookForm, String) -> Void) {
    self.onSign = onSign
  }

  /// Sets the name that is being typed.
  func type(_ name: String) {
    guard name != self.name else { return }
    self.name = name
    if fault != nil { fault = nil }
  }

  /// Withdraws the greeting of a name that could not be stored, so that the name can be signed again.
  func takeBack() {
    signedName = nil
    if !greeting.isEmpty { greeting = "" }
  }

  /// Signs and greets the name if it is valid.
  func validate() {
    switch GuestName.validate(name) {
    case .success(let name):
      guard name != signedName else { return }
      signedName = name
      greeting = localized("Hello \(name)!")
      onSign(self, name)
    case .failure(let fault):
      if !greeting.isEmpty { greeting = "" }
      signedName = nil
      self.fault = fault.message
    }
  }
}
