import Catalog
import FoundationEssentials
import Gallery
import Services

/// The bundled prints, which are read from a JSON file and returned page by page.
public struct PrintsFile: PrintServiceProtocol {
  private let file: JSONFile
  private let pageSize: Int

  /// Creates the service.
  /// - Parameters:
  ///   - path: The file's absolute path.
  ///   - pageSize: The number of prints on a page.
  ///   - delay: The time that passes before an answer, as with a distant server.
  ///   - clock: The clock that measures the delay.
  public init(path: String, pageSize: Int = 12, delay: Duration = .zero, clock: any Clock<Duration>) {
    file = JSONFile(path: path, delay: delay, clock: clock)
    self.pageSize = pageSize
  }

  /// Returns a page of prints. The first page has number 1.
  public func fetchPrints(page: Int) async throws(APIError) -> Page<Print> {
    let prints = try await file.read(PrintsAnswer.decode) ?? []
    return Page(
      items: Array(prints.dropFirst(max(0, page - 1) * pageSize).prefix(pageSize)), number: page,
      totalPages: max(1, (prints.count + pageSize - 1) / pageSize), totalItems: prints.count)
  }
}

/// The JSON form of the prints.
private struct PrintsAnswer: Decodable {
  let prints: [Row]

  static func decode(_ json: Data, folder: FilePath) throws -> [Print] {
    try JSONAnswer.decode(PrintsAnswer.self, from: json).prints.map { $0.print(folder: folder) }
  }

  struct Row: Decodable {
    let id: WireInteger
    let title: String
    let imageURL: String
    let price: Price
    let size: String
    let paper: String
    let left: WireCount

    enum CodingKeys: String, CodingKey {
      case id, title, price, size, paper, left
      case imageURL = "image_url"
    }

    func print(folder: FilePath) -> Print {
      Print(
        id: id.value, title: title.printable, image: ImageLocation(imageURL, relativeTo: folder),
        price: Money(minorUnits: price.minorUnits.value, currency: price.currency.printable), size: size.printable,
        paper: paper.printable, left: left.value)
    }
  }

  struct Price: Decodable {
    let minorUnits: WireCount
    let currency: String

    enum CodingKeys: String, CodingKey {
      case currency
      case minorUnits = "minor_units"
    }
  }
}
