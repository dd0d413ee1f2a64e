import RawEngines

/// A C program that makes the engine calls Trove makes, with keys and values that are ready.
struct RawContestant: Contestant {
    let engine: EngineName
    let approach: String
    private let functions: @Sendable () -> UnsafePointer<raw_engine>
    private let trackFunctions: @Sendable () -> UnsafePointer<raw_track_engine>
    private let itemFunctions: @Sendable () -> UnsafePointer<raw_item_engine>
    private let fileName: String

    static let variants: [any Contestant] = [lmdb, sqlite, tokyoCabinet]

    let kind = ContestantKind.raw
    var name: String { "raw-\(engine.rawValue)" }
    var title: String { "C on \(engine.title)" }

    init(
        _ engine: EngineName, fileName: String, approach: String,
        _ functions: @escaping @Sendable () -> UnsafePointer<raw_engine>,
        tracks trackFunctions: @escaping @Sendable () -> UnsafePointer<raw_track_engine>,
        items itemFunctions: @escaping @Sendable () -> UnsafePointer<raw_item_engine>
    ) {
        self.engine = engine
        self.fileName = fileName
        self.approach = approach
        self.functions = functions
        self.trackFunctions = trackFunctions
        self.itemFunctions = itemFunctions
    }

    /// The version of the engine's library.
    var engineVersion: String { functions().pointee.version().map { String(cString: $0) } ?? "unknown" }

    func reasonAgainst(_ workload: any Workload) -> String? {
        switch workload {
        case is FetchAll, is Stream: "it makes no objects"
        case is ConcurrentWrites: "it has one thread"
        case is AskTracks: "the questions are for SQLite's columns"
        case is GroupScan, is GroupCount, is IndexBuild: "it does not group"
        case is any TitleWorkload: "it has no full text"
        case is any PlaylistWorkload, is any TreeWorkload: engine == .lmdb ? nil : "the C programs on graphs are for LMDB and SQLite's columns"
        case is CatalogueImport: "the C programs have no objects of so many kinds of values"
        case is any NoteWorkload: "documents without a type are seen with the C program on paths"
        case is DocumentInsert: "index entries of keys and values are seen with the tracks"
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

    func openItems(_ place: StorePlace) throws -> any ItemStore {
        try RawItemStore(itemFunctions().pointee, path: "\(place.directory)/\(fileName)", place)
    }

    func openPlaylists(_ place: StorePlace, _ data: GraphData) throws -> any PlaylistStore {
        try RawGraphStore(raw_graph_engine_lmdb().pointee, path: "\(place.directory)/\(fileName)", place, data)
    }

    func openTree(_ place: StorePlace, _ data: GraphData) throws -> any TreeStore {
        try RawGraphStore(raw_graph_engine_lmdb().pointee, path: "\(place.directory)/\(fileName)", place, data)
    }
}
