/// GRDB on SQLite, in one of the ways it can be used.
struct GRDBContestant: Contestant {
    let name: String
    let title: String
    let approach: String
    private let makeSongs: @Sendable (_ path: String, _ place: StorePlace) throws -> any SongStore
    private let makeItems: @Sendable (_ path: String, _ place: StorePlace) throws -> any ItemStore
    private let search: Search?

    let engine = EngineName.sqlite
    let kind = ContestantKind.peer

    /// What makes its stores of tracks and titles.
    private struct Search {
        let makeTracks: @Sendable (_ database: GRDBTracks) throws -> any TrackStore
        let makeTitles: @Sendable (_ database: GRDBTitles) throws -> any TitleStore
    }

    static let variants: [any Contestant] = [handWritten, codable, statements]

    private static let settings = "DatabasePool, an INTEGER PRIMARY KEY, Trove's page size, cache and checkpoint."

    /// Record types whose coding is written by hand.
    static let handWritten = GRDBContestant(
        name: "grdb-records", title: "GRDB, records by hand",
        approach: """
            FetchableRecord and PersistableRecord by hand, columns read by position; insert(db), fetchOne(db, key:), the query interface, \
            FTS5 kept by synchronize(withTable:). \(settings)
            """,
        makeSongs: { try GRDBRecordStore<HandWrittenSong>(path: $0, $1) },
        makeItems: { try GRDBItemRecordStore<HandWrittenItem>(path: $0, $1) },
        search: Search(makeTracks: { GRDBTrackRecordStore($0) }, makeTitles: { GRDBTitleRecordStore($0) }))

    /// Record types that are `Codable`.
    static let codable = GRDBContestant(
        name: "grdb-codable", title: "GRDB, Codable records",
        approach: "Codable, FetchableRecord, PersistableRecord; insert(db), fetchOne(db, key:). \(settings)",
        makeSongs: { try GRDBRecordStore<CodableSong>(path: $0, $1) },
        makeItems: { try GRDBItemRecordStore<CodableItem>(path: $0, $1) }, search: nil)

    /// SQL statements that the program prepares itself.
    static let statements = GRDBContestant(
        name: "grdb-statements", title: "GRDB, own SQL",
        approach: """
            SQL in cached statements for every insert and fetch, columns read by position; FTS5 written by the program, without triggers. \
            \(settings)
            """,
        makeSongs: { try GRDBStatementStore(path: $0, $1) },
        makeItems: { try GRDBItemStatementStore(path: $0, $1) },
        search: Search(makeTracks: { GRDBTrackStatementStore($0) }, makeTitles: { GRDBTitleStatementStore($0) }))

    func reasonAgainst(_ workload: any Workload) -> String? {
        if workload.family == .growth { return name == Self.statements.name ? nil : "how cost grows is seen with own SQL" }
        if workload is AskTracks { return "the questions are SQLite's own, asked in C" }
        if workload is any NoteWorkload { return "it has no documents without a type" }
        guard search == nil else { return nil }
        switch workload.family {
        case .songs, .items, .edits, .small, .mixed: return nil
        case .tracks, .titles, .growth, .documents, .notes, .playlists, .tree, .catalogue: return "what Codable costs is seen with the songs"
        }
    }

    func openSongs(_ place: StorePlace) throws -> any SongStore {
        try makeSongs(path(place), place)
    }

    func openTracks(_ place: StorePlace, _ data: TrackData) throws -> any TrackStore {
        try openTracks(place, data, hasLabelIndex: false)
    }

    func openLabelledTracks(_ place: StorePlace, _ data: TrackData) throws -> any LabelStore {
        try openTracks(place, data, hasLabelIndex: true)
    }

    private func openTracks(_ place: StorePlace, _ data: TrackData, hasLabelIndex: Bool) throws -> any TrackStore {
        guard let search else { throw BenchmarkError("\(name) keeps no tracks") }
        return try search.makeTracks(GRDBTracks(path: path(place), place, data, hasLabelIndex: hasLabelIndex))
    }

    func openTitles(_ place: StorePlace, _ data: TitleData) throws -> any TitleStore {
        guard let search else { throw BenchmarkError("\(name) keeps no titles") }
        return try search.makeTitles(GRDBTitles(path: path(place), place, data, hasTriggers: name == Self.handWritten.name))
    }

    func openItems(_ place: StorePlace) throws -> any ItemStore {
        try makeItems(path(place), place)
    }

    func openDocuments(_ place: StorePlace) throws -> any DocumentStore {
        try GRDBDocumentStore(path: path(place), place, usesStatements: name == Self.statements.name)
    }

    func openCatalogue(_ place: StorePlace) throws -> any CatalogueStore {
        try GRDBCatalogueStore(path: path(place), place, usesStatements: name == Self.statements.name)
    }

    func openPlaylists(_ place: StorePlace, _ data: GraphData) throws -> any PlaylistStore {
        try GRDBPlaylistStore(path: path(place), place, data, usesStatements: name == Self.statements.name)
    }

    func openTree(_ place: StorePlace, _ data: GraphData) throws -> any TreeStore {
        try GRDBTreeStore(path: path(place), place, data, usesStatements: name == Self.statements.name)
    }

    private func path(_ place: StorePlace) -> String { "\(place.directory)/store.sqlite" }
}
