#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

// The targets of hyperlinks, as addresses of RFC 3986 in ASCII.

extension ImageLocation {
  /// The address of the image. A file's has the name of this machine, since the terminal may run on another one.
  public var address: String {
    switch self {
    case .file(let path): "file://\(Self.hostName)\(percentEncoded(path.bytes, keeping: "/"))"
    case .web(let address): percentEncoded(Array(address.utf8), keeping: ":/?#[]@!$&'()*+,;=%")
    }
  }

  private static let hostName: String = {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
      guard let name = buffer.baseAddress, gethostname(name, buffer.count - 1) == 0 else { return "" }
      buffer[buffer.count - 1] = 0
      return percentEncoded(Array(String(cString: name).utf8))
    }
  }()
}

extension PhotoMetadata.Place {
  /// The address of a map of the place, with a marker on it.
  public var mapAddress: String {
    func degrees(_ value: Double) -> String {
      let parts = Int((abs(value) * 100_000).rounded())
      return "\(value < 0 ? "-" : "")\(parts / 100_000).\(String(parts % 100_000 + 100_000).dropFirst())"
    }
    let (latitude, longitude) = (degrees(latitude), degrees(longitude))
    return "https://www.openstreetmap.org/?mlat=\(latitude)&mlon=\(longitude)#map=15/\(latitude)/\(longitude)"
  }
}

/// Returns bytes as text, with all but unreserved characters (RFC 3986, section 2.3) and those of `kept` encoded.
public func percentEncoded(_ bytes: [UInt8], keeping kept: String = "") -> String {
  let digits = Array("0123456789ABCDEF")
  let kept = Set(("-._~" + kept).unicodeScalars)
  var text = ""
  for byte in bytes {
    let scalar = Unicode.Scalar(byte)
    let isUnreserved = scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
    if byte < 0x80, isUnreserved || kept.contains(scalar) {
      text.unicodeScalars.append(scalar)
    } else {
      text += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
    }
  }
  return text
}
