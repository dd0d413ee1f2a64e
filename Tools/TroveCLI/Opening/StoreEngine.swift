import ArgumentParser
import Trove
import TroveBackendKit
import TroveSQLite

#if AllEngines || LMDB
import TroveLMDB
#endif
#if AllEngines || TokyoCabinet
import TroveTokyoCabinet
#endif

/// The engines that keep a store in a file. This is the only file that names them: to all others a store is a store. Which of them a build
/// has is a matter of the package's traits.
enum StoreEngine: String, CaseIterable, ExpressibleByArgument {
    case sqlite
    case lmdb
    case tokyocabinet

    private static let sqliteCacheSize = 8 << 20

    /// The engine of a name, in any case and with a space where it has one.
    init?(argument: String) { self.init(rawValue: argument.lowercased().filter { $0 != " " }) }

    /// Opens the engine on a file.
    ///
    /// - Parameter createsStore: whether the file is made when there is none.
    func open(_ path: String, createsStore: Bool) throws -> any StorageBackend {
        switch self {
        case .sqlite:
            var options = SQLiteBackend.Options()
            options.createsStore = createsStore
            // Most commands read a page once.
            options.cacheSize = Self.sqliteCacheSize
            return try SQLiteBackend(path: path, options: options)
        case .lmdb:
            #if AllEngines || LMDB
            var options = LMDBBackend.Options()
            options.createsStore = createsStore
            return try LMDBBackend(path: path, options: options)
            #else
            throw CommandError.engineIsNotBuilt(name: "LMDB", trait: "LMDB")
            #endif
        case .tokyocabinet:
            #if AllEngines || TokyoCabinet
            return try TokyoCabinetBackend(path: path, options: .init(createsStore: createsStore))
            #else
            throw CommandError.engineIsNotBuilt(name: "Tokyo Cabinet", trait: "TokyoCabinet")
            #endif
        }
    }

    /// Removes the store in a file, and what the engine keeps beside it.
    func destroy(_ path: String) throws {
        switch self {
        case .sqlite: try SQLiteBackend.destroy(at: path)
        case .lmdb:
            #if AllEngines || LMDB
            try LMDBBackend.destroy(at: path)
            #endif
        case .tokyocabinet:
            #if AllEngines || TokyoCabinet
            try TokyoCabinetBackend.destroy(at: path)
            #endif
        }
    }

    /// The engine whose files begin with these bytes; nil when none's do.
    init?(beginning bytes: [UInt8]) {
        switch EngineFile(beginning: bytes) {
        case .sqlite: self = .sqlite
        case .lmdb: self = .lmdb
        case .tokyoCabinet: self = .tokyocabinet
        case nil: return nil
        }
    }
}
