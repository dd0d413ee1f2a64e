import TroveLMDB
import TroveSQLite
import TroveStorage
import TroveTesting
import TroveTokyoCabinet

/// The engines that every behaviour test runs on.
let engines = [
    BackendFactory(
        name: "memory", isPersistent: false,
        openWithTimeout: { path, timeout in MemoryBackend(name: path, writerTimeout: timeout) },
        open: { path in MemoryBackend(name: path) }),
    BackendFactory(
        name: "SQLite",
        openWithTimeout: { path, timeout in
            var options = SQLiteBackend.Options()
            options.writerTimeout = timeout
            return try SQLiteBackend(path: path, options: options)
        },
        open: { path in try SQLiteBackend(path: path) }),
    BackendFactory(
        name: "LMDB",
        openWithTimeout: { path, timeout in
            var options = LMDBBackend.Options()
            options.writerTimeout = timeout
            return try LMDBBackend(path: path, options: options)
        },
        open: { path in try LMDBBackend(path: path) }),
    BackendFactory(
        name: "Tokyo Cabinet",
        openWithTimeout: { path, timeout in
            try TokyoCabinetBackend(path: path, options: .init(writerTimeout: timeout))
        },
        open: { path in try TokyoCabinetBackend(path: path) }),
]

/// The cases that an engine cannot pass, each with the reason.
let deviations: [SpecificationDeviation] = []
