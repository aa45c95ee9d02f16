/// The texts of a photo. They can be sorted and searched without creating a `Photo`.
public enum PhotoColumn: Int, Sendable, CaseIterable {
  case name, description, imageURL, camera, author, license
}
