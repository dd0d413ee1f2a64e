import Trove
import TroveLMDB

/// Trove on LMDB.
struct TroveOnLMDB: TroveContestant {
    let name = "trove-lmdb"
    let title = "Trove on LMDB"
    let engine = EngineName.lmdb
    let approach = "ObjectStore and a @Model struct, the backend's default settings. A batch is saved in one call."

    func backend(in directory: String) throws -> any StorageBackend {
        try LMDBBackend(path: "\(directory)/store.lmdb")
    }
}
