import Catalog
import Foundation
import Gallery
import Photos
import Resources
import Services
import TestLimit
import Testing
import ViewModels

/// The cases of the photo list's article: a service is asked for photos, the photos become rows, and a press of a row depends on
/// whether its photo is for sale.
@MainActor
@Suite(.limited) struct ArticlePhotoListTests {
  private let mockAPIService = MockAPIService()
  private let viewModel: PhotoListViewModel
  /// What the hooks were called with.
  private let seen = Recorder<String>()

  init() {
    viewModel = PhotoListViewModel(service: mockAPIService)
    viewModel.onReload = { [seen] in seen.add("reload") }
    viewModel.onLoading = { [seen] in seen.add("loading \($0)") }
    viewModel.onAlert = { [seen] in seen.add("alert \($0.title): \($0.message) [\($0.button)]") }
    viewModel.onOpen = { [seen] in seen.add("open \($0.name)") }
  }

  @Test func fetchingAsksTheService() {
    #expect(!mockAPIService.isFetchPhotosCalled)
    viewModel.fetch()
    #expect(mockAPIService.isFetchPhotosCalled)
  }

  @Test func aFailedFetchShowsTheMessageOfItsError() async throws {
    let error = APIError.permissionDenied()
    viewModel.fetch()
    mockAPIService.fetchFail(error)
    try await seen.wait(for: 3)
    #expect(seen.entries.last == "alert Can't load photos: \(error.message) [Ok]")
    #expect(viewModel.rows.isEmpty)
  }

  @Test func aFetchCreatesARowForEachPhoto() async throws {
    viewModel.fetch()
    mockAPIService.fetchSuccess(photos)
    try await seen.wait(for: 3)
    #expect(viewModel.rows.count == photos.count)
    #expect(seen.entries.contains("reload"))
  }

  @Test func theListIsLoadingWhileItFetches() async throws {
    viewModel.fetch()
    #expect(viewModel.isLoading)
    mockAPIService.fetchSuccess(photos)
    try await seen.wait(for: 3)
    #expect(!viewModel.isLoading)
    #expect(seen.entries == ["loading true", "reload", "loading false"])
  }

  @Test func pressingAPhotoForSaleSelectsAndOpensIt() async throws {
    try await fetchPhotos()
    viewModel.rows[0].press()
    #expect(viewModel.selectedPhoto == photos[0])
    #expect(seen.entries.last == "open Fog")
  }

  @Test func pressingAPhotoNotForSaleShowsAnAlert() async throws {
    try await fetchPhotos()
    viewModel.rows[1].press()
    #expect(viewModel.selectedPhoto == nil)
    #expect(seen.entries.last == "alert Alert: This item is not for sale [Ok]")
  }

  @Test func theRowAtAnIndexIsThatOfThePhoto() async throws {
    try await fetchPhotos()
    #expect(viewModel.rows[1].name == photos[1].name)
    #expect(viewModel.rows[1].image == photos[1].image)
  }

  @Test(arguments: [
    ("X100", "desc", "X100 - desc"), ("X100", nil, "X100"), (nil, "desc", "desc"), (nil, nil, ""),
  ])
  func aRowShowsTheCameraTheDescriptionAndTheDay(camera: String?, description: String?, subtitle: String) {
    let row = PhotoRow([photo("Name", description: description, camera: camera)])
    #expect(row.name == "Name")
    #expect(row.subtitle == subtitle)
    #expect(row.date == "2017-10-03")
  }

  @Test func theBundledServiceFetchesPhotos() async throws {
    let service = CatalogFile(path: FilePath(Resources.path("content.json")))
    for await answer in service.fetchPhotos() {
      let snapshot = try answer.get()
      guard snapshot.isComplete else { continue }
      #expect(snapshot.photos.count > 0)
      #expect(Set(snapshot.photos.map(\.id)).count == snapshot.photos.count)
      return
    }
    Issue.record("no answer has all photos")
  }

  private let photos = [photo("Fog", isForSale: true), photo("Moss", isForSale: false)]

  private func fetchPhotos() async throws {
    viewModel.fetch()
    mockAPIService.fetchSuccess(photos)
    try await seen.wait(for: 3)
  }
}
