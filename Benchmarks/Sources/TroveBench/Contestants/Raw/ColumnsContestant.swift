import RawEngines

/// A C program that uses SQLite as it is meant to be used: native columns, native indexes and FTS5.
struct ColumnsContestant: Contestant {
    let name = "raw-sqlite-columns"
    let title = "C on SQLite, columns"
    let engine = EngineName.sqlite
    let kind = ContestantKind.raw
    let approach = """
        Tables with an INTEGER PRIMARY KEY and native columns, native indexes, which SQLite keeps row by row, join tables with foreign keys, and FTS5 with the texts in \
        a table of their own; Trove's pragmas, statements prepared once.
        """

    func reasonAgainst(_ workload: any Workload) -> String? {
        switch workload.family {
        case .songs: "columns are read and written with the simple songs"
        case .catalogue: "the C programs have no objects of so many kinds of values"
        case .growth: "how cost grows is seen with the C program on keys and values"
        case .notes: "documents without a type have no columns"
        case .tracks, .titles, .items, .edits, .small, .mixed, .documents, .playlists, .tree: nil
        }
    }

    func openTracks(_ place: StorePlace, _ data: TrackData) throws -> any TrackStore {
        try openTracks(place, data, hasLabelIndex: false)
    }

    func openLabelledTracks(_ place: StorePlace, _ data: TrackData) throws -> any LabelStore {
        try openTracks(place, data, hasLabelIndex: true)
    }

    private func openTracks(_ place: StorePlace, _ data: TrackData, hasLabelIndex: Bool) throws -> RawTrackStore {
        try RawTrackStore(
            raw_track_engine_sqlite_columns().pointee, path: "\(place.directory)/store.sqlite", place, data, hasLabelIndex: hasLabelIndex,
            takesRecords: false)
    }

    func openTitles(_ place: StorePlace, _ data: TitleData) throws -> any TitleStore {
        try RawTitleStore(path: "\(place.directory)/store.sqlite", place, data)
    }

    func openItems(_ place: StorePlace) throws -> any ItemStore {
        try RawItemStore(raw_item_engine_sqlite_columns().pointee, path: "\(place.directory)/store.sqlite", place)
    }

    func openDocuments(_ place: StorePlace) throws -> any DocumentStore {
        try RawDocumentStore(path: "\(place.directory)/store.sqlite", place)
    }

    func openPlaylists(_ place: StorePlace, _ data: GraphData) throws -> any PlaylistStore { try openGraph(place, data) }

    func openTree(_ place: StorePlace, _ data: GraphData) throws -> any TreeStore { try openGraph(place, data) }

    private func openGraph(_ place: StorePlace, _ data: GraphData) throws -> RawGraphStore {
        try RawGraphStore(raw_graph_engine_sqlite_columns().pointee, path: "\(place.directory)/store.sqlite", place, data)
    }
}
