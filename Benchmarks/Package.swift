// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that the peers measured here never reach a user of the library.
let package = Package(
    name: "TroveBenchmarks",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "trove-bench", targets: ["TroveBench"])
    ],
    dependencies: [
        .package(name: "Trove", path: ".."),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.0"),
    ],
    targets: [
        // The engines' headers for the C programs. The library's own modules are not products, and stay so.
        .systemLibrary(
            name: "SystemSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
        .systemLibrary(
            name: "SystemLMDB", pkgConfig: "lmdb", providers: [.apt(["liblmdb-dev"]), .brew(["lmdb"])]),
        .systemLibrary(
            name: "SystemTokyoCabinet", pkgConfig: "tokyocabinet",
            providers: [.apt(["libtokyocabinet-dev"]), .brew(["tokyo-cabinet"])]),
        .target(
            name: "RawEngines", dependencies: ["SystemSQLite", "SystemLMDB", "SystemTokyoCabinet"]),
        // A link to the target of the library's own tests.
        .target(name: "AllocationCounter"),
        // The build lists the workloads and contestants that there are files of.
        .executableTarget(name: "MemberFinder"),
        .plugin(name: "FindMembers", capability: .buildTool, dependencies: ["MemberFinder"]),
        .executableTarget(
            name: "TroveBench",
            dependencies: [
                "RawEngines", "AllocationCounter",
                .product(name: "Trove", package: "Trove"),
                .product(name: "TroveSQLite", package: "Trove"),
                .product(name: "TroveLMDB", package: "Trove"),
                .product(name: "TroveTokyoCabinet", package: "Trove"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            plugins: ["FindMembers"]),
    ],
    swiftLanguageModes: [.v6]
)
