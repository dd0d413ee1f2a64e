import TestSupport
import Trove
import TroveLMDB
import TroveSQLite
import TroveTokyoCabinet

/// What is the same in all rounds of a series.
struct SeriesSetup: Sendable {
    let engine: Engine
    let level: CrashLevel
    let kind: CrashKind
    let seed: UInt64
    /// Whether the store is small in everything: pages, caches, map, log; so that there are many of what is seldom.
    private let isTight: Bool
    private let variant: Int

    init(engine: Engine, level: CrashLevel, kind: CrashKind, seed: UInt64) {
        self.engine = engine
        self.level = level
        self.kind = kind
        self.seed = seed
        var generator = SeededGenerator(seed: seed ^ 0x5EED)
        isTight = Bool.random(using: &generator)
        variant = Int.random(in: 0..<3, using: &generator)
    }

    /// Opens the engine at `path`.
    func openEngine(_ path: String) throws -> any StorageBackend {
        switch engine {
        case .memory:
            return MemoryBackend(name: path)
        case .sqlite:
            var options = SQLiteBackend.Options()
            options.pageSize = [4_096, 8_192, 16_384][variant]
            options.walAutocheckpoint = isTight ? [1, 5, 20][variant] : 2_000
            // So small a cache writes pages of a transaction into the log before its commit.
            options.cacheSize = isTight ? 64 << 10 : 8 << 20
            return try SQLiteBackend(path: path, options: options)
        case .lmdb:
            var options = LMDBBackend.Options()
            options.mapSize = isTight ? 1 << 16 : 1 << 28
            options.maxReaders = 32
            return try LMDBBackend(path: path, options: options)
        case .tokyoCabinet:
            var options = TokyoCabinetBackend.Options()
            options.leafMembers = isTight ? 4 : [8, 32, 128][variant]
            options.bucketCount = isTight ? 31 : 509
            options.leafCacheSize = 64
            options.nodeCacheSize = 64
            return try TokyoCabinetBackend(path: path, options: options)
        }
    }

    /// Opens the store on an open engine.
    func openStore(_ backend: any StorageBackend) throws -> ObjectStore {
        try ObjectStore(backend, models: CrashCell.self, CrashTicket.self, CrashCounter.self)
    }

    /// The command that repeats the series.
    func command(rounds: Int) -> String {
        let engine = engine.argument
        return "make crash ENGINE=\(engine) LEVEL=\(level) KIND=\(kind == .kill ? "kill" : "power") SEED=\(seed) ROUNDS=\(rounds)"
    }
}
