// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "tintype",
  products: [.executable(name: "tintype", targets: ["tintype"])],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.1.0"),
  ],
  targets: [
    .executableTarget(
      name: "tintype",
      dependencies: [
        "Screens", "Services", "WorkerPool", "Resources",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict),
    .target(name: "Screens", dependencies: ["Terminal", "ViewModels"], swiftSettings: strict),
    .target(name: "Terminal", dependencies: ["CNcurses", "CTerminalGuard"], swiftSettings: strict),
    .target(name: "ViewModels", dependencies: ["Gallery", "Services"], swiftSettings: strict),
    .target(name: "Services", dependencies: ["Gallery"], swiftSettings: strict),
    .target(name: "Gallery", swiftSettings: strict),
    .target(
      name: "WorkerPool",
      dependencies: ["CWorkerPool", .product(name: "HeapModule", package: "swift-collections")],
      swiftSettings: strict),
    .target(
      name: "Resources", path: "Resources",
      resources: [.copy("content.json"), .copy("photos"), .copy("CREDITS.tsv")],
      swiftSettings: strict),

    .systemLibrary(name: "CNcurses", pkgConfig: "ncursesw", providers: [.apt(["libncursesw5-dev"])]),
    .target(name: "CTerminalGuard"),
    .target(name: "CWorkerPool"),

    .testTarget(name: "GalleryTests", dependencies: ["Gallery"], swiftSettings: strict),
    .testTarget(name: "ServicesTests", dependencies: ["Services", "Resources"], swiftSettings: strict),
    .testTarget(name: "ViewModelsTests", dependencies: ["ViewModels"], swiftSettings: strict),
    .testTarget(name: "TerminalTests", dependencies: ["Terminal"], swiftSettings: strict),
    .testTarget(name: "ScreensTests", dependencies: ["Screens"], swiftSettings: strict),
    .testTarget(name: "WorkerPoolTests", dependencies: ["WorkerPool"], swiftSettings: strict),
    .systemLibrary(
      name: "CVTerm", path: "Tests/CVTerm", pkgConfig: "vterm", providers: [.apt(["libvterm-dev"])]),
    .target(name: "ScreenHarness", dependencies: ["CVTerm"], path: "Tests/ScreenHarness", swiftSettings: strict),
    .testTarget(
      name: "ScreenHarnessTests", dependencies: ["ScreenHarness"], exclude: ["Snapshots"], swiftSettings: strict),
    .testTarget(
      name: "ScreenTests", dependencies: ["ScreenHarness", "tintype"],
      exclude: ["Snapshots"], swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
