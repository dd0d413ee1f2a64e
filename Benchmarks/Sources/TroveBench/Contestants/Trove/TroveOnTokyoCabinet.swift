import Trove
import TroveTokyoCabinet

/// Trove on Tokyo Cabinet.
struct TroveOnTokyoCabinet: TroveContestant {
    let name = "trove-tokyo-cabinet"
    let title = "Trove on Tokyo Cabinet"
    let engine = EngineName.tokyoCabinet
    let approach = """
        ObjectStore and a @Model struct, the backend's default settings. Bulk load in one .buffered save, then synchronize(), \
        because a .durable one syncs the log for every page.
        """
    let syncsAfterLoad = true

    func backend(in directory: String) throws -> any StorageBackend {
        try TokyoCabinetBackend(path: "\(directory)/store.tcb")
    }
}
