import Gallery

extension ImageFormat {
  /// Our own decoder of the format; nil if there is none.
  var plainFormat: (any PlainFormat.Type)? {
    switch self {
    case .bmp: Bitmap.self
    case .pam: ArbitraryMap.self
    case .tga: Targa.self
    case .psd: Photoshop.self
    case .pcx: Paintbrush.self
    case .sgi: SiliconGraphics.self
    case .ico: Icon.self
    case .qoi: QuiteOK.self
    case .dds: DirectDraw.self
    case .xbm: TextBitmap.self
    case .fits: FITS.self
    default: nil
    }
  }
}
