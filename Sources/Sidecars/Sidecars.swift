import Gallery

/// The XMP sidecars of photos: reads the user's decisions, and applies changes.
///
/// ```swift
/// let sidecars = Sidecars()
/// var change = SidecarChange()
/// change[.rating] = .set(4)
/// let result = try sidecars.apply(change, to: "/photos/a.jpg")
/// try sidecars.apply(result.inverse, to: "/photos/a.jpg")
/// ```
///
/// Photos themselves are never opened. Every call works on its own and blocks until the disk has answered. Changes of one
/// photo must not overlap: make them on one thread.
public struct Sidecars: Sendable {
  /// The number of attempts to write a sidecar that another program keeps changing.
  public static let mostAttempts = 8

  private let naming: SidecarNaming
  private let system: SidecarSystem

  /// Creates access to sidecars.
  ///
  /// - Parameter naming: The name of a new sidecar. An existing one keeps its name.
  public init(naming: SidecarNaming = .afterExtension) { self.init(naming: naming, system: SidecarSystem()) }

  init(naming: SidecarNaming = .afterExtension, system: SidecarSystem) {
    self.naming = naming
    self.system = system
  }

  /// The outcome of a change.
  public struct Result: Hashable, Sendable {
    /// The path of the sidecar. Another photo may share it (``SidecarNaming/insteadOfExtension``).
    public let path: FilePath
    /// The decisions after the change.
    public let decisions: PhotoDecisions
    /// The sidecar's value of each decision after the change. An empty value hides that of the photo's own file.
    public let edits: DecisionEdits
    /// The change that restores the former value of each property that was changed. It is empty if none was.
    public let inverse: SidecarChange
  }

  /// A change that is ready to be written, with the outcome that it will have.
  public struct Plan: Sendable {
    /// The change.
    public let change: SidecarChange
    /// The outcome.
    public let result: Result
    fileprivate let file: SidecarFile
    /// The new sidecar, or nil if the change alters nothing.
    fileprivate let document: XMPDocument?
    fileprivate let isDeletion: Bool
  }

  /// Returns the decisions about a photo, or nil if it has no sidecar.
  ///
  /// - Throws: ``SidecarError`` if the sidecar cannot be read.
  public func decisions(of photo: FilePath) throws(SidecarError) -> PhotoDecisions? {
    try read(photo).document?.decisions
  }

  /// Returns what the sidecar of a photo says about each decision. An empty value hides that of the photo's own file.
  ///
  /// - Throws: ``SidecarError`` if the sidecar cannot be read.
  public func edits(of photo: FilePath) throws(SidecarError) -> DecisionEdits {
    try read(photo).document?.edits ?? DecisionEdits()
  }

  /// The content of a sidecar after a change.
  public enum Change: Hashable, Sendable {
    /// The change alters nothing.
    case none
    case content([UInt8])
    /// Nothing is left of a sidecar that this program has created.
    case deletion
  }

  /// Returns the decisions that the content of a sidecar holds.
  public static func decisions(in content: [UInt8]) throws(SidecarFault) -> PhotoDecisions {
    do throws(SidecarFault.Damage) { return try XMPDocument(content).decisions } catch { throw .damaged(error) }
  }

  /// Returns the content of a sidecar after edits, for a sidecar that is no file of this machine.
  /// - Parameter content: The content before, or nil if there is no sidecar.
  public func change(_ content: [UInt8]?, by edits: DecisionEdits) throws(SidecarFault) -> Change {
    let old: XMPDocument?
    do throws(SidecarFault.Damage) {
      if let content { old = try XMPDocument(content) } else { old = nil }
    } catch {
      throw .damaged(error)
    }
    var change = SidecarChange()
    change.edits = edits
    guard let new = try edited(old ?? .empty, change) else { return .none }
    if new.hasOnlyDate { return old.map(\.isOwn) == true ? .deletion : old == nil ? .none : .content(new.bytes) }
    return .content(new.bytes)
  }

  /// Returns the path of the sidecar that is read and updated, or of the one that the first change would create.
  public func path(of photo: FilePath) -> FilePath {
    let paths = SidecarNaming.existing(of: photo)
    return (paths.count > 1 ? paths.first { (try? Self.read($0)) != nil } : nil) ?? paths.first
      ?? naming.path(of: photo)
  }

  /// Applies a change to the sidecar of a photo, which is created if it does not exist.
  ///
  /// The sidecar is read again first, so that changes by other programs stay. If the change alters nothing, nothing is written.
  ///
  /// - Throws: ``SidecarError``. In this case, the sidecar is unchanged.
  @discardableResult
  public func apply(_ change: SidecarChange, to photo: FilePath) throws(SidecarError) -> Result {
    for _ in 0..<Self.mostAttempts {
      let plan = try plan(for: photo) { _ in change }
      if try write(plan) { return plan.result }
    }
    throw SidecarError(path(of: photo), .busy)
  }

  /// Prepares a change of the sidecar of a photo, and writes nothing. So the caller can note how to undo it first.
  ///
  /// - Parameter change: Returns the change, given the decisions that the sidecar holds.
  /// - Throws: ``SidecarError`` if the sidecar can't be read or changed safely.
  public func plan(
    for photo: FilePath, change: (PhotoDecisions) -> SidecarChange
  ) throws(SidecarError) -> Plan {
    let (file, old) = try read(photo)
    let change = change(old?.decisions ?? PhotoDecisions())
    do throws(SidecarFault) {
      guard let new = try edited(old ?? .empty, change) else {
        let result = Result(
          path: file.path, decisions: old?.decisions ?? PhotoDecisions(), edits: old?.edits ?? DecisionEdits(),
          inverse: SidecarChange())
        return Plan(change: change, result: result, file: file, document: nil, isDeletion: false)
      }
      let isDeletion = change.deletesEmptySidecar && new.hasOnlyDate
      let result = Result(
        path: file.path, decisions: new.decisions, edits: new.edits,
        inverse: SidecarChange(undoing: change, from: old, to: isDeletion ? nil : new))
      return Plan(change: change, result: result, file: file, document: new, isDeletion: isDeletion)
    } catch {
      throw SidecarError(file.path, error)
    }
  }

  /// Writes a change that was prepared.
  ///
  /// - Returns: Whether it was written. It was not if another program has changed the sidecar since, so the change must be
  ///   prepared again.
  /// - Throws: ``SidecarError``. In this case, the sidecar is unchanged.
  public func write(_ plan: Plan) throws(SidecarError) -> Bool {
    guard let document = plan.document else { return true }
    do throws(SidecarFault) {
      return try plan.file.replace(with: plan.isDeletion ? nil : document.bytes, system)
    } catch {
      throw SidecarError(plan.file.path, error)
    }
  }

  /// Returns the sidecar after a change, or nil if the change alters nothing.
  private func edited(_ old: XMPDocument, _ change: SidecarChange) throws(SidecarFault) -> XMPDocument? {
    do throws(SidecarFault.Damage) {
      var editor = XMPEditor(old)
      editor.apply(change)
      guard let (new, changed) = try editor.finish(date: system.date) else { return nil }
      try XMPToolkit.check(new, against: old, changed: changed)
      return new
    } catch {
      throw .damaged(error)
    }
  }

  /// Reads the sidecar of a photo. Without one, the file is missing and the document is nil.
  private func read(_ photo: FilePath) throws(SidecarError) -> (file: SidecarFile, document: XMPDocument?) {
    var first: SidecarError?
    for path in SidecarNaming.existing(of: photo) {
      do throws(SidecarFault) {
        return try Self.read(path)
      } catch {
        first = first ?? SidecarError(path, error)
      }
    }
    if let first { throw first }
    return (SidecarFile(missing: naming.path(of: photo)), nil)
  }

  private static func read(_ path: FilePath) throws(SidecarFault) -> (file: SidecarFile, document: XMPDocument) {
    let file = try SidecarFile(path)
    do throws(SidecarFault.Damage) {
      let document = try XMPDocument(file.content)
      try XMPToolkit.check(document)
      return (file, document)
    } catch {
      throw .damaged(error)
    }
  }
}
