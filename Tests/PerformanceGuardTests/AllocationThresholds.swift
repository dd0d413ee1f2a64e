import Foundation

/// How many allocations an operation may take, in a file beside the tests.
///
/// The file has the mean numbers that were counted when it was last made anew, with `make guards-update`, for each way of building.
struct AllocationThresholds {
    /// By the way of building, the engine and the operation.
    private(set) var counts: [String: [String: [String: Double]]]

    #if TROVE_OPTIMIZED
    static let configuration = "optimized"
    #elseif DEBUG
    static let configuration = "debug"
    #else
    static let configuration = "release"
    #endif

    /// Whether the guards hold in this way of building: as `make test` and `swift test` build always, in others once numbers were recorded for them.
    static func areExpected() throws -> Bool {
        try ["debug", "optimized"].contains(configuration) || isUpdating || AllocationThresholds().counts[configuration] != nil
    }

    /// Whether what is counted is to be written to the file.
    static var isUpdating: Bool { ProcessInfo.processInfo.environment["TROVE_GUARDS"] == "update" }

    private static let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "allocations.json")

    init() throws {
        counts = try JSONDecoder().decode([String: [String: [String: Double]]].self, from: Data(contentsOf: Self.file))
    }

    subscript(engine: String, operation: GuardedOperation) -> Double? {
        get { counts[Self.configuration]?[engine]?[operation.rawValue] }
        set { counts[Self.configuration, default: [:]][engine, default: [:]][operation.rawValue] = newValue }
    }

    /// The most that passes: a twentieth and a fifth of an allocation more than was counted, for growing buffers that fall on other operations.
    static func limit(_ count: Double) -> Double { count * 1.05 + 0.2 }

    func write() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try (encoder.encode(counts) + Data("\n".utf8)).write(to: Self.file)
    }
}
