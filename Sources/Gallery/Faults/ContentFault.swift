/// A reason why a source that is there cannot be read.
public enum ContentFault: Error, Hashable, Sendable {
  /// The path leads to a folder.
  case folder
  /// The path leads to something that is neither a file nor a folder.
  case notAFile
  /// The file is neither named as a photo nor has the contents of one.
  case notAnImage
  /// The file is neither an image nor a catalog.
  case neitherImageNorCatalog
  /// The answer of a server is not a list of files.
  case notAFileList
  /// The sidecar is not XMP, or can't be changed safely.
  case notXMP
  /// The archive cannot be read.
  case archive(ArchiveFault)
  /// The worker that reads the archive failed.
  case worker(ImageFault)
  /// Reading the file failed. `reason` is the system's.
  case readingFailed(path: String, reason: String)
  /// The system reports another error, in its own words.
  case system(reason: String)
  /// The text is written in UTF-16.
  case utf16
  /// The text is not JSON. The line and the column (in bytes) count from 1.
  case syntax(line: Int, column: Int, SyntaxFault)
  /// A value is missing or invalid. `path` leads to it, such as `items[3].created_at`, and is empty for the whole text.
  case value(path: String, ValueFault)
  /// The photos have a problem.
  indirect case problem(CatalogProblem)
}

/// A reason why a text is not JSON (RFC 8259), or cannot be that of a catalog.
public enum SyntaxFault: Hashable, Sendable {
  /// A token that the grammar allows at a place.
  public enum Expected: Hashable, Sendable {
    case commaOrBracket, commaOrBrace, key, colon, value, endOfText
  }

  /// The text ends too soon.
  case ends(Expected)
  /// Another character is there. It is nil if it is not ASCII.
  case unexpected(UInt8?, Expected)
  /// A string has no end.
  case unendedString
  /// A string contains a control character.
  case controlCharacter
  case notUTF8
  case unknownEscape
  /// The escape of a character code is incomplete.
  case incompleteEscape
  /// A surrogate is not part of a pair.
  case unpairedSurrogate
  /// Arrays and objects are nested too deeply.
  case tooDeep
  /// A number starts with 0.
  case leadingZero
  case notANumber
  /// A value is longer than `limit` bytes.
  case tooLong(limit: Int)
  /// The text is a web page or XML.
  case webPage
  /// The text is JSON, but neither an object nor a list.
  case notACatalog
  /// The catalog is written in UTF-16.
  case utf16
}

/// A reason why a value in JSON is invalid.
public enum ValueFault: Hashable, Sendable {
  /// A type of values.
  public enum Kind: Hashable, Sendable {
    case text, integer, truth, list, listOfTexts, object
  }

  case missing
  case null
  case isNot(Kind)
  /// The value is not an integer, or too large.
  case notAnInteger
  /// The value is not from 0 to this number.
  case notFromZero(to: Int)
  /// The text has more bytes than this.
  case tooLong(Int)
  /// The text, of which this is the beginning, is no date.
  case notADate(String)
  /// The text is not an http or https address.
  case notAnAddress
  /// No member has this id.
  case notAMember
  /// No photo has this id.
  case notAPhoto
  /// A list of texts has another value.
  case containsOtherThanTexts
  /// The value is not what its field needs; see ``MetadataField/fault``.
  case unsuitable
  /// The decoder gives no reason.
  case senseless
}

/// A reason why the reading of a source ended before the end of the source.
public enum ReadingFault: Error, Hashable, Sendable {
  /// There is no memory for decompression.
  case noMemory
  /// The compressed data is damaged.
  case damaged
  /// The compressed data ends too soon.
  case incomplete
  /// The system reports an error, in its own words.
  case system(reason: String)
}
