import Trove
import TroveLMDB

/// Trove on LMDB.
struct TroveOnLMDB: Contestant {
    let name = "trove-lmdb"
    let title = "Trove on LMDB"
    let engine = EngineName.lmdb
    let kind = ContestantKind.trove
    let approach = "ObjectStore and a @Model struct, the backend's default settings. A batch is saved in one call."

    func open(_ place: StorePlace) throws -> any SongStore {
        try TroveStore(LMDBBackend(path: "\(place.directory)/songs.lmdb"), durability: place.durability)
    }
}
