import FoundationEssentials
import Gallery

/// A contact sheet as one page for a browser. It loads nothing, and its policy forbids that it does.
///
/// The page is written in parts, since the pictures of many photos are large: ``head``, one ``photo(_:_:large:)`` after the
/// other, and ``tail(count:)``.
public struct SheetPage: Sendable {
  private let title: String
  private let words: SheetWords
  private let style: String
  private let script: String

  /// Creates a page.
  ///
  /// - Parameters:
  ///   - title: The title, or nothing.
  ///   - style: The style sheet, which the page contains.
  ///   - script: The script, which the page contains.
  public init(title: String, _ words: SheetWords, style: String, script: String) {
    self.title = title.printable
    self.words = words
    self.style = style
    self.script = script
  }

  /// A JPEG in the page, and its size in pixels.
  public struct Picture: Sendable {
    let jpeg: [UInt8]
    let width: Int
    let height: Int

    /// Creates a picture from its properties.
    public init(_ jpeg: [UInt8], width: Int, height: Int) {
      self.jpeg = jpeg
      self.width = width
      self.height = height
    }

    var address: String { "data:image/jpeg;base64,\(Data(jpeg).base64EncodedString())" }
  }

  /// The beginning of the page, up to the photos.
  public var head: String {
    """
    <!DOCTYPE html>
    <html lang="\(words.language.escapedMarkup)">
    <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="\(Self.policy)">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>\((title.nonEmpty ?? words.sheet).escapedMarkup)</title>
    <style>
    \(style)</style>
    </head>
    <body>
    <header><h1>\(title.escapedMarkup)</h1>
    <noscript><p>\(words.noScript.escapedMarkup)</p></noscript></header>
    <ul class="photos">

    """
  }

  /// Nothing is loaded, and no script or style sheet but the page's own.
  private static let policy =
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

  /// Returns the part of the page for a photo.
  public func photo(_ photo: SheetPhoto, _ thumbnail: Picture, large: Picture) -> String {
    let name = photo.name.escapedMarkup
    let caption = photo.caption.nonEmpty.map { " data-caption=\"\($0.escapedMarkup)\"" } ?? ""
    return """
      <li class="photo" data-name="\(name)" data-large="\(large.address)"\(caption)>
      <button class="open" aria-label="\(words.open(photo.name).escapedMarkup)"><img src="\(thumbnail.address)" \
      width="\(thumbnail.width)" height="\(thumbnail.height)" alt="\((photo.altText.nonEmpty ?? photo.name).escapedMarkup)" \
      decoding="async"></button>
      <div class="text">\(text(of: photo))</div>
      <button class="mark" aria-pressed="false" aria-label="\(words.mark(photo.name).escapedMarkup)">\
      \(words.mark.escapedMarkup)</button>
      </li>

      """
  }

  private func text(of photo: SheetPhoto) -> String {
    var parts = ["<div class=\"name\">\(photo.name.escapedMarkup)</div>"]
    if photo.stars > 0 {
      parts.append(
        "<span class=\"stars\" role=\"img\" aria-label=\"\(words.stars(photo.stars).escapedMarkup)\">\(photo.starText)</span>"
      )
    }
    if let label = photo.label {
      parts.append("<span class=\"label\" style=\"--dot: \(label.color)\">\(label.text.escapedMarkup)</span>")
    }
    return parts.joined(separator: " ")
  }

  /// Returns the end of the page, from the photos on.
  ///
  /// - Parameter count: The number of photos in words.
  public func tail(count: String) -> String {
    """
    </ul>
    <p class="end">\(count.escapedMarkup)</p>
    <div class="bar"><span aria-live="polite">\(words.marked.escapedMarkup) <span id="count">0</span></span>
    <button id="copy" disabled>\(words.copyList.escapedMarkup)</button>
    <button id="only" aria-pressed="false" disabled>\(words.onlyMarked.escapedMarkup)</button>
    <p class="keys">\(words.keys.escapedMarkup)</p></div>
    <dialog id="view" aria-label="\(words.largeView.escapedMarkup)">
    <div id="stage" tabindex="-1"><img id="large" alt=""></div>
    <footer><div class="text"><div id="view-text"></div><div id="caption"></div></div>
    <span id="place"></span>
    <button id="view-mark" aria-pressed="false">\(words.mark.escapedMarkup)</button>
    <button id="previous">\(words.previous.escapedMarkup)</button>
    <button id="next">\(words.next.escapedMarkup)</button>
    <button id="close">\(words.close.escapedMarkup)</button></footer>
    </dialog>
    <dialog id="list" aria-label="\(words.list.escapedMarkup)" data-copied="\(words.copied.escapedMarkup)" \
    data-manual="\(words.manual.escapedMarkup)">
    <div>\(words.list.escapedMarkup)</div>
    <textarea id="names" readonly aria-label="\(words.list.escapedMarkup)"></textarea>
    <p id="copied" role="status"></p>
    <button id="done">\(words.done.escapedMarkup)</button>
    </dialog>
    <script>
    \(script)</script>
    </body>
    </html>

    """
  }
}
