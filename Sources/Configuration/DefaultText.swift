import Screens

/// A configuration file that changes nothing: all defaults as comments.
public enum DefaultText {
  /// The text of the file.
  public static var text: String {
    ([head] + Setting.all.map(text) + [keys, commands, sources, exports, templates]).joined(separator: "\n")
  }

  private static let head = """
    # Tintype's configuration. Remove the # before a setting to change it. A running gallery takes changes when the file is
    # saved. Options of the command line go first.

    """

  private static func text(of setting: Setting) -> String {
    "\(comment(setting.comment))\n#\(setting.name) = \(setting.standard)\n"
  }

  private static func comment(_ text: String) -> String {
    text.split(separator: "\n").map { "# \($0)" }.joined(separator: "\n")
  }

  /// The keys of all commands.
  private static var keys: String {
    let sections = KeyConfiguration.defaults.map { heading, commands in
      "\n# \(heading)\n"
        + commands.map { name, keys, title in "#\(name) = [\(keys.quoted)]  # \(title)\n" }.joined()
    }
    return """
      # The keys of commands: the name of a key, or several. A key that you give to a command is taken from the commands that
      # have it by default, if these are known in the same places. `tintype config --check` lists them. [] removes all keys.
      [keys]

      """ + sections.joined()
  }

  private static let commands = """
    # Commands of your own. %f is the highlighted photo's file, and %s are all marked files, or the highlighted one if none
    # is marked; both are quoted for the shell. "in" is "background", "terminal" for programs such as an editor, or "pause"
    # if the terminal is to wait for Enter at the end, so that the output can be read.
    #[[commands]]
    #name = "Show all metadata"
    #key = "Alt-m"
    #run = "exiftool %f"
    #in = "pause"

    """

  private static let sources = """
    # Sources that the list of folders offers: a folder, a catalog file, or the address of a catalog on a server or of a
    # photo server (immich://host, davs://user@host/folder, s3://bucket/folder). The first line of "token-file", which only you may be able to read, or the first line
    # that the command "token-command" prints, is sent to the server as a token.
    #[[sources]]
    #name = "Agency"
    #open = "https://example.org/photos"
    #token-file = "~/.config/tintype/agency.token"

    """

  private static let exports = """
    # Presets of exports, by their names: `tintype export --preset web`. What is left out has the value of the program's own.
    #[export.web]
    #format = "jpeg"
    #long-edge = 2048
    #quality = 85
    #sharpen = "standard"
    #color = "srgb"
    #metadata = "no-place"
    #watermark = "© Ada Example"
    #name = "{date}_{seq:3}"

    """

  private static let templates = """
    # Templates of metadata, by their names: `tintype apply press FILES`, or M in the gallery. The texts can have the fields of names,
    # such as {date:%d.%m.%Y}. What "append" lists is added to what a photo has; the rest replaces it.
    #[template.press]
    #creator = "Ada Example"
    #copyright = "© {date:%Y} Ada Example"
    #credit = "Ada Example / Agency"
    #city = "Lisbon"
    #country = "Portugal"
    #country-code = "PT"
    #keywords = ["press"]
    #append = ["keywords"]

    """
}
