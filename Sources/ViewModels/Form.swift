/// A form: fields that the user fills in, and what follows from them.
///
/// A form is drawn by one popup, whatever it is about:
///
/// ```swift
/// form.set("4x3", of: 1)
/// form.preview  // ["36 photos on 3 pages"]
/// if form.fault == nil { form.submit() }
/// ```
@MainActor
public protocol Form: AnyObject {
  /// The title of the popup.
  var title: String { get }
  /// The label of the key that submits the form.
  var button: String { get }
  /// The fields in their order. Their number stays the same.
  var fields: [FormField] { get }
  /// The lines that say what will be done.
  var preview: [String] { get }
  /// The reason why the form can't be submitted, or nil if it can.
  var fault: String? { get }
  /// Called when the form changes without the user.
  var onChange: () -> Void { get set }

  /// Sets the value of a field.
  func set(_ value: String, of field: Int)
  /// Returns the view model of the folders that complete a field; nil for a field that names none.
  func folders(of field: Int) -> DestinationViewModel?
  /// Does what the form is for. Call it only if there is no ``fault``.
  func submit()
}

/// A field of a form.
public struct FormField: Hashable, Sendable {
  /// The label before the field.
  public let label: String
  /// The value: a text, or one of the ``choices``.
  public var value: String
  /// The values to choose from; nil for a text.
  public let choices: [String]?
  /// The text that is shown while the value is empty.
  public let hint: String

  /// Creates a field for a text.
  public init(_ label: String, _ value: String, hint: String = "") {
    self.label = label
    self.value = value
    self.hint = hint
    choices = nil
  }

  /// Creates a field for one of several values.
  public init(_ label: String, _ value: String, of choices: [String]) {
    self.label = label
    self.value = value
    self.choices = choices
    hint = ""
  }
}

extension Form {
  public func folders(of field: Int) -> DestinationViewModel? { nil }
}
