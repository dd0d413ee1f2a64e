import Trove

/// Trove's own engine in memory.
struct TroveInMemory: Contestant {
    let name = "trove-memory"
    let title = "Trove in memory"
    let engine = EngineName.memory
    let kind = ContestantKind.trove
    let approach = "ObjectStore and a @Model struct. Nothing is written to a disk, whatever the durability."
    let isPersistent = false

    func open(_ place: StorePlace) throws -> any SongStore {
        try TroveStore(MemoryBackend(), durability: place.durability)
    }
}
