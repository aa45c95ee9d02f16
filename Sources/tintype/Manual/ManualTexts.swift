/// The texts of the manual page that `--help` does not have. Text in backticks is bold.
enum ManualTexts {
  static let description = [
    """
    Tintype shows folders, catalogs and web galleries as thumbnails with details, as a contact sheet, or full-screen, and \
    searches them while you type. Images are pixels in terminals that can show them (with the protocols of kitty and \
    iTerm2, or with sixels), and colored characters elsewhere.
    """,
    """
    Without a source, it opens the bundled gallery. A source is a folder, which is read with all folders below it; one or \
    more photos and folders; a catalog (`photos.json` or `photos.json.gz`); the address of a catalog on the web; or `-` \
    for a catalog or a list of paths on standard input.
    """,
    """
    Photos are never written to. Stars, labels, keywords, captions and rotations are kept in XMP sidecars next to them.
    """,
    """
    If the first argument is the name of a subcommand, that subcommand runs. `tintype ./show` opens a folder that has such \
    a name.
    """,
  ]

  static let keys = """
    In the gallery, `?` shows these keys, first those for where you are, and finds one of them as you type. `:` finds a \
    command by its name. A key can do different things in different places.
    """

  static let search = [
    """
    `/` in the gallery and `tintype list` find photos by words. Words match in any order, without regard to case and \
    accents. Matching is fuzzy: `hrbr` finds harbor. Quotation marks keep words together, and `-` in front of a word or a \
    field excludes what it finds. A date such as `2017-06` finds the photos of that time, and the texts that contain it.
    """,
    """
    A field narrows the search, as in `camera:x100 lens:"23mm f2" rating:>=4 -has:gps`. These are the fields and the values \
    that they take:
    """,
  ]

  static let configuration = [
    """
    The configuration is a TOML file. `tintype config` prints one in which every setting and every command is a comment \
    with its default; to change one, remove the `#` before it. A running gallery takes changes on when the file is saved. \
    `tintype config --check` names mistakes and keys that serve two commands.
    """,
    """
    `[keys]` gives keys to commands: `quit = "Ctrl-q"`, or several, as in `mark = ["m", "Space"]`. Keys are named as in this \
    page.
    """,
    """
    `[[commands]]` adds a command of your own, with `name`, `run`, and perhaps `key` and `in`. In `run`, `%f` is the \
    highlighted photo's file, and `%s` are all marked files; write both without quotation marks. `in` is "background", \
    "terminal" for programs such as an editor, or "pause" if the terminal is to wait for Enter at the end.
    """,
    """
    `theme` names the colors: "auto", "dark", "light", "solarized", "gruvbox", "high-contrast", "color-blind", or a file of \
    your own. `language` names the language of the gallery, such as "de" or "zh_TW"; without it, the locale decides.
    """,
  ]

  static let environment = [
    (tag: "TERM", text: "The terminal's type, for colors and control sequences."),
    (tag: "COLORTERM", text: "`truecolor` or `24bit` if the terminal has 24-bit colors."),
    (tag: "NO_COLOR", text: "If set to anything, no colors are used."),
    (
      tag: "COLORFGBG",
      text: "Indicates whether the background is light or dark, if the terminal doesn't report its color."
    ),
    (
      tag: "LANGUAGE, LC_ALL, LC_MESSAGES, LANG",
      text: "The language of the gallery: English, German or Traditional Chinese."
    ),
    (
      tag: "LC_ALL, LC_CTYPE, LANG",
      text: "The encoding of the terminal. Without UTF-8, everything is drawn in ASCII."
    ),
    (
      tag: "XDG_CONFIG_HOME, XDG_CACHE_HOME, XDG_STATE_HOME, XDG_DATA_HOME",
      text: "The folders for files, see below. Default: `~/.config`, `~/.cache`, `~/.local/state` and `~/.local/share`."
    ),
    (tag: "TINTYPE_MUSIC_URL", text: "The server for covers, as with `--music-url`."),
    (tag: "http_proxy, https_proxy, all_proxy, no_proxy", text: "The proxies for web catalogs, as for `curl`."),
    (tag: "CURL_CA_BUNDLE, SSL_CERT_FILE", text: "The certificates for https."),
  ]

  static let files = [
    (
      tag: "$XDG_CONFIG_HOME/tintype/config.toml",
      text: "The configuration: keys, theme, order and more. `tintype config` prints it with all defaults."
    ),
    (
      tag: "$XDG_CONFIG_HOME/tintype/themes",
      text: "Themes of your own, `NAME.toml`. `tintype config --theme gruvbox` prints one to start with."
    ),
    (
      tag: "$XDG_STATE_HOME/tintype",
      text: "Marks, saved searches, the steps that can be undone, follows, the basket and your name."
    ),
    (tag: "$XDG_DATA_HOME/tintype", text: "The guestbook."),
    (tag: "$XDG_CACHE_HOME/tintype", text: "The metadata of files, and pages and images from the web."),
    (tag: "$XDG_CACHE_HOME/thumbnails", text: "Thumbnails, which are shared with other programs."),
    (tag: "a.jpg.xmp, a.xmp", text: "The XMP sidecar of the photo `a.jpg`."),
    (tag: ".tintypeignore", text: "The files of a folder that are skipped: patterns as in `.gitignore`, one per line."),
  ]

  static let exitStatus = [
    (tag: "0", text: "Success."),
    (tag: "1", text: "Something could not be read, shown or written, or a checked catalog has errors."),
    (tag: "64", text: "The options or arguments are invalid."),
  ]

  static let examples = [
    (tag: "tintype ~/Pictures", text: "Browse a folder with all folders below it."),
    (tag: "tintype ~/Pictures --print -0 | xargs -0 cp -t /media/usb", text: "Copy the photos that are marked."),
    (tag: "find . -newer last.jpg -name '*.jpg' | tintype -", text: "Browse the photos that another program finds."),
    (tag: "tintype show ~/Pictures --grid 4x3", text: "Print a contact sheet, and return to the prompt."),
    (tag: "tintype catalogue ~/Pictures --output photos.json", text: "Write a catalog for a website."),
    (
      tag: "tintype config > ~/.config/tintype/config.toml",
      text: "Begin a configuration (after `mkdir -p ~/.config/tintype`)."
    ),
    (tag: "tintype doctor", text: "Find out why images are shown as they are."),
  ]

  static let seeAlso = [
    "`chafa`(1), `exiv2`(1), `kitty`(1), `tmux`(1), `xterm`(1)",
    """
    The folder `share/doc/tintype`, in the same place as the folder `bin` of this program, has more documents: \
    `docs/usage.md` describes everything in the gallery, `docs/configuration.md` the settings and themes, \
    `docs/culling.md` and `docs/light-table.md` how to choose and compare photos, `docs/catalog.md` the format of catalogs, \
    and `docs/terminals.md` what terminals can show.
    """,
  ]
}
