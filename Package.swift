// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// The tests of the image worker decode whole photos, those of sidecars read large hostile ones, and those of screens compare
/// thousands of screens. Without optimization, they would take minutes.
let optimized: [SwiftSetting] = [.unsafeFlags(["-O"], .when(configuration: .debug))]

/// gold, the default, warns of a function in Foundation whenever Foundation is linked statically. A position-independent
/// program has 96,000 addresses to correct when it starts; packed, they take a hundredth of the space. With `-znow`, the
/// table of library functions is read-only before the first image is decoded.
let linker: [LinkerSetting] = [
  .unsafeFlags([
    "-use-ld=lld", "-Xlinker", "-zpack-relative-relocs", "-Xlinker", "-znow", "-Xlinker", "--as-needed",
  ])
]

/// The variable TINTYPE_PORTABLE builds the program without the features that only Linux has; see docs/porting.md.
let portable: [CSetting] = Context.environment["TINTYPE_PORTABLE"] != nil ? [.define("TINTYPE_PORTABLE")] : []

/// Returns the settings of a plug-in of the image worker, which has no Swift in it. SwiftPM links it as if it had: with Swift's
/// start-up object, which needs libswiftCore, and with a path to the toolchain. The first flag makes libswiftCore an archive,
/// from which nothing is taken since the second leaves the object out. Unless the library has a name, it contains the path of
/// the build folder.
func plugin(_ name: String, of libraries: [String]) -> [LinkerSetting] {
  libraries.map { .linkedLibrary($0) } + [
    .unsafeFlags([
      "-static-stdlib", "-nostartfiles", "-Xlinker", "-znow", "-Xlinker", "-soname=libtintype-\(name).so",
    ])
  ]
}

/// The modules that are fuzzed; see CONTRIBUTING.md.
let fuzzed: [Target.Dependency] = [
  "Gallery", "HTTP", "Photos", "Services", "Catalog", "Web", "Terminal", "ImageWire", "Metadata", "Remote", "Sidecars",
  "Store", "Steps", "Configuration", "Languages", "Tracks", .product(name: "TOMLKit", package: "TOMLKit"),
]

/// The dependencies of the image worker.
let pictures: [Target.Dependency] = [
  "Workers", "ImageWire", "Metadata", "Photos", "Gallery", "CConfinement", "CSystem", "CJPEG", "CSpng", "CVipsPlugin",
  "CVideoPlugin", "CRawPlugin", "CArchivePlugin", "CDeflate", "CISAL",
]

let package = Package(
  name: "tintype",
  products: [
    .executable(name: "tintype", targets: ["tintype"]),
    .executable(name: "tintype-pictures", targets: ["tintype-pictures"]),
    .library(name: "tintype-vips", type: .dynamic, targets: ["VipsPlugin"]),
    .library(name: "tintype-video", type: .dynamic, targets: ["VideoPlugin"]),
    .library(name: "tintype-raw", type: .dynamic, targets: ["RawPlugin"]),
    .library(name: "tintype-archive", type: .dynamic, targets: ["ArchivePlugin"]),
  ],
  dependencies: [
    // The versions are exact, so that everyone builds a commit from the same sources. Completions.swift also replaces
    // functions of ArgumentParser's completion scripts by their names.
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/swhitty/FlyingFox", exact: "0.27.1"),
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
    .package(url: "https://github.com/LebJe/TOMLKit", exact: "0.6.0"),
  ],
  targets: [
    .executableTarget(
      name: "tintype",
      dependencies: [
        "Screens", "Terminal", "ViewModels", "Images", "ImageWire", "Printing", "Sheets", "Bundled", "Web", "Folder",
        "Catalog", "Remote", "Photos", "Finding", "Tracks", "Steps", "Services", "Store", "HTTP", "Languages",
        "Gallery", "Geography", "WorkerPool", "Workers",
        "Resources", "Configuration", "CSystem", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict, linkerSettings: linker),
    .executableTarget(
      name: "tintype-pictures", dependencies: pictures,
      swiftSettings: strict + optimized, linkerSettings: linker),
    .target(
      name: "Configuration",
      dependencies: [
        "Screens", "Terminal", "Images", "ImageWire", "Finding", "Photos", "Gallery",
        .product(name: "TOMLKit", package: "TOMLKit"),
      ],
      swiftSettings: strict),
    .target(
      name: "Screens",
      dependencies: [
        "Terminal", "ViewModels", "Images", "ImageWire", "Finding", "Photos", "Services", "Gallery", "Geography",
        "WorkerPool",
      ],
      swiftSettings: strict),
    .target(name: "Printing", dependencies: ["Terminal", "ImageWire", "Gallery"], swiftSettings: strict),
    .target(
      name: "Sheets", dependencies: ["Images", "ImageWire", "Services", "Gallery", "WorkerPool", "Resources"],
      swiftSettings: strict),
    .target(
      name: "Images", dependencies: ["ImageWire", "HTTP", "Services", "Store", "Gallery", "WorkerPool", "CSystem"],
      swiftSettings: strict),
    .target(
      name: "Workers", dependencies: ["ImageWire", "Metadata", "Gallery", "CConfinement"],
      swiftSettings: strict + optimized),
    .target(name: "ImageWire", dependencies: ["Gallery"], swiftSettings: strict),
    .target(
      name: "Terminal", dependencies: ["ImageWire", "Gallery", "CNcurses", "CTerminalGuard", "CSystem"],
      swiftSettings: strict),
    .target(name: "Metadata", dependencies: ["Gallery", "CZlib"], swiftSettings: strict + optimized),
    .target(name: "HTTP", dependencies: ["CCurl", "CSystem", "Gallery"], swiftSettings: strict),
    .target(
      name: "ViewModels",
      dependencies: [
        "Finding", "Photos", "Services", "Gallery", "Geography", "WorkerPool",
      ],
      swiftSettings: strict),
    .target(
      name: "Bundled", dependencies: ["Web", "Catalog", "Photos", "Services", "Store", "Gallery"], swiftSettings: strict
    ),
    .target(
      name: "Web",
      dependencies: [
        "Folder", "Catalog", "Photos", "Services", "Sidecars", "Store", "HTTP", "Gallery", "WorkerPool",
      ],
      swiftSettings: strict),
    .target(
      name: "Folder", dependencies: ["Photos", "Services", "Store", "Gallery", "WorkerPool", "CSystem"],
      swiftSettings: strict),
    .target(
      name: "Remote",
      dependencies: [
        "Images", "ImageWire", "Steps", "Photos", "Services", "Store", "Gallery", "WorkerPool", "CZlib", "CSystem",
      ],
      swiftSettings: strict),
    .target(
      name: "Catalog", dependencies: ["Photos", "Services", "CZlib", "Gallery", "WorkerPool"], swiftSettings: strict),
    .target(name: "Finding", dependencies: ["Photos", "Gallery", "Geography"], swiftSettings: strict),
    .target(name: "Services", dependencies: ["Photos", "Gallery", "CSystem"], swiftSettings: strict),
    .target(name: "Photos", dependencies: ["Gallery"], swiftSettings: strict),
    .target(name: "Tracks", dependencies: ["Sidecars", "Services", "Gallery"], swiftSettings: strict),
    .target(
      name: "Steps", dependencies: ["Sidecars", "Store", "Services", "Photos", "Gallery", "WorkerPool", "CSystem"],
      swiftSettings: strict),
    .target(name: "Sidecars", dependencies: ["Gallery", "CExempi", "CSystem"], swiftSettings: strict + optimized),
    .target(
      name: "Store", dependencies: ["Gallery", "CSystem", .product(name: "GRDB", package: "GRDB.swift")],
      swiftSettings: strict),
    .target(name: "Languages", dependencies: ["Gallery"], swiftSettings: strict),
    .target(name: "Gallery", dependencies: ["Geography", "CSystem"], swiftSettings: strict),
    .target(name: "Geography", dependencies: ["Resources"], swiftSettings: strict + optimized),
    .target(name: "WorkerPool", dependencies: ["CSystem"], swiftSettings: strict),
    .target(
      name: "Resources", dependencies: ["CSystem"], path: "Resources",
      resources: [
        .copy("content.json"), .copy("wall.json"), .copy("prints.json"), .copy("music.json"), .copy("photos"),
        .copy("themes"), .copy("languages"), .copy("sheet"), .copy("places"), .copy("CREDITS.tsv"),
      ],
      swiftSettings: strict),

    // Neither by its own pkg-config file: SwiftPM warns of the flags there (-pthread, -D_XOPEN_SOURCE) at each build.
    .systemLibrary(name: "CNcurses", path: "Sources/C/CNcurses"),
    .systemLibrary(
      name: "CVips", path: "Sources/C/CVips", pkgConfig: "gobject-2.0", providers: [.apt(["libvips-dev"])]),
    .systemLibrary(name: "CSpng", path: "Sources/C/CSpng", pkgConfig: "spng", providers: [.apt(["libspng-dev"])]),
    .systemLibrary(
      name: "CDeflate", path: "Sources/C/CDeflate", pkgConfig: "libdeflate", providers: [.apt(["libdeflate-dev"])]),
    .systemLibrary(name: "CZlib", path: "Sources/C/CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .target(name: "CCurl", path: "Sources/C/CCurl"),
    .target(
      name: "CExempi", path: "Sources/C/CExempi", linkerSettings: [.linkedLibrary("exempi"), .linkedLibrary("stdc++")]),
    .target(name: "CISAL", path: "Sources/C/CISAL", linkerSettings: [.linkedLibrary("isal")]),
    .target(name: "CJPEG", path: "Sources/C/CJPEG", linkerSettings: [.linkedLibrary("jpeg")]),
    .systemLibrary(name: "CVipsPlugin", path: "Sources/C/CVipsPlugin"),
    .systemLibrary(name: "CVideoPlugin", path: "Sources/C/CVideoPlugin"),
    .systemLibrary(name: "CRawPlugin", path: "Sources/C/CRawPlugin"),
    .systemLibrary(name: "CArchivePlugin", path: "Sources/C/CArchivePlugin"),
    .target(
      name: "VipsPlugin", dependencies: ["CVips"], path: "Sources/C/VipsPlugin",
      // Pango's own pkg-config file has flags of which SwiftPM warns, too.
      cSettings: [
        .unsafeFlags(["cairo", "pango-1.0", "harfbuzz"].flatMap { ["-isystem", "/usr/include/\($0)"] })
      ],
      cxxSettings: [.unsafeFlags(["OpenEXR", "Imath"].flatMap { ["-isystem", "/usr/include/\($0)"] })],
      linkerSettings: plugin(
        "vips",
        of: ["vips", "gmodule-2.0", "pangocairo-1.0", "pango-1.0", "cairo", "gobject-2.0", "OpenEXR", "tiff", "stdc++"])
    ),
    .target(
      name: "VideoPlugin", path: "Sources/C/VideoPlugin",
      linkerSettings: plugin("video", of: ["avformat", "avcodec", "avutil", "swscale", "jxl"])),
    .target(name: "RawPlugin", path: "Sources/C/RawPlugin", linkerSettings: plugin("raw", of: ["raw"])),
    .target(
      name: "ArchivePlugin", path: "Sources/C/ArchivePlugin", linkerSettings: plugin("archive", of: ["archive"])),
    .target(name: "CConfinement", dependencies: ["CSystem"], path: "Sources/C/CConfinement", cSettings: portable),
    .target(name: "CTerminalGuard", dependencies: ["CSystem"], path: "Sources/C/CTerminalGuard", cSettings: portable),
    .target(name: "CSystem", path: "Sources/C/CSystem", cSettings: portable),

    .testTarget(name: "GalleryTests", dependencies: ["TestLimit", "Gallery"], swiftSettings: strict),
    .testTarget(name: "GeographyTests", dependencies: ["TestLimit", "Geography"], swiftSettings: strict),
    .testTarget(name: "LanguagesTests", dependencies: ["TestLimit", "Languages", "Gallery"], swiftSettings: strict),
    .target(
      name: "WebServer",
      dependencies: [
        .product(name: "FlyingFox", package: "FlyingFox"), .product(name: "FlyingSocks", package: "FlyingFox"),
      ],
      path: "Tests/WebServer", swiftSettings: strict),
    // The benchmarks of `make bench`.
    .executableTarget(
      name: "measure-finding", dependencies: ["Catalog", "Finding", "Photos", "Services", "Gallery"],
      path: "Tests/Benchmarks/measure-finding", swiftSettings: strict),
    .executableTarget(
      name: "measure-rungs", dependencies: ["Images", "ImageWire", "Gallery"], path: "Tests/Benchmarks/measure-rungs",
      swiftSettings: strict),
    .executableTarget(
      name: "measure-steps", dependencies: ["Steps", "Store", "Services", "Gallery"],
      path: "Tests/Benchmarks/measure-steps", swiftSettings: strict),
    .target(name: "Torture", path: "Tests/Torture", swiftSettings: strict),
    .target(name: "TestLimit", dependencies: ["Torture"], path: "Tests/Limit", swiftSettings: strict),
    .target(
      name: "TestPhotos", dependencies: ["CSpng"], path: "Tests/Photos", exclude: ["images", "CREDITS.tsv"],
      swiftSettings: strict + optimized),
    .testTarget(
      name: "FuzzTests", dependencies: fuzzed + ["TestLimit", "tintype-pictures"], path: "Tests/Fuzz",
      exclude: ["FuzzEntry.swift"],
      swiftSettings: strict),
    .testTarget(name: "HTTPTests", dependencies: ["TestLimit", "HTTP", "Gallery", "WebServer"], swiftSettings: strict),
    .testTarget(
      name: "StepsTests",
      dependencies: [
        "TestLimit", "Steps", "Sidecars", "Store", "Bundled", "Services", "Photos", "Gallery", "Torture",
        "torture-steps", .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "torture-steps", dependencies: ["Steps", "Store", "Bundled", "Services", "Gallery", "Torture", "CSystem"],
      path: "Tests/TortureSteps", swiftSettings: strict),
    // A worker that answers nonsense.
    .executableTarget(
      name: "hostile-worker", dependencies: ["Workers", "ImageWire", "Gallery", "CConfinement"],
      path: "Tests/HostileWorker", swiftSettings: strict),
    .testTarget(
      name: "StoreTests",
      dependencies: ["TestLimit", "Store", "Gallery", "Torture", .product(name: "GRDB", package: "GRDB.swift")],
      swiftSettings: strict),
    .testTarget(
      name: "TracksTests", dependencies: ["TestLimit", "Tracks", "Services", "Gallery"], swiftSettings: strict),
    .testTarget(name: "PhotosTests", dependencies: ["TestLimit", "Photos", "Gallery"], swiftSettings: strict),
    .testTarget(
      name: "SidecarsTests", dependencies: ["TestLimit", "Sidecars", "Gallery", "Torture"], exclude: ["Samples"],
      swiftSettings: strict),
    .testTarget(
      name: "FindingTests", dependencies: ["TestLimit", "Finding", "Photos", "Gallery"], swiftSettings: strict),
    .testTarget(
      name: "SourcesTests",
      dependencies: [
        "TestLimit", "Bundled", "Web", "Folder", "Catalog", "Photos", "Services", "Sidecars", "Store", "HTTP",
        "Gallery",
        "WebServer",
        "Resources",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ViewModelsTests",
      dependencies: ["TestLimit", "ViewModels", "Finding", "Photos", "Services", "Gallery", "Geography"],
      swiftSettings: strict),
    .testTarget(
      name: "SeedTests",
      dependencies: ["TestLimit", "ViewModels", "Catalog", "Photos", "Services", "Gallery", "Resources"],
      swiftSettings: strict),
    .testTarget(
      name: "TerminalTests", dependencies: ["TestLimit", "Terminal", "ImageWire", "Gallery", "CSystem"],
      swiftSettings: strict),
    .testTarget(
      name: "PrintingTests", dependencies: ["TestLimit", "Printing", "Terminal", "ImageWire"], swiftSettings: strict),
    .testTarget(
      name: "RemoteTests",
      dependencies: ["TestLimit", "Remote", "Photos", "ImageWire", "Gallery"], swiftSettings: strict),
    .testTarget(
      name: "SheetsTests", dependencies: ["TestLimit", "Sheets", "ImageWire", "Gallery"], swiftSettings: strict),
    .testTarget(
      name: "MetadataTests", dependencies: ["TestLimit", "Metadata", "Gallery", "TestPhotos", "CZlib"],
      swiftSettings: strict),
    .testTarget(name: "ImageWireTests", dependencies: ["TestLimit", "ImageWire", "Gallery"], swiftSettings: strict),
    .testTarget(
      name: "ImagesTests",
      dependencies: [
        "TestLimit", "Images", "ImageWire", "Metadata", "Services", "Store", "HTTP", "WebServer", "Gallery", "Torture",
        "TestPhotos",
        "Resources", "CZlib", "tintype", "tintype-pictures", "hostile-worker",
      ],
      swiftSettings: strict + optimized),
    .testTarget(
      name: "ScreensTests",
      dependencies: [
        "TestLimit", "Screens", "Terminal", "ViewModels", "Images", "ImageWire", "Finding", "Photos", "Services",
        "Gallery",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ConfigurationTests",
      dependencies: [
        "TestLimit", "Configuration", "Screens", "Terminal", "ImageWire", "Finding", "Photos", "Gallery", "Resources",
      ],
      swiftSettings: strict),
    .testTarget(name: "WorkerPoolTests", dependencies: ["TestLimit", "WorkerPool"], swiftSettings: strict),
    // Without its pkg-config file: SwiftPM would ask for the package at each build, also of the program alone.
    .systemLibrary(name: "CVTerm", path: "Tests/CVTerm"),
    .target(
      name: "Harness", dependencies: ["CVTerm", "CJPEG", "TestPhotos", "Torture"], path: "Tests/Harness",
      swiftSettings: strict + optimized),
    .testTarget(
      name: "ScreenTests",
      dependencies: [
        "TestLimit", "Harness", "Terminal", "CTerminalGuard", "CVTerm", "CJPEG", "WebServer", "Torture", "TestPhotos",
        "Languages",
        "tintype", "tintype-pictures", "hostile-worker",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      exclude: ["Snapshots", "HarnessTests/Snapshots"], swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)

// `make fuzz` builds the fuzzed modules with instrumentation, and one program that calls them.
if Context.environment["TINTYPE_FUZZ"] != nil {
  let instrumented = strict + [.unsafeFlags(["-O", "-sanitize=fuzzer,address"])]
  let names =
    fuzzed.compactMap { if case .byNameItem(let name, _) = $0 { name } else { nil } } + [
      "tintype-pictures", "fuzz",
    ]
  package.targets.removeAll { $0.isTest || ["tintype", "tintype-pictures"].contains($0.name) }
  package.products.removeAll { ["tintype", "tintype-pictures"].contains($0.name) }
  // The worker without its main function.
  package.targets.append(.target(name: "tintype-pictures", dependencies: pictures, exclude: ["Worker.swift"]))
  package.targets.append(
    .executableTarget(
      name: "fuzz", dependencies: fuzzed + ["tintype-pictures"], path: "Tests/Fuzz", exclude: ["ReplayTests.swift"]))
  for target in package.targets where ["VideoPlugin", "RawPlugin", "ArchivePlugin"].contains(target.name) {
    target.cSettings = [.unsafeFlags(["-fsanitize=fuzzer-no-link,address"])]
  }
  for target in package.targets where names.contains(target.name) {
    target.swiftSettings = instrumented
    target.linkerSettings = [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])]
  }
}
