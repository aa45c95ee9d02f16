import Finding
import Gallery

/// The guestbook's form: a name, presses of Validate, and the greeting they lead to.
///
/// The one logic of both places where the form is bound: see ``GuestbookViewModel``.
@MainActor
final class GuestbookForm {
  /// Empty before the first valid press, and after one that was not.
  let greeting = Observable("")
  /// What is wrong with the name; nil once it is typed on.
  let fault = Observable<String?>(nil)

  private var name = ""
  /// The name that was signed last: another press, while the name stays the same, signs nothing.
  private var signedName: String?
  private let onSign: (GuestbookForm, String) -> Void

  /// - Parameter onSign: Called with each valid name, as it stood at the press.
  init(onSign: @escaping (GuestbookForm, String) -> Void) {
    self.onSign = onSign
  }

  func type(_ name: String) {
    guard name != self.name else { return }
    self.name = name
    if fault.value != nil { fault.value = nil }
  }

  /// The name could not be kept after all.
  func takeBack() {
    signedName = nil
    if !greeting.value.isEmpty { greeting.value = "" }
  }

  func validate() {
    switch GuestName.validate(name) {
    case .success(let name):
      guard name != signedName else { return }
      signedName = name
      greeting.value = "Hello \(name)!"
      onSign(self, name)
    case .failure(let fault):
      if !greeting.value.isEmpty { greeting.value = "" }
      signedName = nil
      self.fault.value = fault.message
    }
  }
}

/// A name for the guestbook.
public enum GuestName {
  /// In characters as a person counts them.
  public static let longest = 64

  public enum Fault: Error, Hashable {
    case empty, onlySpaces
    case tooLong(Int)

    public var message: String {
      switch self {
      case .empty: "Type your name first."
      case .onlySpaces: "A name is more than spaces."
      case .tooLong(let count): "A name has at most \(GuestName.longest) characters; this one has \(count)."
      }
    }
  }

  /// The name without the spaces around it, printable, or what is wrong with it.
  static func validate(_ text: String) -> Result<String, Fault> {
    let name = text.printable.trimmed
    if name.isEmpty { return .failure(text.isEmpty ? .empty : .onlySpaces) }
    return name.count > longest ? .failure(.tooLong(name.count)) : .success(name)
  }
}

extension String {
  var trimmed: String {
    String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}
