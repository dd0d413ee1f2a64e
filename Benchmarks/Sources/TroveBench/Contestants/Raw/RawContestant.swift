import RawEngines

/// A C program that makes the engine calls Trove makes, with keys and values that are ready.
struct RawContestant: Contestant {
    let engine: EngineName
    let approach: String
    private let functions: @Sendable () -> UnsafePointer<raw_engine>
    private let fileName: String

    let kind = ContestantKind.raw
    var name: String { "raw-\(engine.rawValue)" }
    var title: String { "C on \(engine.title)" }

    init(_ engine: EngineName, fileName: String, approach: String, _ functions: @escaping @Sendable () -> UnsafePointer<raw_engine>) {
        self.engine = engine
        self.fileName = fileName
        self.approach = approach
        self.functions = functions
    }

    /// The version of the engine's library.
    var engineVersion: String { functions().pointee.version().map { String(cString: $0) } ?? "unknown" }

    func reasonAgainst(_ workload: any Workload) -> String? {
        switch workload {
        case is FetchAll, is Stream: "it makes no objects"
        case is ConcurrentWrites: "it has one thread"
        default: nil
        }
    }

    func open(_ place: StorePlace) throws -> any SongStore {
        try RawStore(functions().pointee, path: "\(place.directory)/\(fileName)", place)
    }
}
