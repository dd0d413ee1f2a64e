import TroveLMDB
import TroveSQLite
import TroveMemory
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

    /// A first map that leaves addresses to the hundreds of stores that tests have open at once; it grows when it has to.
    private static let lmdbOptions: LMDBBackend.Options = {
        var options = LMDBBackend.Options()
        options.mapSize = 1 << 30
        return options
    }()

    /// Opens the store at `path`; in memory, the one of that name.
    public func open(_ path: String) throws -> any StorageBackend {
        switch self {
        case .memory: MemoryBackend(name: path)
        case .sqlite: try SQLiteBackend(path: path)
        case .lmdb: try LMDBBackend(path: path, options: Self.lmdbOptions)
        case .tokyoCabinet: try TokyoCabinetBackend(path: path)
        }
    }

    /// Opens the store at `path` for reading only; one in memory cannot be opened so.
    public func openReadOnly(_ path: String) throws -> any StorageBackend {
        switch self {
        case .memory:
            throw StorageError.unsupported(.init(engine: rawValue, path: path, message: "a store in memory cannot be opened for reading only"))
        case .sqlite:
            var options = SQLiteBackend.Options()
            options.isReadOnly = true
            return try SQLiteBackend(path: path, options: options)
        case .lmdb:
            var options = Self.lmdbOptions
            options.isReadOnly = true
            return try LMDBBackend(path: path, options: options)
        case .tokyoCabinet:
            return try TokyoCabinetBackend(path: path, options: .init(isReadOnly: true))
        }
    }

    /// Destroys the store at `path`; one in memory is gone when nobody has it.
    public func destroy(_ path: String) throws {
        switch self {
        case .memory: break
        case .sqlite: try SQLiteBackend.destroy(at: path)
        case .lmdb: try LMDBBackend.destroy(at: path)
        case .tokyoCabinet: try TokyoCabinetBackend.destroy(at: path)
        }
    }
}
