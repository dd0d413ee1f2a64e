import CSQLite
import TroveStorage

extension Connection {
    /// The first bytes of the file as they are on the disk, before SQLite looks at a log or a journal; empty for an empty file.
    ///
    /// Read through SQLite's own handle: closing another one on the same file would drop the locks that
    /// this process holds on it, also those of a connection outside Trove.
    func fileHeader() throws -> [UInt8] {
        var header = [UInt8](repeating: 0, count: min(Int(try fileSize()), StoreFormat.headerSize))
        guard !header.isEmpty else { return header }
        let (file, methods) = try openFile()
        guard let read = methods.xRead else { throw failure(SQLITE_IOERR) }
        let code = header.withUnsafeMutableBytes { read(file, $0.baseAddress, Int32($0.count), 0) }
        guard code == SQLITE_OK else { throw failure(code) }
        return header
    }

    /// How many bytes the file has, without what a log has for it.
    func fileSize() throws -> Int64 {
        let (file, methods) = try openFile()
        guard let fileSize = methods.xFileSize else { throw failure(SQLITE_IOERR) }
        var size: Int64 = 0
        let code = fileSize(file, &size)
        guard code == SQLITE_OK else { throw failure(code) }
        return size
    }

    /// SQLite's own handle of the file, which lives as long as the connection, and what can be done with it.
    private func openFile() throws -> (file: UnsafeMutablePointer<sqlite3_file>, methods: sqlite3_io_methods) {
        var pointer: UnsafeMutablePointer<sqlite3_file>?
        let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &pointer)
        guard code == SQLITE_OK, let file = pointer, let methods = file.pointee.pMethods?.pointee else {
            throw failure(code == SQLITE_OK ? SQLITE_IOERR : code)
        }
        return (file, methods)
    }

    /// Whether the file that this connection has open is no longer at its path.
    func fileHasMoved() throws -> Bool {
        var hasMoved: Int32 = 0
        let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
        guard code == SQLITE_OK else { throw failure(code) }
        return hasMoved != 0
    }
}
