/// GRDB on SQLite, in one of the ways it can be used.
struct GRDBContestant: Contestant {
    let name: String
    let title: String
    let approach: String
    private let makeStore: @Sendable (_ path: String, _ place: StorePlace) throws -> any SongStore

    let engine = EngineName.sqlite
    let kind = ContestantKind.peer

    private static let settings = "DatabasePool, an INTEGER PRIMARY KEY, Trove's page size, cache and checkpoint."

    /// Record types whose coding is written by hand.
    static let handWritten = GRDBContestant(
        name: "grdb-records", title: "GRDB, records by hand",
        approach: "FetchableRecord and PersistableRecord by hand, columns read by position; insert(db), fetchOne(db, key:). \(settings)"
    ) { try GRDBRecordStore<HandWrittenSong>(path: $0, $1) }

    /// Record types that are `Codable`.
    static let codable = GRDBContestant(
        name: "grdb-codable", title: "GRDB, Codable records",
        approach: "Codable, FetchableRecord, PersistableRecord; insert(db), fetchOne(db, key:). \(settings)"
    ) { try GRDBRecordStore<CodableSong>(path: $0, $1) }

    /// SQL statements that the program prepares itself.
    static let statements = GRDBContestant(
        name: "grdb-statements", title: "GRDB, own SQL",
        approach: "SQL in cached statements for every insert and fetch, columns read by position. \(settings)"
    ) { try GRDBStatementStore(path: $0, $1) }

    func open(_ place: StorePlace) throws -> any SongStore {
        try makeStore("\(place.directory)/songs.sqlite", place)
    }
}
