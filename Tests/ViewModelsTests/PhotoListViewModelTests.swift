import Foundation
import Gallery
import Testing

@testable import ViewModels

@MainActor
@Suite struct PhotoListViewModelTests {
  private let service = HeldPhotos()
  private let history = History()

  private func makeViewModel() -> PhotoListViewModel {
    let viewModel = PhotoListViewModel(
      service: service, desktop: HeldDesktop(), exporter: FakeExporter(), calendar: UserCalendar { _ in -5 * 3600 })
    viewModel.onReload = { [unowned viewModel, history] in history.add("reload \(viewModel.rows.map(\.name))") }
    viewModel.onAlert = { [history] in history.add("alert \($0.title): \($0.message)") }
    viewModel.onLoading = { [history] in history.add("loading \($0)") }
    viewModel.onOpen = { [history] in history.add("open \($0.name)") }
    return viewModel
  }

  @Test func aFetchReportsLoadingThenRows() async throws {
    let viewModel = makeViewModel()
    #expect(viewModel.state == .idle)
    viewModel.fetch()
    #expect(viewModel.isLoading)
    service.give(.all("A", "B"), to: 0)
    try await history.wait(for: 3)
    #expect(history.entries == ["loading true", "reload [\"A\", \"B\"]", "loading false"])
    #expect(viewModel.state == .loaded)
    #expect(viewModel.source.totalCount == 2)
  }

  @Test func aSecondFetchIsNotStartedWhileOneRuns() async throws {
    let viewModel = makeViewModel()
    viewModel.fetch()
    viewModel.fetch()
    service.give(.all("A"), to: 0)
    try await history.wait(for: 3)
    #expect(service.asked == ["first"])
    #expect(history.entries == ["loading true", "reload [\"A\"]", "loading false"])
  }

  @Test(arguments: [
    APIError.noNetwork, .serverOverload, .permissionDenied(), .unreadableContent(source: "a", fault: "b"),
  ])
  func aFailedFetchAlertsKeepsTheRowsAndCanBeRetried(error: APIError) async throws {
    let viewModel = makeViewModel()
    viewModel.fetch()
    service.give(.all("A"), to: 0)
    try await history.wait(for: 3)
    viewModel.fetch()
    service.give(.failure(error), to: 1)
    try await history.wait(for: 6)
    #expect(history.entries[3...] == ["loading true", "loading false", "alert Can't load photos: \(error.message)"])
    #expect(viewModel.rows.map(\.name) == ["A"])
    #expect(viewModel.state == .failed(error))
    viewModel.fetch()
    service.give(.all("B"), to: 2)
    try await history.wait(for: 9)
    #expect(history.entries[6...] == ["loading true", "reload [\"B\"]", "loading false"])
  }

  @Test func anAnswerToACanceledFetchChangesNothing() async throws {
    let viewModel = makeViewModel()
    viewModel.fetch()
    let canceled = viewModel.fetching
    viewModel.cancelFetch()
    #expect(viewModel.state == .idle)
    viewModel.fetch()
    service.give(.all("new"), to: 1)
    try await history.wait(for: 5)
    service.give(.all("old"), to: 0)
    try await end(of: canceled)
    #expect(
      history.entries == [
        "loading true", "loading false", "loading true", "reload [\"new\"]", "loading false",
      ])
    #expect(viewModel.rows.map(\.name) == ["new"])
  }

  @Test func aViewModelCanBeReleasedDuringAFetch() async throws {
    var viewModel: PhotoListViewModel? = makeViewModel()
    weak let weakly = viewModel
    viewModel?.fetch()
    let fetching = viewModel?.fetching
    viewModel = nil
    #expect(weakly == nil)
    service.give(.all("A"), to: 0)
    try await end(of: fetching)
    #expect(history.entries == ["loading true"])
  }

  @Test func pressingAPhotoForSaleSelectsAndOpensIt() async throws {
    let viewModel = try await loaded([photo("A", isForSale: false), photo("B", isForSale: true)])
    viewModel.rows[1].press()
    #expect(history.entries[3...] == ["open B"])
    #expect(viewModel.selectedPhoto?.name == "B")
  }

  @Test func pressingAPhotoNotForSaleSelectsNothingAndAlerts() async throws {
    let viewModel = try await loaded([photo("A", isForSale: false), photo("B", isForSale: true)])
    viewModel.rows[1].press()
    viewModel.rows[0].press()
    #expect(history.entries[3...] == ["open B", "alert Alert: This item is not for sale"])
    #expect(viewModel.selectedPhoto == nil)
  }

  @Test func aPhotoThatMayBeForSaleIsOpened() async throws {
    let viewModel = try await loaded([photo("A", isForSale: nil)])
    viewModel.rows[0].press()
    #expect(history.entries[3...] == ["open A"])
    #expect(viewModel.rows[0].saleBadge == nil)
  }

  @Test func viewingOpensAPhotoThatIsNotForSale() async throws {
    let viewModel = try await loaded([photo("A", isForSale: false)])
    viewModel.view(row: 0)
    #expect(history.entries[3...] == ["open A"])
    #expect(viewModel.selectedPhoto == nil)
  }

  @Test func viewingARowThatDoesNotExistDoesNothing() async throws {
    let viewModel = try await loaded([])
    viewModel.view(row: 0)
    viewModel.view(row: -1)
    #expect(history.entries.count == 3)
  }

  private func loaded(_ photos: [Photo]) async throws -> PhotoListViewModel {
    let viewModel = makeViewModel()
    viewModel.fetch()
    service.give(.all(photos))
    try await history.wait(for: 3)
    return viewModel
  }
}

@MainActor
@Suite struct PhotoRowTests {
  @Test(arguments: [
    ("X100", "Fog", "X100 - Fog"), ("X100", nil, "X100"), (nil, "Fog", "Fog"), (nil, nil, ""),
    (nil, "two\nlines", "two lines"),
  ])
  func theSubtitleLeavesMissingPartsOut(camera: String?, description: String?, subtitle: String) {
    let row = PhotoRow(photo("A", camera: camera, description: description))
    #expect(row.subtitle == subtitle)
  }

  /// A date is shown as the camera or the catalog wrote it, in whatever time zone the user is.
  @Test func theDateIsInThePhotosTimeZone() {
    func date(createdOffset: Int, takenAt: CaptureTime? = nil) -> [String] {
      var metadata = PhotoMetadata()
      metadata.takenAt = takenAt
      // 2017-11-06T00:00Z
      let photo = Photo(
        id: 1, name: "A", createdAt: Date(timeIntervalSince1970: 1_509_926_400), createdOffset: createdOffset,
        imageURL: "a.jpg", image: .file("/a.jpg"), metadata: metadata)
      return [PhotoRow(photo).date] + PhotoDetail(photo).fields.prefix(1).map(\.value)
    }
    #expect(date(createdOffset: 0) == ["2017-11-06", "2017-11-06 00:00"])
    #expect(date(createdOffset: 9 * 3600) == ["2017-11-06", "2017-11-06 09:00"])
    #expect(date(createdOffset: -5 * 3600) == ["2017-11-05", "2017-11-05 19:00"])
    let clock = 1_071_403_304.25
    for offset in [nil, 0, -12_600] {
      let taken = CaptureTime(clock: clock, offset: offset)
      #expect(date(createdOffset: 3600, takenAt: taken) == ["2003-12-14", "2003-12-14 12:01"])
    }
  }

  @Test func theBadgeSaysWhetherThePhotoIsForSale() {
    #expect(PhotoRow(photo("A", isForSale: true)).saleBadge?.text == "For sale")
    #expect(PhotoRow(photo("A", isForSale: false)).saleBadge?.text == "Not for sale")
    #expect(PhotoRow(photo("A", isForSale: nil)).saleBadge == nil)
  }

  @Test func theDetailHasEachKnownField() {
    let detail = PhotoDetail(
      photo("A", isForSale: true, camera: "X100", description: "one\ntwo"))
    #expect(detail.fields.map(\.label) == ["Date", "Camera", "License", "Image", "Id"])
    #expect(detail.description == ["one", "two"])
    #expect(detail.author == "N")
  }
}

@MainActor
@Suite struct PhotoDetailTests {
  @Test func metadataIsWrittenAsPhotographersDo() {
    var metadata = PhotoMetadata()
    (metadata.exposureTime, metadata.fNumber, metadata.focalLength, metadata.iso) = (0.004, 2.8, 35, 400)
    (metadata.width, metadata.height, metadata.rating, metadata.lens) = (6000, 4000, 4, "XF35mm")
    metadata.place = PhotoMetadata.Place(latitude: -33.85675, longitude: 151.21496)
    metadata.keywords = ["harbour", "for sale"]
    let photo = Photo(
      id: 1, name: "A", createdAt: Date(timeIntervalSince1970: 0), imageURL: "a.jpg", image: .file("/a.jpg"),
      metadata: metadata)
    let fields = PhotoDetail(photo).fields.map { "\($0.label): \($0.value)" }
    for field in [
      "Lens: XF35mm", "Exposure: 1/250 s, f/2.8, 35 mm, ISO 400", "Pixels: 6000×4000",
      "Place: 33.8568° S, 151.2150° E", "Rating: ★★★★", "Keywords: harbour, for sale",
    ] { #expect(fields.contains(field), "\(fields)") }
  }
}
