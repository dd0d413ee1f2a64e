import TroveLMDB
import TroveSQLite
import TroveStorage
import TroveTesting
import TroveTokyoCabinet

/// The engines that every behaviour test runs on.
let engines = [
    BackendFactory(
        name: "memory", isPersistent: false,
        openWithTimeout: { path, timeout in MemoryBackend(name: path, writeTimeout: timeout) },
        open: { path in MemoryBackend(name: path) }),
    BackendFactory(name: "SQLite") { path in try SQLiteBackend(path: path) },
    BackendFactory(name: "LMDB") { path in try LMDBBackend(path: path) },
    BackendFactory(name: "Tokyo Cabinet") { path in try TokyoCabinetBackend(path: path) },
]

/// The cases that an engine cannot pass, each with the reason.
let deviations: [SpecificationDeviation] = []
