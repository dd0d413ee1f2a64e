// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

let libraryDependencies: [Target.Dependency] = [
    "TroveStorage", "TroveBackendKit", "TroveMemory", "TroveMacros", "ObjectLifetime", .product(name: "DequeModule", package: "swift-collections"),
]

let package = Package(
    name: "Trove",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "Trove", targets: ["Trove"]),
        .library(name: "TroveActiveRecord", targets: ["TroveActiveRecord"]),
        .library(name: "TroveSQLite", targets: ["TroveSQLite"]),
        .library(name: "TroveLMDB", targets: ["TroveLMDB"]),
        .library(name: "TroveTokyoCabinet", targets: ["TroveTokyoCabinet"]),
        .library(name: "TroveCrypto", targets: ["TroveCrypto"]),
        .library(name: "TroveImport", targets: ["TroveImport"]),
        .library(name: "TroveMirror", targets: ["TroveMirror"]),
        .library(name: "TroveValues", targets: ["TroveValues"]),
        .library(name: "TroveDocument", targets: ["TroveDocument"]),
        // A page in the browser that shows a store. It links no engine: the application has opened its own.
        .library(name: "TroveInspector", targets: ["TroveInspector"]),
        // What a backend of one's own is written with; none of them builds the macros.
        .library(name: "TroveStorage", targets: ["TroveStorage"]),
        .library(name: "TroveBackendKit", targets: ["TroveBackendKit"]),
        .library(name: "TroveTesting", targets: ["TroveTesting"]),
        // The command line. Who depends on the libraries above builds nothing of it.
        .executable(name: "trove", targets: ["TroveTool"]),
    ],
    traits: [
        // Which engines the command line has beside SQLite. Libraries have the engines that an application names.
        // One that has all, since two that are on by themselves are handed to the compiler now in this order and now in that, and then everything is compiled again.
        .default(enabledTraits: ["AllEngines"]),
        .trait(name: "AllEngines", description: "The command line opens stores of every engine; building it needs liblmdb and libtokyocabinet."),
        .trait(name: "LMDB", description: "The command line opens stores on LMDB; building it needs liblmdb."),
        .trait(name: "TokyoCabinet", description: "The command line opens stores on Tokyo Cabinet; building it needs libtokyocabinet."),
    ],
    dependencies: [
        .package(url: "https://github.com/swiftlang/swift-syntax.git", "602.0.0"..<"604.0.0"),
        .package(url: "https://github.com/apple/swift-collections.git", from: "1.3.0"),
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.0.0"),
        .package(url: "https://github.com/swhitty/FlyingFox.git", from: "0.27.1"),
    ],
    // Each target names all that it imports, not what another brings along: otherwise SwiftPM may not compile it again when that has changed.
    targets: [
        // The contract, what backends share, and the memory engine.
        .target(name: "TroveStorage"),
        .target(name: "TroveBackendKit", dependencies: ["TroveStorage"]),
        .target(name: "TroveMemory", dependencies: ["TroveStorage", "TroveBackendKit"]),

        // What an application imports.
        .macro(
            name: "TroveMacros",
            dependencies: [
                .product(name: "SwiftSyntaxMacros", package: "swift-syntax"),
                .product(name: "SwiftCompilerPlugin", package: "swift-syntax"),
            ]),
        // Reads a reference that does not keep its object, for the identity map.
        .target(name: "ObjectLifetime"),
        .target(name: "Trove", dependencies: libraryDependencies),
        // Saving and finding on the object itself.
        .target(name: "TroveActiveRecord", dependencies: ["Trove"]),
        .target(name: "TroveTesting", dependencies: ["TroveStorage", "TroveBackendKit"]),

        // The engines: a system library and a Swift target each.
        .systemLibrary(
            name: "CSQLite", path: "Backends/CSQLite", pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
        .systemLibrary(
            name: "CLMDB", path: "Backends/CLMDB", pkgConfig: "lmdb",
            providers: [.apt(["liblmdb-dev"]), .brew(["lmdb"])]),
        .systemLibrary(
            name: "CTokyoCabinet", path: "Backends/CTokyoCabinet", pkgConfig: "tokyocabinet",
            providers: [.apt(["libtokyocabinet-dev"]), .brew(["tokyo-cabinet"])]),
        .target(name: "TroveSQLite", dependencies: ["TroveStorage", "TroveBackendKit", "CSQLite"], path: "Backends/TroveSQLite"),
        .target(name: "TroveLMDB", dependencies: ["TroveStorage", "TroveBackendKit", "CLMDB"], path: "Backends/TroveLMDB"),
        // Keeps the packaged library from yielding the processor within its calls.
        .target(name: "TokyoCabinetYield", path: "Backends/TokyoCabinetYield"),
        .target(
            name: "TroveTokyoCabinet", dependencies: ["TroveStorage", "TroveBackendKit", "CTokyoCabinet", "TokyoCabinetYield"],
            path: "Backends/TroveTokyoCabinet"),

        // The sealed store, any engine with everything in it encrypted, and the keys of encrypted properties. Nothing else of the package depends on a cipher
        // library.
        .target(
            name: "TroveCrypto",
            dependencies: [
                "Trove", "TroveStorage", "TroveBackendKit", .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ]),

        // Values that Parse and its relatives have: pointers, files, lists of who may do what.
        .target(name: "TroveValues", dependencies: ["Trove", "TroveBackendKit"]),

        // A store as a document, which is edited in a working copy and saved as a whole.
        .target(name: "TroveDocument", dependencies: ["Trove", "TroveStorage", "TroveBackendKit"]),

        // A directory of readable files that is kept in step with a store.
        .target(name: "TroveMirror", dependencies: ["Trove", "TroveBackendKit"]),

        // Other libraries' files, read without these libraries. It links SQLite, since most of them are SQLite's.
        .target(name: "TroveImport", dependencies: ["Trove", "CSQLite"]),

        // What the command line and the inspector show and change of an open store, without knowing its engine.
        .target(name: "TroveStoreTools", dependencies: ["Trove"], path: "Tools/TroveStoreTools"),
        // The inspector. Of FlyingFox it takes the sockets alone; docs/decisions/0022-the-inspector-has-its-own-http.md says why.
        .target(name: "TroveInspector", dependencies: ["Trove", "TroveStoreTools", .product(name: "FlyingSocks", package: "FlyingFox")]),

        // The command line: a library, because tests can import no program, and the program. On systems that take `trove` and `Trove` for one name, only the
        // product may be called so. All engines are linked unless traits say otherwise, since the program is to open any store that it is given.
        .target(
            name: "TroveCLI",
            dependencies: [
                "Trove", "TroveBackendKit", "TroveCrypto", "TroveImport", "TroveInspector", "TroveMirror", "TroveStoreTools", "TroveSQLite",
                .target(name: "TroveLMDB", condition: .when(traits: ["AllEngines", "LMDB"])),
                .target(name: "TroveTokyoCabinet", condition: .when(traits: ["AllEngines", "TokyoCabinet"])),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Tools/TroveCLI"),
        .executableTarget(name: "TroveTool", dependencies: ["TroveCLI"], path: "Tools/TroveTool"),

        // The demo: a library, because tests can import no program, and the program.
        .target(
            name: "PackageCatalogueKit",
            dependencies: [
                "Trove", "TroveSQLite", "TroveLMDB", "TroveTokyoCabinet",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Examples/PackageCatalogue/PackageCatalogueKit",
            exclude: ["Data/README.md", "Data/make_sample.py"],
            resources: [.copy("Data/packages.jsonl")]),
        .executableTarget(
            name: "PackageCatalogue", dependencies: ["PackageCatalogueKit"],
            path: "Examples/PackageCatalogue/PackageCatalogue"),
        .executableTarget(
            name: "Cookbook", dependencies: ["Trove", "TroveSQLite", "TroveLMDB", "TroveTokyoCabinet"], path: "Examples/Cookbook"),

        // A complete backend, which `docs/writing-a-backend.md` shows step by step.
        .target(name: "TroveSortedArray", dependencies: ["TroveStorage", "TroveBackendKit"], path: "Examples/SortedArrayBackend"),

        // What the library waits for, in one target.
        .target(name: "BuiltFirst", dependencies: libraryDependencies, path: "Tests/BuiltFirst"),
        // The layers of the library, held against the compiler's index.
        .target(name: "IndexStoreReader", path: "Tests/IndexStoreReader"),
        // What other modules name, for the test that nobody needs a module's name in front.
        .target(name: "SwiftUINames", path: "Tests/NameStandIns/SwiftUINames"),
        .target(name: "SwiftDataNames", path: "Tests/NameStandIns/SwiftDataNames"),
        // What the samples of the documentation import is built with it.
        .testTarget(
            name: "HouseTests",
            dependencies: [
                "IndexStoreReader", "SwiftUINames", "SwiftDataNames", "TestSupport", "Trove", "TroveActiveRecord", "TroveCrypto", "TroveDocument", "TroveImport",
                "TroveInspector", "TroveMirror", "TroveValues",
            ],
            exclude: ["Samples/Surroundings"]),

        // Tests mirror the targets; what is tested on every engine takes the engines from EngineSupport, and stores on them from TestSupport. Tests of the engines
        // need no more than the first, so they are compiled while the library is.
        .target(
            name: "EngineSupport",
            dependencies: ["TroveStorage", "TroveBackendKit", "TroveMemory", "TroveSQLite", "TroveLMDB", "TroveTokyoCabinet", "TroveTesting"],
            path: "Tests/EngineSupport"),
        .target(name: "TestSupport", dependencies: ["EngineSupport", "Trove"], path: "Tests/TestSupport"),
        // What the tests say to their child process, and the process itself.
        .target(name: "ProbeKit", dependencies: ["Trove", "TroveStorage", "TestSupport", "TroveCrypto", "TroveSortedArray"], path: "Tests/ProbeKit"),
        .executableTarget(name: "StoreProbe", dependencies: ["ProbeKit"], path: "Tests/StoreProbe"),
        // Counts allocations, for the guards of the hot paths and for the benchmarks.
        .target(name: "AllocationCounter", path: "Tests/AllocationCounter"),
        .testTarget(
            name: "PerformanceGuardTests", dependencies: ["AllocationCounter", "Trove", "TestSupport"], exclude: ["allocations.json"]),
        // The crash loop. No test depends on the recorder, which would take the place of the tests' own system calls; they start the program.
        .target(name: "SyncRecorder", path: "Tests/SyncRecorder"),
        .target(
            name: "CrashKit",
            dependencies: [
                "SyncRecorder", "TestSupport", "Trove", "TroveTesting", "TroveSQLite", "TroveLMDB", "TroveTokyoCabinet",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Tests/CrashKit"),
        .executableTarget(name: "CrashLoop", dependencies: ["CrashKit"], path: "Tests/CrashLoop"),
        .testTarget(name: "CrashTests", dependencies: ["EngineSupport"]),
        .testTarget(name: "RobustnessTests", dependencies: ["Trove", "TroveStorage", "ProbeKit", "StoreProbe", "TestSupport"]),
        // What `make fuzz` runs with libFuzzer; here over the corpus and mutations of it.
        .testTarget(name: "FuzzTests", dependencies: ["AllocationCounter", "Trove", "TestSupport"], exclude: ["Corpus"]),
        // Stores of every format there has been, as files.
        .testTarget(
            name: "GoldenStoreTests", dependencies: ["Trove", "TroveCrypto", "TroveSQLite", "TroveLMDB", "TroveTokyoCabinet", "TestSupport"],
            exclude: ["Stores"]),
        .testTarget(
            name: "TroveStorageTests", dependencies: ["TroveStorage", "TroveBackendKit", "TroveMemory", "TroveTesting", "EngineSupport"]),
        .testTarget(name: "RandomProgramTests", dependencies: ["TroveBackendKit", "TroveStorage", "Trove", "TroveTesting", "TestSupport"]),
        // System calls that fail, linked into a program that a test starts; no test depends on it, or its own calls would fail too.
        .target(name: "FailingCalls", path: "Tests/FailingCalls"),
        .executableTarget(name: "SystemFaultProbe", dependencies: ["Trove", "FailingCalls", "TestSupport", "TroveDocument", "TroveMirror"], path: "Tests/SystemFaultProbe"),
        .testTarget(name: "FaultTests", dependencies: ["TroveBackendKit", "Trove", "TroveTesting", "TroveDocument", "TroveMirror", "TestSupport"]),
        .testTarget(
            name: "BackendMatrixTests",
            dependencies: ["TroveStorage", "TroveBackendKit", "TroveMemory", "TroveTesting", "EngineSupport", "TroveSortedArray"]),
        .testTarget(name: "TroveSortedArrayTests", dependencies: ["TroveStorage", "TroveSortedArray", "TroveBackendKit", "Trove", "TestSupport"]),
        .testTarget(name: "ConcurrencyTests", dependencies: ["TroveLMDB", "TroveSQLite", "TroveStorage", "Trove", "ProbeKit", "StoreProbe", "TestSupport"]),
        .testTarget(name: "TroveSQLiteTests", dependencies: ["TroveBackendKit", "TroveStorage", "TroveSQLite", "CSQLite", "EngineSupport"]),
        .testTarget(name: "TroveLMDBTests", dependencies: ["TroveStorage", "TroveLMDB", "TroveBackendKit", "CLMDB", "EngineSupport"]),
        .testTarget(
            name: "TroveCryptoTests",
            dependencies: ["TroveBackendKit", "TroveStorage", "TroveCrypto", "Trove", "TroveTesting", "TestSupport", "ProbeKit", "StoreProbe"]),
        // Counts how often a thread loses its processor.
        .target(name: "SchedulerProbe", path: "Tests/SchedulerProbe"),
        .testTarget(
            name: "TroveTokyoCabinetTests",
            dependencies: ["TroveStorage", "TroveTokyoCabinet", "TroveBackendKit", "CTokyoCabinet", "SchedulerProbe", "EngineSupport"]),
        // The library's tests are three targets, since each batch of files that the compiler takes reads all models of its target.
        .target(name: "TestModels", dependencies: ["Trove", "TroveStorage", "TestSupport"], path: "Tests/TestModels"),
        .testTarget(
            name: "TroveTests",
            dependencies: [
                "TroveBackendKit", "TroveLMDB", "TroveMemory", "TroveSQLite", "TroveStorage", "TroveTokyoCabinet", "Trove", "TroveTesting", "TestModels",
                "TestSupport",
            ]),
        .testTarget(
            name: "TroveSearchTests", dependencies: ["TroveBackendKit", "TroveStorage", "Trove", "TroveTesting", "TestModels", "TestSupport"],
            exclude: ["PackageData/answers.json", "PackageData/answers-full.json", "PackageData/make_answers.py"]),
        .testTarget(name: "TroveObjectTests", dependencies: ["TroveBackendKit", "TroveStorage", "Trove", "TroveTesting", "TestModels", "TestSupport"]),
        .testTarget(
            name: "PackageCatalogueTests", dependencies: ["PackageCatalogueKit", "Trove", "TestSupport"],
            exclude: ["answers.json", "answers-full.json", "make_answers.py"]),
        .testTarget(name: "CookbookTests", dependencies: ["Cookbook"]),
        .testTarget(name: "TroveCLITests", dependencies: ["TroveCLI", "TroveTool", "TroveStoreTools", "Trove", "TroveBackendKit", "TroveCrypto", "TroveTesting", "TestSupport"]),
        .testTarget(name: "TroveInspectorTests", dependencies: ["TroveInspector", "TroveStoreTools", "Trove", "TestSupport"]),
        .testTarget(name: "TroveValuesTests", dependencies: ["TroveValues", "Trove", "TestSupport"]),
        .testTarget(name: "TroveDocumentTests", dependencies: ["TroveBackendKit", "TroveDocument", "Trove", "TroveCrypto", "TestSupport"]),
        .testTarget(name: "TroveMirrorTests", dependencies: ["TroveBackendKit", "TroveMirror", "Trove", "TroveCrypto", "TestSupport"]),
        .testTarget(name: "TroveImportTests", dependencies: ["TroveImport", "Trove", "CSQLite", "TestSupport"], exclude: ["Fixtures", "make-fixtures.py"]),
        .testTarget(name: "TroveActiveRecordTests", dependencies: ["Trove", "TroveActiveRecord", "TestSupport"]),
        // The macros once more, in a program that tests ask: a test that imports macros makes SwiftPM build all that tests import twice, for the
        // machine that compiles and for the one that runs.
        .target(name: "MacroQuestions", path: "Tests/MacroQuestions"),
        .macro(
            name: "MacroProbe",
            dependencies: [
                "MacroQuestions",
                .product(name: "SwiftSyntaxMacros", package: "swift-syntax"),
                .product(name: "SwiftSyntaxMacrosGenericTestSupport", package: "swift-syntax"),
            ],
            path: "Tests/MacroProbe", exclude: ["Macros/Plugin.swift"]),
        .testTarget(name: "TroveMacrosTests", dependencies: ["MacroQuestions", "EngineSupport"]),
    ],
    swiftLanguageModes: [.v6]
)

// Most of the tests' time is the library's, so `Scripts/test` asks for an optimised one that keeps its assertions. Nobody who depends on this package meets
// these flags: SwiftPM would refuse them.
if Context.environment["TROVE_OPTIMIZED"] == "1" {
    // What takes longer to optimise than tests take with it is not here: importers, mirrors, the inspector.
    let optimized: Set = [
        "TroveStorage", "TroveBackendKit", "TroveMemory", "Trove", "TroveActiveRecord", "TroveTesting", "TroveSQLite", "TroveLMDB", "TroveTokyoCabinet",
        "TroveCrypto", "TroveValues", "TroveDocument", "ProbeKit", "CrashKit",
    ]
    for target in package.targets where optimized.contains(target.name) {
        target.swiftSettings = [.unsafeFlags(["-O", "-whole-module-optimization", "-num-threads", "2", "-assert-config", "Debug"])]
    }
    // The guards of allocations have numbers for each way of building.
    for target in package.targets where target.name == "PerformanceGuardTests" { target.swiftSettings = [.define("TROVE_OPTIMIZED")] }
}
