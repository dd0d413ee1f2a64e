import Trove
import TroveSQLite

/// Trove on SQLite.
struct TroveOnSQLite: TroveContestant {
    let name = "trove-sqlite"
    let title = "Trove on SQLite"
    let engine = EngineName.sqlite
    let approach = "ObjectStore and a @Model struct, the backend's default settings. A batch is saved in one call."

    func backend(in directory: String) throws -> any StorageBackend {
        try SQLiteBackend(path: "\(directory)/store.sqlite")
    }
}
