extension Int64 {
  /// A number of bytes in the units that file managers use: `12 kB`, `340 MB`, `1.2 GB`.
  public var fileSizeText: String {
    switch self {
    case ..<1000: "\(self) B"
    case ..<1_000_000: "\(self / 1000) kB"
    case ..<1_000_000_000: "\(self / 1_000_000) MB"
    case ..<1_000_000_000_000: "\(self / 1_000_000_000).\(self / 100_000_000 % 10) GB"
    default: "\(self / 1_000_000_000_000).\(self / 100_000_000_000 % 10) TB"
    }
  }
}
