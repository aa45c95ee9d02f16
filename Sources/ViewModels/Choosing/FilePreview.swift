import Gallery
import Photos

/// What an action on files is about, for the question before it is carried out.
public struct FilePreview: Hashable, Sendable {
  /// The number of photos.
  public let photoCount: Int
  /// The number of their files, without sidecars.
  public let fileCount: Int
  /// The names of the first photos, and of the last one.
  public let names: String
  /// A remark that the user has to know before an answer, such as how many of the photos are not listed; nil for none.
  public let remark: String?
  /// The number of photos in words, with the remark.
  public let amount: String
  /// The photos as the object of an action: the name of one, or the number of several, with the remark.
  public let subject: String

  /// The name of the first photo without its suffix.
  public let stem: String

  private static let mostNames = 3

  init(_ shots: [[Photo]], remark: String? = nil) {
    photoCount = shots.count
    fileCount = shots.reduce(0) { $0 + $1.count }
    let file = shots.first?[0].file
    stem = file.map { PhotoName.stem(FilePath(Array($0.name))).printable } ?? ""
    names = Self.text(of: shots.map { $0[0].file?.printableName ?? $0[0].displayName })
    self.remark = remark
    let end = remark.map { " (\($0))" } ?? ""
    amount = shots.count.photosText + end
    subject = shots.count == 1 ? names + end : amount
  }

  /// Returns the first names, and the last one.
  static func text(of names: [String]) -> String {
    names.count <= mostNames + 1
      ? names.joined(separator: ", ")
      : "\(names.prefix(mostNames).joined(separator: ", ")) … \(names[names.count - 1])"
  }
}
