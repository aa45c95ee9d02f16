import Finding
import FoundationEssentials
import Gallery
import Photos

/// The detail of a photo or another item, as strings that are ready to show.
public struct PhotoDetail: Hashable, Sendable {
  /// A line with a label and a value.
  public struct Field: Hashable, Sendable {
    /// The label, such as `Camera`.
    public let label: String
    /// The value in one line.
    public let value: String
    /// The address that the value links to, or nil for none.
    public let link: String?

    /// Creates a field.
    public init(_ label: String, _ value: String, link: String? = nil) {
      self.label = label
      self.value = value
      self.link = link
    }
  }

  /// Fields that belong together.
  public struct Group: Hashable, Sendable {
    /// The heading of the fields, or nil for none.
    public let heading: String?
    /// The known fields in their order.
    public let fields: [Field]

    init(_ heading: String?, _ fields: [Field?]) {
      self.heading = heading
      self.fields = fields.compactMap(\.self)
    }
  }

  /// The heading of the fields about the capture of a photo.
  public static var captureHeading: String { localized("Capture") }

  /// The name of the item.
  public let name: String
  /// The name of the author, or nil if it is unknown.
  public let author: String?
  /// The paragraphs of the description.
  public let description: [String]
  /// The groups of known fields in their order. None is empty.
  public let groups: [Group]
  /// The location of the image.
  public let image: ImageLocation
  /// The photos that belong to the item, such as those that a member posted. The fields have their names, for screens
  /// without images.
  public let photos: [Photo]
  /// The number of quarters by which the user has rotated the image clockwise.
  public let quarters: Int
  /// The orientation of the stored image.
  public let orientation: ImageOrientation
  /// The width of the upright image in pixels, or 0 if it is unknown.
  public let width: Int
  /// The height of the upright image in pixels, or 0 if it is unknown.
  public let height: Int
  /// The duration in seconds of a video whose stills are shown; nil for another photo, for one on the web, or if it is unknown.
  public let videoDuration: Double?
  /// The part of the upright image that the user has cropped the photo to, or nil for all of it.
  public let crop: PhotoCrop?
  /// The address of a map of the place where the photo was taken; nil if that is unknown.
  public let mapAddress: String?
  /// The point of the image that the camera focused on, before the user rotated it; nil if it is unknown.
  public let focus: FocusPoint?
  /// Whether the item is for sale, or nil if that is unknown.
  public let saleBadge: SaleBadge?
  /// The query whose matches are highlighted, or nil for none.
  private var query: PhotoQuery?

  /// Creates a detail from ready strings.
  public init(
    name: String, author: String? = nil, description: [String] = [], fields: [Field] = [], image: ImageLocation,
    saleBadge: SaleBadge? = nil, photos: [Photo] = []
  ) {
    self.name = name
    self.photos = photos
    self.author = author
    self.description = description
    groups = fields.isEmpty ? [] : [Group(nil, fields)]
    self.image = image
    quarters = 0
    orientation = .upright
    width = 0
    height = 0
    videoDuration = nil
    crop = nil
    mapAddress = nil
    focus = nil
    self.saleBadge = saleBadge
  }

  /// Creates the detail of a photo.
  ///
  /// - Parameters:
  ///   - image: The image that is shown, or nil for the photo's own.
  ///   - decisions: The decisions about the photo, if they are not those of its metadata.
  ///   - hasFileDate: Whether the creation date is only that of the file, if the photo has no date of its own.
  ///   - query: The query whose matches are highlighted, or nil for none.
  public init(
    _ photo: Photo, image: ImageLocation? = nil, decisions: PhotoDecisions? = nil, hasFileDate: Bool = false,
    query: PhotoQuery? = nil
  ) {
    self.query = query
    photos = []
    author = photo.author
    let known = PhotoDecisions(photo.metadata)
    let decisions = decisions ?? known
    let title = decisions[.title] == known[.title] ? nil : decisions[.title]?.text?.printable
    name = title ?? photo.displayName
    let text = decisions.caption == known.caption ? photo.description : decisions.caption
    description = text?.split(separator: "\n").map { String($0).printable } ?? []
    let metadata = (photo.metadata ?? PhotoMetadata()).with(decisions)
    mapAddress = metadata.place?.mapAddress
    quarters = decisions.orientation.map(metadata.quarters) ?? 0
    orientation = metadata.shownOrientation
    width = metadata.width
    height = metadata.height
    // Stills of a video on the web would take all of its file.
    videoDuration = photo.kind == .video && photo.file != nil ? metadata.duration : nil
    crop = metadata.shownCrop
    func fields(_ section: MetadataField.Section) -> [Field?] {
      MetadataField.all.filter { $0.section == section }.map { field in
        field.label.flatMap { label in field.text(metadata).map { Field(label, $0, link: field.link(metadata)) } }
      }
    }
    let date = CalendarTime(clock: photo.clock).minuteText
    let isFileDate = hasFileDate && metadata.takenAt == nil
    let isWeb = if case .web = photo.image { true } else { false }
    groups = [
      Group(nil, fields(.remarks)),
      Group(
        Self.captureHeading,
        [
          isFileDate ? nil : Field(metadata.takenAt == nil ? localized("Date") : localized("Taken"), date),
          photo.camera.map { Field(localized("Camera"), $0) },
        ] + fields(.capture)),
      Group(localized("Place"), fields(.place)),
      Group(
        localized("File"),
        fields(.file) + [
          Field(isWeb ? localized("Address") : localized("Path"), photo.imageURL.printable, link: photo.image.address),
          isFileDate ? Field(localized("Written"), date) : nil,
        ]),
      Group(localized("Rights"), [photo.license.map { Field(localized("License"), $0) }]),
    ].filter { !$0.fields.isEmpty }
    self.image = image ?? photo.image
    focus = photo.metadata?.focus
    saleBadge = photo.isForSale.map { SaleBadge(isForSale: $0) }
  }

  /// The fields of all groups.
  public var fields: [Field] { groups.flatMap(\.fields) }

  /// Returns the ranges of the matches in a line of the description, or of the field with a label.
  public func found(in line: String, label: String? = nil) -> [Range<String.Index>] {
    let field: PhotoQuery.SearchedText? =
      switch label {
      case nil: .description
      case localized("Camera"): .camera
      case localized("Path"), localized("Address"): .file
      case let label?: MetadataField.all.first { $0.label == label }.flatMap { PhotoQuery.SearchedText($0) }
      }
    return field.flatMap { query?.ranges(in: line, of: $0) } ?? []
  }

  /// Returns the ranges of the matches in the name or in a prefix of it.
  public func found(inName text: String) -> [Range<String.Index>] { query?.ranges(in: text, of: .name) ?? [] }
}
