import Gallery
import Terminal

/// The commands that keys, hints of the footer and clicks give. Each has a row in ``KeyBinding/standard`` below, with its
/// keys and its words, and an ``Action`` in each layer that carries it out.
enum Command: CaseIterable, Sendable {
  case moveUp, moveDown, moveLeft, moveRight, halfPageUp, halfPageDown, pageUp, pageDown, goTo, moveToFirst, moveToLast
  case press, view, cull, otherFile, toggleStack, toggleStacks, compare, contactSheet, justify, toggleRows, reload,
    stopLoading
  case nextPhoto, previousPhoto, readOn, zoomIn, zoomOut, zoom, zoomToFill, rotate
  case crop, narrow, widen, removeCrop
  case goToFocus, focusPeaking, clipping, developRaw
  case brighter, darker, moreContrast, lessContrast, grayView, resetTones, inspect
  case keep, rejectBeaten, nextPane, nextCandidate, previousCandidate, changePanes, unlink
  case play, pause, windBack, windForward, previousFrame, nextFrame, slower, faster, loop
  case slideshow, pauseSlideshow, shuffle, toggleInfo, toggleTitle
  case follow, putInBasket, takeOutOfBasket, search, complete, listAll, nextFound, previousFound, sort, showProblems
  case savedSearches, saveSearch, removeSearch, calendar, photoMap, wholeMap
  case collections, collect, takeOut, moveEarlier, moveLater
  case mark, markRange, markAll, openOutside, copyPlace, copyImage, map
  case export, exportPhotos, makeSheet, importPhotos, rename, moveTo, copyTo, trash, trashFile, trashRejects
  case rateNone, rateOne, rateTwo, rateThree, rateFour, rateFive, reject, keepBest
  case label, labelRed, labelYellow, labelGreen, labelBlue, favorite, keywords, caption, template, correctTime, geotag,
    undo, undoSession,
    redo
  case toggleAdvance
  case photosRoom, wallRoom, printsRoom, coversRoom, guestbookRoom, nextRoom, previousRoom, signIn
  case places, lastPlace, parentFolder, nextFolder, previousFolder, jobs
  case switchWindow, confirm, close, help, settings, redraw, quit
}

extension Command {
  /// The commands of a video or a slideshow that plays, or of a video that can be played.
  static let ofPlaying: Set<Command> = [
    .play, .pause, .windBack, .windForward, .previousFrame, .nextFrame, .slower, .faster, .loop,
    .pauseSlideshow,
  ]

  /// The command's name in a configuration, such as "move-up".
  var name: String {
    String(describing: self).reduce(into: "") { name, letter in
      name += letter.isUppercase ? "-\(letter.lowercased())" : "\(letter)"
    }
  }
}

/// One row of the table: a command with its keys, and the words for it.
struct KeyBinding: Sendable {
  /// The sections of the help.
  enum Section: CaseIterable {
    case moving, photos, marking, viewer, comparison, rating, rooms, general

    var heading: String {
      switch self {
      case .moving: localized("Moving")
      case .photos: localized("Photos")
      case .marking: localized("Marking")
      case .viewer: localized("Viewer")
      case .comparison: localized("Comparison")
      case .rating: localized("Rating")
      case .rooms: localized("Rooms")
      case .general: localized("General")
      }
    }
  }

  let command: Command
  /// The keys, in the order in which the help names them.
  var keys: [Key]
  /// Further keys, which the help does not name.
  var otherKeys: [Key]
  /// The letter that gives the command after the key of ``Command/goTo``; nil if none does.
  var letter: Character?
  let section: Section
  /// The command in two to four words, for the list of commands.
  var title: String { titleText.text }
  /// The label in the footer and in the menu of places; nil for a command that is never shown there.
  var label: String? { labelText?.text }
  /// The command that shares this one's hint in the footer, with its own key.
  let partner: Command?
  /// The last of the commands whose keys the footer shows as one range, such as `1-5`, which this command begins; nil if
  /// the footer shows this key alone.
  let last: Command?
  /// Whether the command does something with photos, so that the first half of the footer has its hint.
  var actsOnPhotos: Bool { [.rating, .marking].contains(section) || [.keep, .rejectBeaten].contains(command) }
  let titleText: LocalizedText
  /// Other words that find the command in the list of commands.
  let words: LocalizedText
  private let labelText: LocalizedText?

  init(
    _ command: Command, _ keys: [Key] = [], also otherKeys: [Key] = [], goTo letter: Character? = nil,
    _ section: Section, _ title: LocalizedText, label: LocalizedText? = nil, with partner: Command? = nil,
    through last: Command? = nil, words: LocalizedText = ""
  ) {
    self.command = command
    self.letter = letter
    self.keys = keys
    self.otherKeys = otherKeys
    self.section = section
    titleText = title
    self.words = words
    labelText = label
    self.partner = partner
    self.last = last
  }
}

extension KeyBinding {
  /// The rows of a program that has no configuration, in the order of the help. The words of a command are what users of
  /// other programs call it, so that they find it in the list of commands.
  static let standard: [KeyBinding] = [
    KeyBinding(.moveUp, [Key(.up), "k"], .moving, "Move up", label: "Move", with: .moveDown),
    KeyBinding(.moveDown, [Key(.down), "j"], .moving, "Move down"),
    KeyBinding(.moveLeft, [Key(.left), "h"], .moving, "Move left", with: .moveRight),
    KeyBinding(.moveRight, [Key(.right), "l"], .moving, "Move right"),
    KeyBinding(.halfPageUp, [.control("u")], .moving, "Up half a page"),
    KeyBinding(.halfPageDown, [.control("d")], .moving, "Down half a page"),
    KeyBinding(.pageUp, [Key(.pageUp), .control("b")], .moving, "Up a page"),
    KeyBinding(.pageDown, [Key(.pageDown), .control("f")], .moving, "Down a page"),
    KeyBinding(.goTo, ["g"], .moving, "Go to a room", label: "Go to", words: "jump place menu tab screen"),
    // In a popup, one letter is enough.
    KeyBinding(
      .moveToFirst, [Key(.home)], also: ["g"], goTo: "g", .moving, "Go to first", label: "First",
      words: "top begin start home"),
    KeyBinding(.moveToLast, [Key(.end), "G"], .moving, "Go to last", words: "bottom end"),

    KeyBinding(
      .press, [Key(.enter), Key(.right), "l"], .photos, "Open highlighted row", label: "Open",
      words: "select enter show"),
    KeyBinding(.view, ["v"], .photos, "View full-screen", label: "View", words: "zoom enlarge big fullscreen maximize"),
    KeyBinding(
      .cull, ["Q"], .photos, "Cull listed photos", label: "Cull", words: "pick select choose sort out triage keep"),
    KeyBinding(
      .otherFile, [Key(.tab)], .photos, "Show the other file", label: "File", words: "raw JPEG switch version video"),
    KeyBinding(
      .toggleStack, ["s"], .photos, "Open or close stack", label: "Open stack",
      words: "burst group expand collapse open"),
    KeyBinding(
      .toggleStacks, ["W"], .photos, "Toggle stacks", label: "Stacks", words: "bursts group similar duplicates collapse"
    ),
    KeyBinding(.compare, ["C"], .photos, "Compare photos", label: "Compare", words: "side by side difference sharpest"),
    KeyBinding(
      .contactSheet, ["c"], .photos, "Toggle contact sheet", label: "Sheet", words: "grid thumbnails tiles overview"),
    KeyBinding(
      .justify, ["J"], .photos, "Justify the rows", label: "Justify", words: "masonry mosaic width aspect"),
    KeyBinding(
      .toggleRows, ["t"], .photos, "Change row size", label: "Rows", words: "size density compact large lines"),
    KeyBinding(.reload, ["r"], .photos, "Reload and retry", label: "Reload", words: "refresh update again"),
    KeyBinding(.stopLoading, [Key(.escape)], .photos, "Stop loading", label: "Stop", words: "cancel abort"),
    KeyBinding(.search, ["/"], .photos, "Start a search", label: "Search", words: "find filter query folder keyword"),
    KeyBinding(.complete, [Key(.tab)], .photos, "Complete the search", label: "Complete", words: "suggest field value"),
    KeyBinding(
      .listAll, [.control("t")], .photos, "List all or matches", label: "List all", words: "show highlight filter"),
    KeyBinding(.nextFound, ["n"], .photos, "Next match", words: "find search result"),
    KeyBinding(.previousFound, ["N"], .photos, "Previous match", words: "find search result"),
    KeyBinding(
      .savedSearches, ["'"], .photos, "Show saved searches", label: "Searches",
      words: "bookmarks favorites smart albums"),
    KeyBinding(.saveSearch, [.control("s")], .photos, "Save the search", label: "Save", words: "bookmark keep query"),
    KeyBinding(
      .removeSearch, [Key(.delete)], .photos, "Remove saved search", label: "Remove", words: "delete bookmark"),
    KeyBinding(
      .calendar, goTo: "t", .photos, "Show the calendar", label: "Calendar",
      words: "date timeline year month day week when taken"),
    KeyBinding(
      .photoMap, goTo: "m", .photos, "Map the photos", label: "Map",
      words: "map world position GPS location where taken country city"),
    KeyBinding(
      .wholeMap, ["a"], .photos, "Show the whole map", label: "All", words: "reset fit everything"),
    KeyBinding(.sort, ["S"], .photos, "Sort photos", label: "Sort", words: "order arrange group date name"),
    KeyBinding(
      .showProblems, ["!"], .photos, "Show problems", label: "Problems", words: "errors warnings unreadable damaged"),

    KeyBinding(.mark, [" "], .marking, "Mark or unmark", label: "Mark", words: "select tag choose"),
    KeyBinding(.markRange, ["V"], .marking, "Mark a range", label: "Range", words: "select several visual block"),
    KeyBinding(
      .markAll, ["*"], .marking, "Mark all, or unmark", label: "Mark all",
      words: "select everything none clear deselect unselect"),
    KeyBinding(
      .collect, ["&"], .marking, "Add to a collection", label: "Collect…", words: "album portfolio set group gather"),
    KeyBinding(
      .takeOut, [Key(.character("&"), .alt)], .marking, "Drop from collection", label: "Take out",
      words: "remove album portfolio set"),
    KeyBinding(
      .moveEarlier, [Key(.up, .alt), Key(.character("k"), .alt)], .marking, "Move earlier", label: "Reorder",
      with: .moveLater, words: "order collection up sort by hand"),
    KeyBinding(
      .moveLater, [Key(.down, .alt), Key(.character("j"), .alt)], .marking, "Move later",
      words: "order collection down sort by hand"),
    KeyBinding(
      .openOutside, ["o"], .marking, "Open in default app", label: "Open in app",
      words: "external program editor launch xdg-open"),
    KeyBinding(
      .copyPlace, ["y"], .marking, "Copy path or address", label: "Copy path",
      words: "clipboard yank file name folder location"),
    KeyBinding(
      .copyImage, [.control("y")], .marking, "Copy the image", label: "Copy image",
      words: "clipboard yank picture photo paste PNG wl-copy xclip"),
    KeyBinding(
      .map, goTo: "o", .marking, "Open a web map", label: "Web map",
      words: "position GPS location where taken OpenStreetMap browser"),
    KeyBinding(.export, ["e"], .marking, "Save as catalog", label: "Save…", words: "export write JSON list"),

    KeyBinding(
      .exportPhotos, ["E"], .marking, "Export new files", label: "Export…",
      words: "save as convert JPEG web resize share preset deliver"),
    KeyBinding(
      .makeSheet, [.control("p")], .marking, "Save a contact sheet", label: "Contact sheet…",
      words: "of the marked photos PDF HTML web page PNG print proof index client thumbnails"),
    KeyBinding(
      .importPhotos, ["I"], .marking, "Import from a card", label: "Import…",
      words: "memory SD camera ingest copy new download offload backup"),
    KeyBinding(.rename, [Key(.function(2))], .marking, "Rename photos", label: "Rename…", words: "file name title"),
    KeyBinding(.moveTo, ["m"], .marking, "Move to a folder", label: "Move to…", words: "file sort into directory"),
    KeyBinding(
      .copyTo, ["Y"], .marking, "Copy to a folder", label: "Copy to…", words: "duplicate file directory backup"),
    KeyBinding(
      .trash, ["D", Key(.delete)], .marking, "Move to the trash", label: "Trash",
      words: "delete remove erase bin recycle discard"),
    KeyBinding(
      .trashFile, ["d"], .marking, "Trash the shown file", words: "delete RAW JPEG only one of pair"),
    KeyBinding(
      .trashRejects, [Key(.character("D"), .alt)], .marking, "Trash all rejected",
      words: "delete remove rejects clean up empty photos"),

    KeyBinding(.follow, ["f"], .rooms, "Follow a member", label: "Follow", words: "subscribe friend member unfollow"),
    KeyBinding(
      .putInBasket, ["b"], .rooms, "Add print to basket", label: "Add to basket", words: "buy order cart shop"),
    KeyBinding(.takeOutOfBasket, ["B"], .rooms, "Remove from basket", label: "Remove", words: "delete cart shop"),
    KeyBinding(
      .places, goTo: "f", .rooms, "Open a folder", label: "Folders", words: "places directory source recent open switch"
    ),
    KeyBinding(
      .collections, goTo: "k", .rooms, "Show collections", label: "Collections", words: "albums portfolio sets open"),
    KeyBinding(
      .lastPlace, goTo: "l", .rooms, "Return to last folder", label: "Last folder",
      words: "back previous before place switch"),
    KeyBinding(
      .parentFolder, [Key(.backspace)], .rooms, "Open parent folder", label: "Parent",
      words: "back up directory enclosing"),
    KeyBinding(.previousFolder, ["{"], .rooms, "Open previous folder", words: "directory sibling"),
    KeyBinding(.nextFolder, ["}"], .rooms, "Open next folder", words: "directory sibling"),
    KeyBinding(.photosRoom, goTo: "p", .rooms, "Go to Photos", label: "Photos", words: "gallery list images pictures"),
    KeyBinding(.wallRoom, goTo: "w", .rooms, "Go to Wall", label: "Wall", words: "feed members posts"),
    KeyBinding(.printsRoom, goTo: "r", .rooms, "Go to Prints", label: "Prints", words: "shop buy order"),
    KeyBinding(.coversRoom, goTo: "c", .rooms, "Go to Covers", label: "Covers", words: "music albums songs"),
    KeyBinding(.guestbookRoom, goTo: "b", .rooms, "Go to Guestbook", label: "Guestbook", words: "visitors names"),
    KeyBinding(.previousRoom, ["["], .rooms, "Previous room"),
    KeyBinding(.nextRoom, ["]"], .rooms, "Next room"),
    KeyBinding(.signIn, goTo: "u", .rooms, "Sign the guestbook", label: "Sign guestbook", words: "name visitor hello"),

    KeyBinding(
      .nextPhoto, ["n", Key(.right), Key(.pageDown)], also: ["l", .control("f")], .viewer, "Next photo", label: "Next",
      words: "forward"),
    KeyBinding(
      .previousPhoto, ["p", Key(.left), Key(.pageUp)], also: ["h", .control("b")], .viewer, "Previous photo",
      label: "Previous", words: "back"),
    KeyBinding(.readOn, [" "], .viewer, "Read on", label: "Read on", words: "next page scroll down PDF comic book"),
    KeyBinding(.zoomIn, ["+"], also: ["="], .viewer, "Zoom in", label: "Larger", words: "larger magnify enlarge"),
    KeyBinding(.zoomOut, ["-"], also: ["_"], .viewer, "Zoom out", label: "Smaller", words: "smaller reduce shrink"),
    KeyBinding(.zoom, ["z"], .viewer, "Zoom to actual size", label: "Zoom", words: "100 % magnify pixels"),
    KeyBinding(.zoomToFill, ["Z"], .viewer, "Zoom to fill", words: "crop window"),
    KeyBinding(
      .rotate, ["R"], .viewer, "Rotate clockwise", label: "Rotate", words: "turn orientation portrait landscape"),
    KeyBinding(.crop, ["c"], .viewer, "Crop the photo", label: "Crop", words: "cut frame ratio square trim"),
    KeyBinding(.narrow, ["<"], .viewer, "Narrow the frame", label: "Width", with: .widen),
    KeyBinding(.widen, [">"], .viewer, "Widen the frame"),
    KeyBinding(
      .removeCrop, [Key(.delete)], also: ["x"], .viewer, "Remove the crop", label: "Remove", words: "whole photo"),
    KeyBinding(.goToFocus, ["f"], .viewer, "Go to focus point", label: "Focus", words: "sharp eye point"),
    KeyBinding(.focusPeaking, ["F"], .viewer, "Toggle focus peaking", label: "Peaking", words: "sharp edges"),
    KeyBinding(
      .clipping, ["O"], .viewer, "Toggle clipping", label: "Clipping", words: "highlights shadows overexposed blown"),
    KeyBinding(
      .darker, ["["], .viewer, "Darken the view", label: "Brightness", with: .brighter, words: "exposure shadows tone"),
    KeyBinding(.brighter, ["]"], .viewer, "Brighten the view", words: "exposure shadows lift tone"),
    KeyBinding(
      .lessContrast, ["("], .viewer, "Lower the contrast", label: "Contrast", with: .moreContrast, words: "tone"),
    KeyBinding(.moreContrast, [")"], .viewer, "Raise the contrast", words: "tone"),
    KeyBinding(
      .grayView, ["B"], .viewer, "Show without colors", label: "Gray",
      words: "black and white monochrome luminance tone"),
    KeyBinding(
      .resetTones, ["|"], .viewer, "Reset the tones", label: "Reset", words: "brightness contrast gray original"),
    KeyBinding(
      .inspect, ["I"], .viewer, "Inspect pixels", label: "Pixels",
      words: "color picker value coordinates RGB hex eyedropper"),
    KeyBinding(
      .developRaw, ["J"], .viewer, "Show raw or preview", label: "Raw",
      words: "develop demosaic sensor DNG embedded JPEG LibRaw"),
    KeyBinding(
      .slideshow, ["P"], .viewer, "Play slideshow", label: "Slideshow",
      words: "play pause stop automatic present"),
    KeyBinding(.pauseSlideshow, [" "], .viewer, "Pause the slideshow", label: "Pause", words: "stop hold continue"),
    KeyBinding(.shuffle, ["M"], .viewer, "Shuffle slideshow", label: "Shuffle", words: "random mix"),
    KeyBinding(.play, ["p", Key(.enter)], .viewer, "Play the video", label: "Play", words: "start movie film watch"),
    KeyBinding(
      .pause, [" ", "p"], also: [Key(.enter)], .viewer, "Pause the video", label: "Pause", words: "stop hold continue"),
    KeyBinding(
      .windBack, [Key(.left), "h"], .viewer, "Five seconds back", label: "5 s", with: .windForward, words: "rewind seek"
    ),
    KeyBinding(.windForward, [Key(.right), "l"], .viewer, "Five seconds on", words: "fast forward seek skip"),
    KeyBinding(
      .previousFrame, [","], .viewer, "One frame back", label: "Frame", with: .nextFrame, words: "step single image"),
    KeyBinding(.nextFrame, ["."], .viewer, "One frame on", words: "step single image"),
    KeyBinding(.slower, ["-"], .viewer, "Slow the video", label: "Speed", with: .faster, words: "slow motion speed"),
    KeyBinding(.faster, ["+"], .viewer, "Speed up the video", words: "fast"),
    KeyBinding(.loop, ["a"], .viewer, "Loop the video", label: "Loop", words: "repeat endless again"),
    KeyBinding(
      .toggleInfo, ["i"], .viewer, "Toggle photo info", label: "Info",
      words: "Exif metadata details camera map position GPS place histogram"),
    KeyBinding(.toggleTitle, ["H"], .viewer, "Hide or show text", label: "Text", words: "caption clean interface"),

    KeyBinding(.keep, [Key(.enter)], .comparison, "Keep the photo", label: "Keep as best", words: "choose winner best"),
    KeyBinding(.rejectBeaten, ["x"], .comparison, "Reject beaten photos", label: "Reject beaten"),
    KeyBinding(.nextPane, [Key(.tab)], .comparison, "Go to next pane", label: "Next pane", words: "switch other side"),
    KeyBinding(.nextCandidate, ["n", Key(.pageDown)], .comparison, "Next candidate", label: "Swap in next"),
    KeyBinding(.previousCandidate, ["p", Key(.pageUp)], .comparison, "Previous candidate", label: "Swap in previous"),
    KeyBinding(.changePanes, ["C"], .comparison, "Change pane count", label: "Panes", words: "number two three four"),
    KeyBinding(.unlink, ["a"], .comparison, "Unlink the photos", label: "Unlink", words: "zoom separately apart lock"),

    KeyBinding(
      .rateOne, ["1"], .rating, "Rate 1 star", label: "Rate", through: .rateFive, words: "rating score favorite"),
    KeyBinding(.rateTwo, ["2"], .rating, "Rate 2 stars"),
    KeyBinding(.rateThree, ["3"], .rating, "Rate 3 stars"),
    KeyBinding(.rateFour, ["4"], .rating, "Rate 4 stars"),
    KeyBinding(.rateFive, ["5"], .rating, "Rate 5 stars"),
    KeyBinding(.rateNone, ["0"], .rating, "Remove the stars", words: "rating clear unrate"),
    KeyBinding(
      .reject, ["X"], .rating, "Reject or accept", label: "Reject", words: "rejected delete trash discard bad flag"),
    KeyBinding(
      .keepBest, ["w"], .rating, "Keep best duplicate", label: "Keep best",
      words: "winner reject other copies same double"),
    KeyBinding(.label, ["L"], .rating, "Choose a label", label: "Label", words: "color flag tag"),
    KeyBinding(.labelRed, [Key(.function(6))], .rating, "Label red", words: "color"),
    KeyBinding(.labelYellow, [Key(.function(7))], .rating, "Label yellow"),
    KeyBinding(.labelGreen, [Key(.function(8))], .rating, "Label green"),
    KeyBinding(.labelBlue, [Key(.function(9))], .rating, "Label blue"),
    KeyBinding(
      .favorite, ["b"], .rating, "Toggle favorite", label: "Favorite", words: "heart like love bookmark best"),
    KeyBinding(.keywords, ["K"], .rating, "Edit keywords", label: "Keywords", words: "tag IPTC subject"),
    KeyBinding(.caption, ["T"], .rating, "Edit the caption", label: "Caption", words: "description comment title text"),
    KeyBinding(
      .template, ["M"], .rating, "Write texts", label: "Texts…",
      words: "metadata template IPTC title creator copyright credit city country stationery bulk"),
    KeyBinding(
      .correctTime, [Key(.function(3))], .rating, "Correct the time", label: "Time",
      words: "clock camera date shift adjust zone daylight saving"),
    KeyBinding(
      .geotag, [Key(.function(4))], .rating, "Add positions", label: "Positions",
      words: "geotag GPX track GPS KML NMEA place map"),
    KeyBinding(.undo, ["u"], also: ["U"], .rating, "Undo the last step", label: "Undo", words: "revert back take back"),
    KeyBinding(.undoSession, [.control("x")], .rating, "Undo the session", words: "revert everything all"),
    KeyBinding(.redo, [.control("r")], .rating, "Redo the step", words: "again repeat"),
    KeyBinding(.toggleAdvance, ["A"], .rating, "Toggle auto-advance", words: "automatic next"),

    KeyBinding(
      .switchWindow, [Key(.tab)], also: [Key(.tab, .shift)], .general, "Switch window", label: "Details",
      words: "details metadata Exif map position GPS focus pane tab"),
    KeyBinding(.confirm, [Key(.enter), " "], also: [Key(.escape)], .general, "Close an alert", label: "Ok"),
    KeyBinding(.close, [Key(.escape), "q"], .general, "Close or go back", label: "Back", words: "exit cancel leave"),
    KeyBinding(
      .help, ["?", ":", Key(.function(1))], .general, "Show all commands", label: "Help",
      words: "keys shortcuts bindings manual run palette"),
    KeyBinding(
      .jobs, goTo: "j", .general, "Show running jobs", label: "Jobs", words: "progress stop cancel copy move background"
    ),
    KeyBinding(
      .settings, [","], .general, "Settings and theme", label: "Settings",
      words: "preferences options configuration theme colors language pictures"),
    KeyBinding(.redraw, [.control("l")], .general, "Redraw screen", words: "refresh repaint clear"),
    KeyBinding(.quit, ["q"], .general, "Quit Tintype", label: "Quit", words: "exit leave end close"),
  ]
}
