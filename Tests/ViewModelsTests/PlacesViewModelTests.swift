import Gallery
import Services
import Synchronization
import TestLimit
import Testing

@testable import ViewModels

@Suite(.limited) @MainActor final class PlacesViewModelTests {
  /// Folders in memory: each with its photos, those of the folders in it included.
  private final class Folders: PlaceServiceProtocol {
    let counts: [FilePath: Int] = ["/a/1": 3, "/a/2": 0, "/a/3": 5, "/a/3/x": 5]
    let history = History()
    let used = Mutex<[FilePath]>(["/b/last", "/b/before"])
    let recent = Mutex([Place(folder: "/a/1"), Place(folder: "/b")])

    func folders(in folder: FilePath) async -> [FilePath] { counts.keys.filter { $0.folder == folder }.sorted() }
    func archives(in folder: FilePath) async -> [FilePath] {
      ["/c/one.cbz", "/c/two.cbz", "/c/x.zip"].filter { $0.folder == folder }
    }
    func summary(of folder: FilePath, upTo limit: Int) async -> FolderSummary {
      var summary = FolderSummary()
      summary.photoCount = min(counts[folder] ?? 0, limit)
      if summary.photoCount > 0 { summary.cover = .file(folder.appending(Array("1.jpg".utf8))) }
      return summary
    }
    func recentPlaces() async throws(APIError) -> [Place] { recent.withLock(\.self) }
    func visit(_ place: Place) async throws(APIError) -> PlaceState {
      await history.add("visit \(place.name)")
      return place == Place(folder: "/a/3") ? PlaceState(order: "date", photo: .file("/a/3/7.jpg")) : PlaceState()
    }
    func recentDestinations() async throws(APIError) -> [FilePath] { used.withLock(\.self) }
    func use(destination: FilePath) async throws(APIError) { await history.add("use \(destination.printable)") }
    func setOrder(_ order: String, of place: Place) async throws(APIError) {
      await history.add("\(place.name) by \(order)")
    }
    func setPhoto(_ photo: ImageLocation?, of place: Place) async throws(APIError) {
      await history.add("\(place.name) at \(photo?.printable ?? "first")")
    }
  }

  private let service = Folders()
  private let seen = History()
  private let places: PlacesViewModel

  init() {
    places = PlacesViewModel(service: service, bundled: "bundled gallery")
    places.onGo = { [seen, places] in
      seen.add("go \($0.name)")
      places.arrive(at: $0, in: $0.arguments.first.map { FilePath($0) })
    }
    places.onNote = { [seen] in seen.add($0) }
    places.onReturn = { [seen] in
      if let order = $0.order { seen.add("return by \(order) to \($0.photo?.printable ?? "first")") }
    }
  }

  private func arrive(at folder: FilePath) async {
    places.arrive(at: Place(folder: folder), in: folder)
    places.prepare()
    await places.settle()
    await places.listing?.value
  }

  /// The parts of a server come first.
  @Test func thePartsOfASourceAreListed() async {
    let album = PlacePart(Place(arguments: [Array("immich://a/albums/b".utf8)], name: "b"), photoCount: 7)
    let places = PlacesViewModel(service: service, bundled: "bundled gallery") { $0.name == "a" ? [album] : [] }
    places.arrive(at: Place(arguments: [Array("immich://a".utf8)], name: "a"), in: nil)
    places.list()
    await places.listing?.value
    #expect(places.entries.map(\.place.name) == ["b", "1", "b", "bundled gallery"])
    #expect(places.entries[0].kind == .part && places.entries[0].photoCount == 7)
    // While they are asked for again, they stay.
    var kept: [Bool] = []
    let binding = places.$entries.bind { kept.append($0.contains { $0.kind == .part }) }
    places.list()
    await places.listing?.value
    #expect(kept.count > 1 && kept.allSatisfy(\.self))
    binding.cancel()
    places.arrive(at: Place(folder: "/a"), in: "/a")
    places.list()
    await places.listing?.value
    #expect(!places.entries.contains { $0.kind == .part })
  }

  /// While no folder is open, those to begin with are listed, as far as they are there, with those in the first one.
  @Test func theUsersFoldersFollowTheRecentOnesBesideTheBundledGallery() async {
    let places = PlacesViewModel(
      service: service, bundled: "bundled gallery", starts: ["/a/3", "/a/4", "/a/2", "/a/1"])
    places.arrive(at: Place(arguments: [], name: "bundled gallery"), in: nil)
    places.list()
    await places.listing?.value
    #expect(places.entries.map(\.place.name) == ["1", "b", "3", "x", "2"])
    #expect(places.entries.map(\.kind) == [.recent, .recent, .start, .start, .start])
    #expect(places.entries.allSatisfy { $0.photoCount == nil })
  }

  @Test func anyFolderIsFoundByItsPath() async {
    await arrive(at: "/a/1")
    let known = places.entries
    for (text, names) in [
      ("/a/", ["/a/1", "/a/2", "/a/3"]), ("/a/1/", ["/a/1/"]), ("/a/3", ["/a/3"]), ("../3", ["../3"]), ("/a/x", []),
      ("3", []),
    ] {
      places.type(text)
      await places.typing?.value
      let typed = places.entries.filter { $0.kind == .typed }
      #expect(typed.map(\.text) == names, "\(text)")
      #expect(Array(places.entries.dropFirst(typed.count)) == known)
    }
    places.type("../3/")
    await places.typing?.value
    places.go(to: places.entries[1].place)
    await places.moving?.value
    #expect(seen.entries.last == "go x" && places.current == Place(folder: "/a/3/x"))
  }

  @Test func archivesAreListedBesideFoldersAndFollowEachOther() async {
    await arrive(at: "/c")
    #expect(places.entries.filter { $0.kind == .archive }.map(\.place.name) == ["one.cbz", "two.cbz", "x.zip"])
    await arrive(at: "/c/two.cbz")
    places.list()
    await places.listing?.value
    #expect(places.entries.filter { $0.kind == .archive }.map(\.place.name) == ["one.cbz", "x.zip"])
    #expect(places.entries.allSatisfy { $0.kind != .archive || $0.photoCount == nil })
    places.go(by: 1)
    await places.moving?.value
    #expect(places.current == Place(folder: "/c/x.zip"))
    places.goToParent()
    await places.moving?.value
    #expect(places.current == Place(folder: "/c"))
  }

  @Test func theNearestPlacesComeFirst() async {
    await arrive(at: "/a")
    places.list()
    await places.listing?.value
    let lines = places.entries.map { "\($0.kind) \($0.place.name) \($0.photoCount ?? -1)" }
    #expect(
      lines == [
        "parent / -1", "folder 1 3", "folder 2 0", "folder 3 5", "recent b -1", "bundledGallery bundled gallery -1",
      ])
  }

  @Test func namedSourcesComeBeforeTheRecentOnes() async {
    let shop = Place(arguments: [Array("https://shop.example".utf8)], name: "Shop")
    places.named = [shop, Place(arguments: [Array("/b".utf8)], name: "Archive")]
    await arrive(at: "/a")
    #expect(
      places.entries.suffix(3).map { "\($0.kind) \($0.place.name)" } == [
        "named Shop", "named Archive", "bundledGallery bundled gallery",
      ])
    // The open source is not offered, whatever it is called.
    places.arrive(at: Place(arguments: shop.arguments, name: "shop.example"), in: nil)
    #expect(!places.entries.contains { $0.kind == .named && $0.place == shop })
  }

  @Test func aNamedFolderBesideTheOpenOneIsCountedOnce() async {
    places.named = [Place(arguments: [Array("/a/3".utf8)], name: "Archive")]
    await arrive(at: "/a")
    places.list()
    await places.listing?.value
    let counts = places.entries.filter { $0.place == Place(folder: "/a/3") }.map { "\($0.kind) \($0.photoCount ?? -1)" }
    #expect(counts == ["folder 5", "named -1"])
  }

  @Test func coversAreFoundOfFoldersWithPhotos() async {
    await arrive(at: "/a")
    places.list()
    await places.listing?.value
    let covers = places.entries.map { $0.cover?.printable ?? "none" }
    #expect(covers == ["none", "/a/1/1.jpg", "none", "/a/3/1.jpg", "none", "none"])
  }

  @Test func theNextFolderWithPhotosFollows() async {
    await arrive(at: "/a/1")
    places.go(by: 1)
    places.go(by: 1)
    places.go(by: -1)
    await places.moving?.value
    let moves = seen.entries.filter { !$0.hasPrefix("return") }
    #expect(moves == ["go 3", "This is the last folder.", "go 1"])
  }

  @Test func theParentOfTheTopmostFolderIsNone() async {
    await arrive(at: "/a")
    places.goToParent()
    places.goToParent()
    await places.moving?.value
    #expect(seen.entries == ["go /", "This is the topmost folder."])
    places.arrive(at: Place(arguments: [], name: "bundled gallery"), in: nil)
    places.goToParent()
    await places.moving?.value
    #expect(seen.entries.last == "No folder is open. “Folders” lists yours.")
    #expect(!places.entries.contains { $0.kind == .parent || $0.kind == .bundledGallery })
  }

  @Test func foldersBesideTheOpenOneFollowItsParent() async {
    await arrive(at: "/a/1")
    places.list()
    await places.listing?.value
    let lines = places.entries.map {
      "\($0.kind) \($0.place.name) \($0.photoCount ?? -1) \($0.cover?.printable ?? "-")"
    }
    // Elsewhere than in the open folder, only a cover is looked for.
    #expect(
      lines == [
        "parent a -1 -", "beside 2 -1 -", "beside 3 -1 /a/3/1.jpg", "recent b -1 -",
        "bundledGallery bundled gallery -1 -",
      ])
  }

  @Test func theFirstFolderHasNoPreviousOne() async {
    await arrive(at: "/a/3")
    places.go(by: -1)
    places.go(by: -1)
    await places.moving?.value
    places.arrive(at: Place(arguments: [], name: "bundled gallery"), in: nil)
    places.go(by: 1)
    await places.moving?.value
    let moves = seen.entries.filter { !$0.hasPrefix("return") }
    #expect(moves == ["go 1", "This is the first folder.", "No folder is open. “Folders” lists yours."])
  }

  @Test func aPlaceThatIsTheFirstOneHasNoLastPlace() async {
    service.recent.withLock { $0 = [] }
    places.goBack()
    await places.moving?.value
    #expect(seen.entries == ["No other folder was opened before."])
  }

  @Test func goingBackDoesNotNeedTheListOfPlaces() async {
    places.arrive(at: Place(folder: "/a/1"), in: "/a/1")
    #expect(places.last == nil)
    places.goBack()
    await places.moving?.value
    #expect(seen.entries.contains("go b"))
  }

  @Test func placesThatTheUserListsAreCountedAlthoughTheyArePreparedAfterwards() async {
    places.arrive(at: Place(folder: "/a"), in: "/a")
    places.list()
    places.prepare()
    await places.listing?.value
    #expect(places.entries.compactMap(\.photoCount) == [3, 0, 5])
  }

  @Test func theLastPlaceIsTheOneBeforeTheOpenOne() async {
    await arrive(at: "/a/1")
    #expect(places.last == Place(folder: "/b"))
    places.goBack()
    places.goBack()
    await places.moving?.value
    #expect(seen.entries.suffix(2) == ["go b", "go 1"])
  }

  @Test func theOrderAndThePhotoOfAPlaceAreKeptAndReported() async {
    await arrive(at: "/a/3")
    #expect(seen.entries == ["return by date to /a/3/7.jpg"])
    places.keep(order: "name")
    places.keep(photo: .file("/a/3/8.jpg"))
    places.keep(photo: nil)
    await places.settle()
    #expect(service.history.entries == ["visit 3", "3 by name", "3 at /a/3/8.jpg", "3 at first"])
    // The standard input can't be opened again.
    places.arrive(at: Place(arguments: [Array("-".utf8)], name: "standard input"), in: nil)
    places.keep(photo: .file("/a/3/8.jpg"))
    await places.settle()
    #expect(service.history.entries.count == 4)
  }

  // MARK: Destinations

  private func destination() -> DestinationViewModel {
    places.named = [Place(arguments: [Array("/archive".utf8)], name: "Archive"), Place(arguments: [], name: "gallery")]
    return DestinationViewModel(service: service, folder: "/a", named: places.named, home: "/home/ann")
  }

  @Test func aTextLeadsToAFolder() {
    let destination = destination()
    let folders = ["", "x", "../x/y", "/b/", "~", "~/x", "~x"].map { destination.folder(of: $0)?.printable ?? "none" }
    #expect(folders == ["none", "/a/x", "/x/y", "/b", "/home/ann", "/home/ann/x", "/a/~x"])
  }

  @Test func foldersAreOfferedThatGoOnFromTheText() async {
    let destination = destination()
    func offered(_ text: String) async -> [String] {
      destination.type(text)
      await destination.listing?.value
      return destination.suggestions.map { $0.note.isEmpty ? $0.text : "\($0.text) (\($0.note))" }
    }
    #expect(await offered("") == ["/b/last", "/b/before", "/archive (Archive)", "1/", "2/", "3/"])
    #expect(await offered("3") == ["3/"])
    #expect(await offered("3/") == ["3/x/"])
    #expect(await offered("../a/") == ["../a/1/", "../a/2/", "../a/3/"])
    #expect(await offered("new") == [])
    destination.type("3/")
    await destination.listing?.value
    #expect(destination.suggestions.map(\.folder) == ["/a/3/x"])
  }

  @Test func aFolderThatWasUsedIsOfferedOnceAndThoseBesideComeLast() async {
    let named = [Place(arguments: [Array("/b/last".utf8)], name: "Archive")]
    let destination = DestinationViewModel(service: service, folder: "/a/3", named: named, home: nil)
    destination.type("")
    await destination.listing?.value
    #expect(destination.suggestions.map(\.text) == ["/b/last", "/b/before", "x/", "../1/", "../2/"])
    #expect(destination.suggestions.map(\.folder) == ["/b/last", "/b/before", "/a/3/x", "/a/1", "/a/2"])
    service.used.withLock { $0 = ["/a/1", "/b/last"] }
    destination.type("")
    await destination.listing?.value
    #expect(destination.suggestions.map(\.text) == ["../1/", "/b/last", "x/", "../2/"])
    destination.type("X")
    await destination.listing?.value
    #expect(destination.suggestions.map(\.text) == ["x/"])
    #expect(destination.folder(of: "~/x") == "/a/3/~/x")
  }

  @Test func tenFoldersAreOfferedAtMost() async {
    let named = (0..<20).map { Place(arguments: [Array("/n/\($0)".utf8)], name: "\($0)") }
    let destination = DestinationViewModel(service: service, folder: "/a", named: named, home: nil)
    destination.type("")
    await destination.listing?.value
    #expect(destination.suggestions.count == 10)
  }

  @Test func aChosenDestinationIsStored() async {
    await arrive(at: "/a")
    places.destination(from: "/a").use("/b/new")
    await places.settle()
    #expect(service.history.entries.last == "use /b/new")
  }

  @Test func aDestinationMayBeginWithTheHomeFolder() throws {
    let home = try #require(FilePath.home)
    #expect(places.destination(from: "/a").folder(of: "~/new") == home.appending("new".utf8))
    #expect(places.folders(from: "/a", named: []).folder(of: "~/new") == home.appending("new".utf8))
  }
}
