import Trove
import TroveTokyoCabinet

/// Trove on Tokyo Cabinet.
struct TroveOnTokyoCabinet: Contestant {
    let name = "trove-tokyo-cabinet"
    let title = "Trove on Tokyo Cabinet"
    let engine = EngineName.tokyoCabinet
    let kind = ContestantKind.trove
    let approach = """
        ObjectStore and a @Model struct, the backend's default settings. Bulk load in one .buffered save, then synchronize(), \
        because a .durable one syncs the log for every page.
        """

    func open(_ place: StorePlace) throws -> any SongStore {
        try TroveStore(
            TokyoCabinetBackend(path: "\(place.directory)/songs.tcb"), durability: place.durability,
            syncsAfterLoad: place.isBulkLoad && place.durability == .durable)
    }
}
