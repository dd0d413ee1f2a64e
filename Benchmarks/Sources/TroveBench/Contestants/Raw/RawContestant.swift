import RawEngines

/// A C program that makes the engine calls Trove makes, with keys and values that are ready.
struct RawContestant: Contestant {
    let engine: EngineName
    let approach: String
    private let functions: @Sendable () -> UnsafePointer<raw_engine>
    private let trackFunctions: @Sendable () -> UnsafePointer<raw_track_engine>
    private let fileName: String

    let kind = ContestantKind.raw
    var name: String { "raw-\(engine.rawValue)" }
    var title: String { "C on \(engine.title)" }

    init(
        _ engine: EngineName, fileName: String, approach: String,
        _ functions: @escaping @Sendable () -> UnsafePointer<raw_engine>,
        tracks trackFunctions: @escaping @Sendable () -> UnsafePointer<raw_track_engine>
    ) {
        self.engine = engine
        self.fileName = fileName
        self.approach = approach
        self.functions = functions
        self.trackFunctions = trackFunctions
    }

    /// The version of the engine's library.
    var engineVersion: String { functions().pointee.version().map { String(cString: $0) } ?? "unknown" }

    func reasonAgainst(_ workload: any Workload) -> String? {
        switch workload {
        case is FetchAll, is Stream: "it makes no objects"
        case is ConcurrentWrites: "it has one thread"
        case is GroupScan, is GroupCount, is IndexBuild: "it does not group"
        case is any TitleWorkload: "it has no full text"
        case is any PlaylistWorkload, is any TreeWorkload: engine == .lmdb ? nil : "the C program on graphs is written for LMDB"
        default: nil
        }
    }

    func openSongs(_ place: StorePlace) throws -> any SongStore {
        try RawSongStore(functions().pointee, path: "\(place.directory)/\(fileName)", place)
    }

    func openTracks(_ place: StorePlace, _ data: TrackData) throws -> any TrackStore {
        try RawTrackStore(
            trackFunctions().pointee, path: "\(place.directory)/\(fileName)", place, data, hasLabelIndex: false,
            takesRecords: true)
    }

    func openPlaylists(_ place: StorePlace, _ data: GraphData) throws -> any PlaylistStore {
        try RawGraphStore(path: "\(place.directory)/\(fileName)", place, data)
    }

    func openTree(_ place: StorePlace, _ data: GraphData) throws -> any TreeStore {
        try RawGraphStore(path: "\(place.directory)/\(fileName)", place, data)
    }
}
