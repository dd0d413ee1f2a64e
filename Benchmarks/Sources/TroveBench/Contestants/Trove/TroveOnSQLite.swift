import Trove
import TroveSQLite

/// Trove on SQLite.
struct TroveOnSQLite: Contestant {
    let name = "trove-sqlite"
    let title = "Trove on SQLite"
    let engine = EngineName.sqlite
    let kind = ContestantKind.trove
    let approach = "ObjectStore and a @Model struct, the backend's default settings. A batch is saved in one call."

    func open(_ place: StorePlace) throws -> any SongStore {
        try TroveStore(SQLiteBackend(path: "\(place.directory)/songs.sqlite"), durability: place.durability)
    }
}
