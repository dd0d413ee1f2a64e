import TroveLMDB
import TroveSQLite
import TroveMemory
import TroveStorage
import TroveTokyoCabinet

extension Engine {
    /// Opens the store at `path` so that no wait is longer than `timeout`.
    public func open(_ path: String, timeout: Duration) throws -> any StorageBackend {
        switch self {
        case .memory:
            return MemoryBackend(name: path, writerTimeout: timeout)
        case .sqlite:
            var options = SQLiteBackend.Options()
            options.writerTimeout = timeout
            options.readerTimeout = timeout
            return try SQLiteBackend(path: path, options: options)
        case .lmdb:
            var options = LMDBBackend.Options()
            options.writerTimeout = timeout
            return try LMDBBackend(path: path, options: options)
        case .tokyoCabinet:
            return try TokyoCabinetBackend(path: path, options: .init(writerTimeout: timeout, readerTimeout: timeout))
        }
    }
}
