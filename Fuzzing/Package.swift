// swift-tools-version: 6.2
import PackageDescription

// A package of its own, because all of Trove has to be built with libFuzzer's instruments, and a package that others depend on
// may not ask for compiler flags. The sources are links to those of the library and of the tests, so nothing is here twice; the
// compiler plug-in is not needed, since the checks' models are written by hand. `Scripts/fuzz` links the result with libFuzzer.
let instruments: [SwiftSetting] = [
    .unsafeFlags([
        "-sanitize=fuzzer", "-parse-as-library", "-enable-testing",
        // The library declares macros whose plug-in is not built here.
        "-suppress-warnings",
    ])
]

let package = Package(
    name: "TroveFuzzing",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "FuzzChecks", type: .static, targets: ["FuzzChecks"])
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-collections.git", from: "1.3.0")
    ],
    targets: [
        .target(name: "TroveStorage", swiftSettings: instruments),
        .target(name: "TroveBackendKit", dependencies: ["TroveStorage"], swiftSettings: instruments),
        .target(name: "TroveMemory", dependencies: ["TroveStorage", "TroveBackendKit"], swiftSettings: instruments),
        .target(
            name: "Trove",
            dependencies: [
                "TroveStorage", "TroveBackendKit", "TroveMemory", .product(name: "DequeModule", package: "swift-collections"),
            ],
            swiftSettings: instruments),
        // What is checked of every input; the tests run the same.
        .target(name: "FuzzChecks", dependencies: ["Trove"], swiftSettings: instruments),
    ],
    swiftLanguageModes: [.v6]
)
