import ArgumentParser
import CSystem
import Configuration
import Folder
import Foundation
import Gallery
import Geography
import HTTP
import Images
import Photos
import Remote
import Resources
import Screens
import Services
import Store
import Terminal
import ViewModels
import WorkerPool

/// The command that opens the gallery. It runs if the arguments name no subcommand.
struct Browse: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tintype",
    abstract: "A photo gallery for the terminal.",
    discussion: """
      Without a source, it opens the bundled gallery. In the gallery, press ? for the keys.

      tintype HOST:FOLDER         Open photos on another machine through ssh
      tintype show FILE...        Print images inline
      tintype list SOURCE         Print the photos that the gallery would list
      tintype duplicates DIR...   Print the photos that are there in several files
      tintype catalogue FOLDER    Write a catalog of a folder's photos, or check one
      tintype import CARD         Copy new photos from a memory card
      tintype apply TEMPLATE ...  Give photos the creator, copyright and place of a template
      tintype clock FILE...       Correct the times of photos whose camera had a wrong clock
      tintype geotag TRACK ...    Give photos positions from a GPX, KML or NMEA track
      tintype collection          List, show, change and export collections of photos
      tintype export FILE...      Make new files of photos, such as smaller JPEGs
      tintype sheet FILE...       Make a contact sheet: a PDF, a web page or PNGs
      tintype thumbnails FILE...  Create missing desktop thumbnails
      tintype history             List what was decided about photos
      tintype config              Print the default configuration, or check one
      tintype doctor              Diagnose image support in this terminal
      """,
    version: Release.version)

  @Argument(help: GallerySource.help, completion: .file())
  var sources: [FileArgument] = []

  @Flag(name: .customShort("0"), help: "Use NUL-separated paths on input and with --print.")
  var hasZeroBytes = false

  @Flag(name: .customLong("print"), help: "Print the paths of the marked photos on exit.")
  var printsMarked = false

  @Option(
    help: ArgumentHelp(
      "Give a star to the photos of SOURCE that a list names, such as that of a contact sheet; - for standard input.",
      valueName: "list"),
    completion: .file())
  var pick: FileArgument?

  @Flag(help: "Exit with an error if anything cannot be read.")
  var strict = false

  @Option(
    help: ArgumentHelp(
      """
      Simulate a slow server: delay every reply, in each room, by this many seconds. (default: 1 for the bundled \
      gallery, else 0)
      """,
      valueName: "seconds"))
  var delay: Double?

  @Option(help: ArgumentHelp("Start a slideshow with this many seconds per photo.", valueName: "seconds"))
  var slideshow: Double?

  @Option(
    name: .customLong("picture-memory"),
    help: ArgumentHelp(
      "Limit the memory for prepared images (MB). (default: \(ImageLoader.usualMegabytes))", valueName: "megabytes"))
  var imageMemory: Int?

  @Option(help: "Name new sidecars a.jpg.xmp (long) or a.xmp (short). (default: long)")
  var sidecars: SidecarNames?

  @Option(
    help: ArgumentHelp("The colors of the interface; see tintype config --themes.", valueName: "name"),
    completion: .themes)
  var theme: String?

  @Option(help: "The room to open.")
  var room = RoomName.photos

  @Option(
    help: ArgumentHelp(
      """
      Search covers on this server (iTunes Search API) instead of the bundled collection, with or without /search at the \
      end. (default: $TINTYPE_MUSIC_URL)
      """,
      valueName: "url"))
  var musicURL: String?

  @Flag(
    help: """
      For screen readers and magnifiers: draw no lines, signs and spinners, put the terminal's cursor on what is \
      highlighted, and announce it and every change in the second line.
      """)
  var plain = false

  @OptionGroup var web: WebOptions

  @OptionGroup var look: LookOptions

  func validate() throws {
    if let delay, !(0...3600).contains(delay) {
      throw ValidationError("--delay takes a number of seconds from 0 to 3600.")
    }
    if let slideshow, !(0.1...86_400).contains(slideshow) {
      throw ValidationError("--slideshow takes a number of seconds from 0.1 to 86400.")
    }
    if let imageMemory, !(1...4096).contains(imageMemory) {
      throw ValidationError("--picture-memory takes a number of megabytes from 1 to 4096.")
    }
    if let musicAddress {
      let url = URL(string: musicAddress)
      guard let url, url.host != nil, ["http", "https"].contains(url.scheme?.lowercased()), url.query == nil,
        url.fragment == nil
      else { throw ValidationError("--music-url takes an http:// or https:// address without ? or #.") }
    }
    let source = try GallerySource(sources)
    try source.check(web)
    if pick != nil, source.root == nil { throw ValidationError("--pick needs the folder of the photos.") }
  }

  /// The address of the music server; nil for the bundled music.
  private var musicAddress: String? {
    musicURL ?? ProcessInfo.processInfo.environment["TINTYPE_MUSIC_URL"].flatMap { $0.isEmpty ? nil : $0 }
  }

  func run() throws {
    let source = try GallerySource(sources)
    source.exitIfUnusable()
    if let pick { Shell.run(Self.self) { await self.pick(pick, in: source) } }
    return_large_blocks()
    let configuration = ConfigurationSource.user
    let settings = configuration.read()
    let server = try source.server(web, named: settings.configuration.sources)
    let scheme = try scheme(configuration.choices.themes)
    if case .remote = source {
      // ssh asks its questions before the gallery is on the screen.
      Task.onMainActor {
        do {
          let remote = try await RemoteConnections.open(
            source, settings.configuration, sidecars: sidecars, asks: true)
          let services = services(of: source, server: server, remote: remote, settings.configuration)
          try openGallery(services, source, configuration, settings, scheme)
        } catch let error as APIError {
          Shell.print(error.messageInShell, to: .standardError)
          Foundation.exit(EXIT_FAILURE)
        } catch {
          Shell.exit(printing: error, of: Self.self)
        }
      }
      Shell.serveMainQueue()
    }
    try MainActor.assumeIsolated {
      let services = services(of: source, server: server, settings.configuration)
      if strict {
        // A script that names one photo doesn't mean the others in its folder.
        let checked: any APIServiceProtocol =
          if case .photo(let path) = source {
            FolderService.withWorkers(scope: FolderScope(named: [path]), isWatching: false)
          } else {
            services.photos
          }
        Task.onMainActor {
          await exitIfProblems(checked, source)
          do { try openGallery(services, source, configuration, settings, scheme) } catch {
            Shell.exit(printing: error, of: Self.self)
          }
        }
      } else {
        try openGallery(services, source, configuration, settings, scheme)
      }
      Shell.serveMainQueue()
    }
  }

  @MainActor
  private func services(
    of source: GallerySource, server: NamedServer?, remote: RemoteConnection? = nil, _ configuration: Configuration,
    images: WebImageCache? = nil
  ) -> GalleryServices {
    GalleryServices(
      source: source, server: server, remote: remote, musicAddress: musicAddress, delay: delay,
      hasZeroBytes: hasZeroBytes,
      sidecars: sidecars ?? configuration.sidecars, parts: PhotoParts(editedEndings: configuration.editedEndings),
      images: images)
  }

  /// Reads the whole source, and ends the process if some of it could not be read.
  @MainActor
  private func exitIfProblems(_ photos: any APIServiceProtocol, _ source: GallerySource) async {
    let last: PhotoSnapshot
    do throws(APIError) {
      last = try await photos.completeSnapshot()
    } catch {
      Shell.print(error.messageInShell, to: .standardError)
      Foundation.exit(EXIT_FAILURE)
    }
    guard last.problems.count > 0 else { return }
    for problem in last.problems.first { Shell.print(problem.message, to: .standardError) }
    Shell.print(
      "\(source.name): \((last.photos.count - last.groups.hiddenCount).photosText), \(last.problems.count.grouped) "
        + (last.problems.count == 1 ? "problem" : "problems"), to: .standardError)
    Foundation.exit(EXIT_FAILURE)
  }

  @MainActor
  private func openGallery(
    _ services: GalleryServices, _ source: GallerySource, _ configuration: ConfigurationSource,
    _ outcome: ConfigurationSource.Outcome, _ scheme: ColorScheme?
  ) throws {
    let settings = settings(outcome.configuration, scheme)
    Charset.isPlain = plain || outcome.configuration.isPlain
    InterfaceLanguage.use(settings.language)
    // The first image waits for a worker process, which starts meanwhile.
    let loader = settings.images.makeLoader(
      megabytes: imageMemory ?? outcome.configuration.memory, web: services.images)
    for (connection, _) in RemoteConnections.all { loader?.add(connection, for: connection.address.machine) }
    // The console sets variables of the environment for a moment, so it comes before any thread that could read them.
    let console = try Console(
      colors: look.chosenColors.map(\.depth) ?? outcome.configuration.colors, scheme: settings.scheme,
      isOutputElsewhere: printsMarked)
    let problems = Subject<StoreProblem>()
    // What is printed at the end is what the user chooses now.
    let onProblem: @Sendable (StoreProblem) -> Void = { problem in Task.onMainActor { problems.send(problem) } }
    let stores = Stores(onProblem: onProblem)
    let viewModels = services.makeViewModels(marking: printsMarked ? nil : source, stores, onProblem: onProblem)
    // The details need the cities at once, and the main thread may not read them.
    let cities = Task(executorPreference: WorkerPool.shared) { Gazetteer.loaded }
    // The source is read on other threads while the rest is made. Its answers wait for the main actor.
    if room == .photos { viewModels.photos.fetch() }
    let window = GalleryWindow(
      console: console, viewModels: viewModels,
      source: OpenSource(place: Self.place(of: source), folder: Self.folder(of: source)),
      loader: loader,
      settings: settings, room: room, firstView: firstView(of: source), clock: services.clock)
    // A user who opens one photo expects the next file of its folder after it, even if both are shots of one stack.
    if Self.isOfPhoto(source) { viewModels.choosing.stacks.set(areOn: false) }
    let live = LiveConfiguration(configuration, first: outcome)
    let reporting = problems.bind { [unowned window] problem in
      // A user without a home folder expects nothing to be kept of photos.
      window.add(storageProblem: problem.message, concernsPhotos: problem.fault != .noPlace)
    }
    window.onQuit = { [unowned window] in
      console.leave()
      // From here on, errors are those of the command line.
      Translations.use(nil)
      Task.onMainActor {
        let waiting = Task.onMainActor {
          try? await services.clock.sleep(for: Self.patience)
          if Task.isCancelled { return }
          Shell.print("Saving your last changes…", to: .standardError)
          RemoteConnections.endWithNextOutage()
          GalleryServices.client.endWithNextOutage()
        }
        await settle(window)
        await live.settle()
        waiting.cancel()
        for failure in window.visitedSources.flatMap(\.failures) {
          Shell.print("\(failure.title): \(failure.message)", to: .standardError)
        }
        Foundation.exit(printsMarked ? await printMarked(window.visitedSources) : EXIT_SUCCESS)
      }
    }
    console.onHangUp = { [unowned console, unowned window] in
      RemoteConnections.endWithNextOutage()
      Task.onMainActor {
        await settle(window)
        console.end()
        Foundation.exit(EXIT_FAILURE)
      }
    }
    console.onEnding = { [unowned console, unowned window] in
      Task.onMainActor {
        await settle(window, writesSidecars: false)
        console.end()
      }
    }
    window.onSettled = { [unowned window] in
      // The user may have gone to another source already.
      for source in window.visitedSources { source.resume() }
      viewModels.basket.load()
      viewModels.guestbook.load()
      viewModels.savedSearches.load()
      viewModels.collections.load()
      live.start()
    }
    var current = outcome.configuration
    viewModels.places.onGo = { [unowned window] place in
      await go(to: place, in: window, current, stores, loader, services.images)
    }
    viewModels.places.named = current.sources.map(\.place)
    if theme != nil { live.options["theme"] = "--theme" }
    if look.chosenImages != nil { live.options["pictures"] = "--pictures" }
    window.settingsEditor = live
    live.onFault = { [unowned window] in window.note($0) }
    var reported = outcome.reports
    live.onChange = { [unowned window] outcome in
      current = outcome.configuration
      viewModels.places.named = current.sources.map(\.place)
      window.apply(self.settings(current, scheme))
      // A change of a setting leaves the file's other mistakes as they are.
      if outcome.reports != reported { show(outcome.reports, in: window) }
      reported = outcome.reports
    }
    let isFirstRoom = if case .bundled = source { room == .photos && slideshow == nil } else { false }
    window.open(offersPlaces: isFirstRoom)
    show(outcome.reports, in: window)
    Task.onMainActor { [weak window] in
      if case .failure(let fault) = await cities.value { window?.note(fault.message) }
    }
    Self.kept = (window, reporting, live)
  }

  /// Opens another source in the same window.
  @MainActor
  private func go(
    to place: Place, in window: GalleryWindow, _ configuration: Configuration, _ stores: Stores, _ loader: ImageLoader?,
    _ images: WebImageCache?
  ) async {
    if window.returnTo(place) { return }
    do {
      let (source, server) = try await GallerySource.find(place, named: configuration.sources)
      let remote = try await RemoteConnections.open(source, configuration, asks: false)
      if let remote { loader?.add(remote, for: remote.address.machine) }
      if let server { images?.add(server) }
      let services = services(of: source, server: server, remote: remote, configuration, images: images)
      let choosing = services.makeChoosing(marking: printsMarked ? nil : source, stores)
      // The user knows a server by the name in the configuration, and a folder by its own.
      window.show(
        OpenSource(place: server == nil ? Self.place(of: source) : place, folder: Self.folder(of: source)),
        choosing: choosing)
      choosing.resume()
    } catch {
      let message = (error as? APIError)?.message ?? (error as? ValidationError)?.message ?? error.localizedDescription
      window.show(Alert(title: localized("Can't open"), message: message))
    }
  }

  /// Returns the colors that the option names, or nil without it.
  private func scheme(_ themes: Themes) throws -> ColorScheme? {
    do throws(SettingFault) {
      return try theme.map { name throws(SettingFault) in try themes.scheme(named: name) }
    } catch { throw ValidationError(error.reason) }
  }

  /// Returns the settings of the configuration with the options of the command line, which go first.
  /// - Parameter scheme: The colors that an option names; nil for those of the configuration.
  private func settings(_ configuration: Configuration, _ scheme: ColorScheme?) -> Settings {
    var settings = configuration.settings
    if let images = look.chosenImages { settings.images = images }
    if Resources.imageWorker == nil {
      settings.images = .none
    } else {
      settings.exportPresets = configuration.exports + ExportPreset.own
    }
    settings.templates = configuration.templates
    if let glyphs = look.chosenGlyphs { settings.glyphs = glyphs }
    if let scheme { settings.scheme = scheme }
    return settings
  }

  /// Shows what is wrong with the configuration. The gallery goes on with the rest of it.
  @MainActor
  private func show(_ reports: [String], in window: GalleryWindow) {
    guard !reports.isEmpty else { return }
    window.show(Alert(title: localized("Configuration"), message: reports.joined(separator: "\n\n")))
  }

  /// The time after which a message says why the program has not ended yet.
  private static let patience = Duration.seconds(1)

  /// The objects that live as long as the program.
  @MainActor private static var kept: (GalleryWindow, Subscription, LiveConfiguration)?
}
