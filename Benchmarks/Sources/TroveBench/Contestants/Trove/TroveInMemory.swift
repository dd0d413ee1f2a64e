import Trove

/// Trove's own engine in memory.
struct TroveInMemory: TroveContestant {
    let name = "trove-memory"
    let title = "Trove in memory"
    let engine = EngineName.memory
    let approach = "ObjectStore and a @Model struct. Nothing is written to a disk, whatever the durability."
    let isPersistent = false

    func reasonAgainst(_ workload: any Workload) -> String? {
        workload is IndexBuild || workload is PlaylistReopen || workload is ItemOpen || workload.isCold
            ? "it keeps nothing that could be opened again" : nil
    }

    func backend(in directory: String) throws -> any StorageBackend { MemoryBackend() }
}
