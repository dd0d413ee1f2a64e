import CSQLite
import TroveStorage

extension Connection {
    /// The longest path of a file, in bytes. SQLite keeps room for what it puts behind the names of a log, and of a longer path says only that it is not
    /// able to open the file.
    static let maxPathSize = (sqlite3_vfs_find(nil).map { Int($0.pointee.mxPathname) } ?? 512) - 8

    /// - Parameter spare: how many bytes are put behind the path besides.
    /// - Throws: ``StorageError/unsupported(_:)``.
    static func requireSize(ofPath path: String, spare: Int = 0) throws {
        let (size, most) = (path.utf8.count, maxPathSize - spare)
        guard size > most else { return }
        throw StorageError.unsupported(
            .init(
                engine: SQLiteEngine.name, path: path,
                message: "the path has \(size) bytes, and \(most) is the most that SQLite takes here; choose a shorter one"))
    }
}
