import TroveBackendKit
import TroveStorage

extension SQLiteBackend {
    /// The options for opening a store. The defaults suit most programs.
    public struct Options: Sendable, Hashable {
        /// The size of a page in a new file, in bytes: a power of two from 4,096 to 65,536. An existing file keeps its own.
        ///
        /// Larger pages load and scan faster and make small random commits dearer. Measured with 1,000,000 entries of 106 bytes,
        /// for pages of 4, 8 and 16 KiB: 2.2, 1.4 and 1.0 µs for an ascending put; 0.09, 0.07 and 0.06 µs
        /// an entry of a scan; 277, 285 and 193 durable commits a second of 100 random entries each.
        public var pageSize = 8_192

        /// The largest amount of memory for the pages of each connection, in bytes. There is one connection for writes and one for
        /// each read that runs at the same time; memory is taken only as pages are touched. 0 to 2⁴⁰.
        /// The pages that a savepoint changes stay in memory until it ends, however many they are.
        ///
        /// Measured with random gets in a file of 130 MB: 3.0 µs with 2 MiB, 2.7 with 32 MiB, 2.2 with 128 MiB.
        public var cacheSize = 64 << 20

        /// The part of the file that is mapped into memory for reading, in bytes, up to 2⁴⁰; 0 for none.
        ///
        /// Off by default, because a mapped file that another program truncates, or a disk that fails, ends the process with a signal
        /// instead of an error. Where neither can happen, mapping replaces a large cache: 2.0 µs for a random get
        /// in a file of 130 MB with a cache of only 2 MiB, against 3.0 without.
        public var memoryMapSize = 0

        /// The size of the write-ahead log, in pages, from which a commit copies it into the file; 1 to 1,000,000,000.
        ///
        /// A page changed often is copied once, so a longer log makes many commits cheaper; it also takes longer to
        /// read when the store is opened after a crash. Measured with durable commits of 100 random entries on pages of
        /// 4 KiB: 430 a second with 1,000 pages, 570 with 10,000. The log stays below a few times this
        /// size, except beside a read that goes on for long and in one large transaction. On a disk with little room it is copied
        /// sooner: when it takes more than is left.
        public var walAutocheckpoint = 2_000

        /// The number of connections for reading that stay open, and so of reads that run at once; 1 to 1,000,000.
        /// Further reads wait for one, except those inside a transaction of the same thread, which get one of their own.
        /// Long scans take up to half of them for further threads.
        public var maxReaders = 16

        /// How long a write waits for the writers before it, in this process and in others; 0 or more.
        public var writerTimeout: Duration = .seconds(30)

        /// How long a read waits for a connection, for a running ``SQLiteBackend/compact()`` or for another process with exclusive use of the file; 0 or more.
        public var readerTimeout: Duration = .seconds(30)

        /// Whether opening creates a store where there is none; otherwise it throws ``StorageError/noSuchStore(_:)``.
        public var createsStore = true

        /// Whether the store is only read, whatever the file system allows: nothing is changed in the file, and opening creates none.
        ///
        /// Other processes may write the store meanwhile. SQLite needs `-shm` and `-wal` for that, and makes and leaves them beside a file that could be
        /// written. Where they are missing and cannot be made the file is read without locks. That is for files that nobody writes: a write of another process
        /// ends the reading with ``StorageError/inputOutput(_:)``.
        public var isReadOnly = false

        /// The defaults.
        public init() {}

        func validate(path: String) throws {
            let check = OptionCheck(engine: SQLiteEngine.name, path: path)
            let isPowerOfTwo = pageSize > 0 && pageSize & (pageSize - 1) == 0
            try check.require(
                isPowerOfTwo && (4_096...65_536).contains(pageSize), "pageSize must be a power of two from 4,096 to 65,536, not \(pageSize)")
            try check.require("cacheSize", cacheSize, in: 0...(1 << 40))
            try check.require("memoryMapSize", memoryMapSize, in: 0...(1 << 40))
            try check.require("walAutocheckpoint", walAutocheckpoint, in: 1...1_000_000_000)
            try check.require("maxReaders", maxReaders, in: 1...1_000_000)
            try check.require("writerTimeout", writerTimeout)
            try check.require("readerTimeout", readerTimeout)
        }
    }
}
