import ArgumentParser

/// The names of new sidecars.
enum SidecarNames: String, ExpressibleByArgument, CaseIterable {
  /// `a.jpg.xmp`, as darktable and digiKam name them.
  case long
  /// `a.xmp`, as Lightroom names them.
  case short
}
