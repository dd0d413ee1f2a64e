import TroveLMDB
import TroveSQLite
import TroveStorage
import TroveTokyoCabinet

/// The engines every behaviour is tested on.
public enum Engine: String, CaseIterable, Sendable, CustomStringConvertible {
    case memory = "memory"
    case sqlite = "SQLite"
    case lmdb = "LMDB"
    case tokyoCabinet = "Tokyo Cabinet"

    public var description: String { rawValue }

    /// The engines that keep a file.
    public static var persistent: [Engine] { allCases.filter { $0 != .memory } }

    /// Opens the store at `path`; in memory, the one of that name.
    public func open(_ path: String) throws -> any StorageBackend {
        switch self {
        case .memory: MemoryBackend(name: path)
        case .sqlite: try SQLiteBackend(path: path)
        case .lmdb: try LMDBBackend(path: path)
        case .tokyoCabinet: try TokyoCabinetBackend(path: path)
        }
    }
}
