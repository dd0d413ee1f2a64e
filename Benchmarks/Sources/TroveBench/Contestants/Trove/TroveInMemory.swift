import Trove

/// Trove's own engine in memory.
struct TroveInMemory: TroveContestant {
    let name = "trove-memory"
    let title = "Trove in memory"
    let engine = EngineName.memory
    let approach = "ObjectStore and a @Model struct. Nothing is written to a disk, whatever the durability."
    let isPersistent = false

    func reasonAgainst(_ workload: any Workload) -> String? {
        workload.family == .songs ? nil : "its search is not in this build"
    }

    func backend(in directory: String) throws -> any StorageBackend { MemoryBackend() }
}
