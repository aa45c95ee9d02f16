import Foundation
import Gallery
import Services
import TestLimit
import Testing

@testable import Photos
@testable import ViewModels

/// The forms that correct times and add positions.
@MainActor
@Suite(.limited) struct ClockAndTrackTests {
  private let fixture = PhotoListFixture()
  private var choosing: PhotoChoosingViewModel { fixture.choosing }

  private static func shot(
    _ name: String, _ time: String?, _ camera: String? = "X100V", place: PhotoMetadata.Place? = nil,
    kind: PhotoKind = .image
  ) -> Photo {
    var metadata = PhotoMetadata()
    metadata.takenAt = time.flatMap { CaptureTime(metadata: $0) }
    metadata.camera = camera
    metadata.place = place
    metadata.kind = kind
    return photo(name, camera: camera, at: .file(FilePath("/\(name).jpg")), metadata: metadata)
  }

  private func load(_ photos: [Photo]) async throws {
    try await fixture.load(.all(photos).with { $0.capabilities = .folder })
  }

  /// Waits until what a form says has changed.
  private func wait(for form: some Form, _ change: () -> Void) async {
    await withCheckedContinuation { done in
      form.onChange = {
        form.onChange = {}
        done.resume()
      }
      change()
    }
  }

  private func clockForm(row: RowIndex) async throws -> ClockViewModel {
    let form = await withCheckedContinuation { done in choosing.makeClockForm(row: row) { done.resume(returning: $0) } }
    let found = try #require(form)
    if found.plan == nil { await wait(for: found) {} }
    return found
  }

  @Test func theTimeOfOnePhotoCorrectsItsCamera() async throws {
    try await load([
      Self.shot("A", "2026-05-03T13:03:20"), Self.shot("B", "2026-05-03T14:00:00", "R5"),
      Self.shot("C", "2026-05-03T15:00:00.5"), Self.shot("D", nil),
      Self.shot("E", "2026-05-03T15:00:00", kind: .video),
    ])
    let form = try await clockForm(row: 0)
    #expect(form.fields[0].value == "2026-05-03 13:03:20" && form.fields[4].choices == ["all of X100V: 4", "this one"])
    #expect(form.fault == "Change the time, the difference or a zone.")
    await wait(for: form) { form.set("14:03:20", of: 0) }
    #expect(form.fields[1].value == "+1:00:00" && form.fault == nil)
    #expect(
      form.preview == [
        "2 photos change:", "A: 2026-05-03 13:03:20 → 2026-05-03 14:03:20",
        "C: 2026-05-03 15:00:00 → 2026-05-03 16:00:00", "Without a time: 1 photo", "Videos left out: 1",
      ])
    form.submit()
    let times = fixture.viewModel.rows.map { $0.decisions.takenAt?.iso8601 }
    #expect(
      times == [
        "2026-05-03T14:03:20", "2026-05-03T14:00:00", "2026-05-03T16:00:00.5", nil, "2026-05-03T15:00:00",
      ])
    #expect(fixture.history.entries.last == "note Time +1:00:00: 2 photos")
  }

  @Test func theDifferenceAndTheZonesFollow() async throws {
    try await load([Self.shot("A", "2026-07-03T18:00:00"), Self.shot("B", "2026-07-03T19:00:00+02:00")])
    let form = try await clockForm(row: 0)
    await wait(for: form) { form.set("+1:00", of: 0) }
    #expect(form.fields[1].value == "+1:00:00" && form.plan?.photoCount == 2)
    await wait(for: form) { form.set("-1d", of: 1) }
    #expect(form.fields[0].value == "2026-07-02 18:00:00")
    await wait(for: form) { form.set("", of: 1) }
    #expect(form.fields[0].value == "2026-07-03 18:00:00")
    await wait(for: form) { form.set("Asia/Tokyo", of: 3) }
    // The zone of the first one is unknown.
    #expect(form.plan?.zonelessCount == 1 && form.preview.contains("Without a time zone: 1 photo"))
    await wait(for: form) { form.set("Asia/Atlantis", of: 3) }
    #expect(form.fault == "There is no time zone “Asia/Atlantis”.")
    await wait(for: form) { form.set("Asia/Tokyo", of: 3) }
    await wait(for: form) { form.set("Europe/Berlin", of: 2) }
    #expect(form.preview.first == "2 photos change:" && form.plan?.correction.text == "Asia/Tokyo")
    #expect(form.plan?.examples.map(\.new.iso8601) == ["2026-07-04T01:00:00+09:00", "2026-07-04T02:00:00+09:00"])
    form.set("25:00", of: 0)
    #expect(form.fault == "Write the time as 2026-05-03 14:03:20 or 14:03:20.")
  }

  /// A correction that has not been read yet is the start of the next one, and the marked photos can be chosen.
  @Test func aSecondCorrectionGoesOnFromTheFirst() async throws {
    try await load([Self.shot("A", "2026-05-03T13:00:00"), Self.shot("B", "2026-05-03T14:00:00")])
    for _ in 0..<2 {
      let form = try await clockForm(row: 0)
      await wait(for: form) { form.set("+1:00", of: 1) }
      form.submit()
    }
    choosing.marks.toggle(row: 1, in: fixture.viewModel.rows)
    let form = try await clockForm(row: 0)
    #expect(form.fields[4].value == "the marked ones: 1")
    await wait(for: form) { form.set("+1:00", of: 1) }
    form.submit()
    #expect(
      fixture.viewModel.rows.map { $0.decisions.takenAt?.iso8601 } == ["2026-05-03T15:00:00", "2026-05-03T17:00:00"])
  }

  @Test func aPhotoWithoutATimeHasNoClock() async throws {
    try await load([Self.shot("A", nil)])
    let form = await withCheckedContinuation { done in choosing.makeClockForm(row: 0) { done.resume(returning: $0) } }
    #expect(form == nil)
  }

  /// A way to the east, a point a minute, from 12:00 UTC on.
  private static let track = PositionTrack(
    (0...60).map { minute in
      .init(
        moment: 1_777_809_600 + Double(minute) * 60,
        place: .init(latitude: 59.9, longitude: 10 + Double(minute) * 0.01, altitude: Double(minute)))
    })

  private func plan(_ photos: [Photo], _ change: (inout TrackPlan.Rules) -> Void = { _ in }) -> TrackPlan {
    var rules = TrackPlan.Rules()
    change(&rules)
    return TrackPlan(
      [NamedTrack(name: "walk.gpx", track: Self.track)], rules,
      forShots: photos.map { [($0, PhotoDecisions($0.metadata))] }, zone: LocalClock { _ in 7200 })
  }

  @Test func photosGetThePositionsOfTheirMoments() throws {
    let place = PhotoMetadata.Place(latitude: 1, longitude: 2)
    let photos = [
      Self.shot("A", "2026-05-03T14:00:30"), Self.shot("B", "2026-05-03T12:30:00Z"),
      Self.shot("C", "2026-05-03T14:10:00", place: place), Self.shot("D", "2026-05-03T18:00:00"),
      Self.shot("E", nil), Self.shot("F", "2026-05-03T14:20:00", kind: .video), Self.shot("G", "2026-05-03T15:04:00"),
    ]
    let plan = plan(photos)
    #expect(plan.changes.map(\.photo.name) == ["A", "B", "G"])
    #expect(
      plan.changes[0].edits.lines == ["Latitude: 59,54.000000N", "Longitude: 10,0.300000E", "Altitude: 5/10"])
    #expect((plan.placedCount, plan.farCount, plan.timelessCount, plan.videoCount) == (1, 1, 1, 1))
    #expect(plan.clockLines == ["X100V: clock at UTC+02:00 (guessed: your time zone)"])
    #expect(plan.request().title == "Positions of walk.gpx: 3 photos")
    #expect(self.plan(photos) { $0.replaces = true }.changes.map(\.photo.name) == ["A", "B", "C", "G"])
    #expect(self.plan(photos) { $0.limit = 60 }.changes.map(\.photo.name) == ["A", "B"])
    // A zone that the user names counts more than that in the files.
    let named = self.plan(photos) { $0.zone = ClockZone("UTC") }
    #expect(named.changes.map(\.photo.name) == ["B"] && named.clocks.isEmpty)
    // What is there already is not written again.
    let read = plan.changes.map { change in
      var metadata = change.photo.metadata ?? PhotoMetadata()
      let decisions = PhotoDecisions(metadata).applying(change.edits)
      (metadata.latitude, metadata.longitude, metadata.altitude) = (
        decisions.latitude, decisions.longitude, decisions.altitude
      )
      return photo(change.photo.name, at: change.photo.image, metadata: metadata)
    }
    #expect(self.plan(read) { $0.replaces = true }.changes.isEmpty)
  }

  /// The user's zone has summer time from a moment on.
  @Test func theUsersZoneHasSummerTime() {
    let start = PositionTrack(
      (0..<200).map { hour in
        .init(moment: 1_774_700_000 + Double(hour) * 3600, place: .init(latitude: Double(hour) / 10, longitude: 0))
      })
    let times = ["2026-03-28T20:00:00", "2026-03-30T20:00:00"].compactMap { CaptureTime(metadata: $0)?.clock }
    let photos = times.map { Self.shot("A", CaptureTime(clock: $0).iso8601) }
    let zone = LocalClock { $0.timeIntervalSince1970 < 1_774_746_000 ? 3600 : 7200 }
    var rules = TrackPlan.Rules()
    rules.limit = 1800
    let plan = TrackPlan(
      [NamedTrack(name: "", track: start)], rules, forShots: photos.map { [($0, PhotoDecisions($0.metadata))] },
      zone: zone)
    let moments = [times[0] - 3600, times[1] - 7200]
    let wanted = moments.map { start.position(at: $0, within: 1800)?.place.latitude }
    #expect(plan.examples.map(\.place.latitude) == wanted.compactMap(\.self) && plan.photoCount == 2)
  }

  /// Files that a service gives, or none.
  private struct Tracks: TrackServiceProtocol {
    func tracks(at path: FilePath) async throws(TrackFault) -> [NamedTrack] {
      if path != "/walk.gpx" { throw .missing }
      return [NamedTrack(name: "walk.gpx", track: await ClockAndTrackTests.track)]
    }
  }

  @Test func theFormShowsWhatATrackGives() async throws {
    let form = TrackViewModel(
      folder: nil,
      scopes: [
        PhotoScope(
          text: "all",
          shots: [
            [(Self.shot("A", "2026-05-03T12:30:00Z"), PhotoDecisions(Self.shot("A", "2026-05-03T12:30:00Z").metadata))]
          ])
      ], service: Tracks(),
      folders: DestinationViewModel(service: FakePlaces(), folder: "/", named: [], home: nil)
    ) { [history = fixture.history] in history.add("submit \($0.photoCount)") }
    #expect(form.fault == "Name a track, or a folder of tracks.")
    await wait(for: form) { form.set("none.gpx", of: 0) }
    #expect(form.fault == "There is no such file.")
    await wait(for: form) { form.set("walk.gpx", of: 0) }
    #expect(
      form.fault == nil
        && form.preview == [
          "1 track, 61 points · 2026-05-03 12:00 – 2026-05-03 13:00 UTC", "1 photo gets a position.",
          "A: 59.9000° N, 10.3000° E",
        ], "\(form.preview)")
    await wait(for: form) { form.set("Mars", of: 2) }
    #expect(form.fault == "There is no time zone “Mars”.")
    await wait(for: form) { form.set("", of: 2) }
    form.set("0", of: 1)
    #expect(form.fault == "Write the time to the nearest point as 5m or 300s.")
    await wait(for: form) { form.set("5m", of: 1) }
    form.submit()
    #expect(fixture.history.entries == ["submit 1"])
  }
}
