import Gallery

/// A print for sale, as strings that are ready to show.
public final class PrintRow: RowViewModel, Imaged, Pressable, Buyable, Detailed {
  /// The print itself.
  public let print: Print
  public let id: AnyHashable
  /// The name of the print.
  public let title: String
  public let image: ImageLocation
  /// The price with its currency, such as `24.00 EUR`.
  public let price: String
  /// The size, such as `20 × 30 cm`.
  public let size: String
  /// The kind of paper.
  public let paper: String
  /// The stock: `3 left` or `Sold out`.
  public let left: String
  /// Whether no print is left.
  public let isSoldOut: Bool
  /// The number of copies in the basket.
  public let inBasket: Observable<Int>
  public var detail: PhotoDetail { PhotoDetail(print) }
  public var words: [String] {
    [price, isSoldOut ? nil : left, inBasket.value > 0 ? localized("\(inBasket.value) in the basket") : nil]
      .compactMap(\.self)
  }

  private let basket: BasketViewModel
  private let onPress: () -> Void

  init(_ print: Print, basket: BasketViewModel, onPress: @escaping () -> Void) {
    self.print = print
    id = print.id
    title = print.title
    image = print.image
    price = print.price.text
    size = print.size
    paper = print.paper
    left = print.leftText
    isSoldOut = print.isSoldOut
    inBasket = basket.quantity(of: print.id)
    self.basket = basket
    self.onPress = onPress
  }

  /// Opens the print.
  public func press() { onPress() }

  public func putInBasket() { basket.put(print) }

  public func takeOutOfBasket() { basket.takeOut(print) }
}

extension Print {
  fileprivate var leftText: String { isSoldOut ? localized("Sold out") : localized("\(left) left") }
}

extension PhotoDetail {
  /// Creates the detail of a print.
  public init(_ print: Print) {
    self.init(
      name: print.title,
      fields: [
        Field(localized("Price"), print.price.text),
        Field(localized("Size"), print.size),
        Field(localized("Paper"), print.paper),
        Field(localized("Left"), print.leftText),
      ],
      image: print.image,
      saleBadge: SaleBadge(isForSale: !print.isSoldOut, text: print.isSoldOut ? localized("Sold out") : nil))
  }
}
