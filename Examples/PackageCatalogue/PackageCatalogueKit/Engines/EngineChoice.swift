import ArgumentParser
import Trove
import TroveLMDB
import TroveSQLite
import TroveTokyoCabinet

/// The engines the demo runs on. This is the only file that names them: to all others a store is a store.
enum EngineChoice: String, CaseIterable, ExpressibleByArgument {
    case memory
    case sqlite
    case lmdb
    case tokyocabinet

    /// The name for people.
    var title: String {
        switch self {
        case .memory: "Memory"
        case .sqlite: "SQLite"
        case .lmdb: "LMDB"
        case .tokyocabinet: "Tokyo Cabinet"
        }
    }

    /// Whether a store is still there after it was closed.
    var isPersistent: Bool { self != .memory }

    /// The engine that this one's store is copied to: the next in the list, the first after the last.
    var successor: EngineChoice {
        let all = Self.allCases
        let next = all.firstIndex(of: self).map { ($0 + 1) % all.count } ?? 0
        return all[next]
    }

    /// Opens the engine on a file, which is made when there is none.
    func open(path: String) throws -> any StorageBackend {
        switch self {
        case .memory: MemoryBackend()
        case .sqlite: try SQLiteBackend(path: path)
        case .lmdb: try LMDBBackend(path: path)
        case .tokyocabinet: try TokyoCabinetBackend(path: path)
        }
    }
}
