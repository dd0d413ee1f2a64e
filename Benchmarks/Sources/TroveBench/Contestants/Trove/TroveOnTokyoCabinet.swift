import Trove
import TroveTokyoCabinet

/// Trove on Tokyo Cabinet.
struct TroveOnTokyoCabinet: Contestant {
    let name = "trove-tokyo-cabinet"
    let title = "Trove on Tokyo Cabinet"
    let engine = EngineName.tokyoCabinet
    let kind = ContestantKind.trove
    let approach = "ObjectStore and a @Model struct, the backend's default settings. A batch is saved in one call."

    func open(_ place: StorePlace) throws -> any SongStore {
        try TroveStore(TokyoCabinetBackend(path: "\(place.directory)/songs.tcb"), durability: place.durability)
    }
}
