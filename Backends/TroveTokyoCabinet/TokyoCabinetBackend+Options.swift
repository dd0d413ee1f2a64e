import TroveBackendKit
import TroveStorage

extension TokyoCabinetBackend {
    /// The options for opening a store. The defaults suit small transactions and up to some millions of entries.
    ///
    /// Figures are of one machine, 1,000,000 entries of 16 and 90 bytes, and say what matters, not how fast yours is.
    public struct Options: Sendable, Hashable {
        /// The number of leaf pages that stay in memory; 64 to 2^24.
        ///
        /// A commit looks at each of them: it took 0.04 ms with 64 pages, 0.18 ms with 2,048 and 0.65 ms with
        /// 8,192. A get from a page that is not in memory took 20 µs, with all pages in memory 5 µs. Take more
        /// when reads matter more than small writes.
        public var leafCacheSize: Int

        /// The number of non-leaf pages that stay in memory; 64 to 2^24.
        ///
        /// There is one for 128 to 256 leaves, so that the default is enough for some 20,000,000 entries.
        public var nodeCacheSize: Int

        /// The largest number of entries in a leaf page of a new store; 4 to 65,536.
        ///
        /// A get that has to read its page took 20 µs with 128, 15 µs with 64 and 10 µs with 32 entries a page;
        /// but the price of a commit is by cached page, and smaller pages cache fewer entries for it. A page
        /// over 16 KiB is divided whatever its entries. An existing store keeps its number until it is compacted.
        public var leafMembers: Int

        /// The number of buckets in the page directory of a new store; 1 to 2^24.
        ///
        /// Some two for each page keep a page's search to one or two reads. Each takes 8 bytes of the file, and
        /// all are copied at every commit, to undo one that fails. An existing store keeps its number until it
        /// is compacted.
        public var bucketCount: Int

        /// The size in bytes up to which opening checks every page of a file; 0 for never.
        ///
        /// The library can crash on a damaged page or write over a good one; after this check it does not. The
        /// check took 0.05 s for a file of 113 MB in the system's cache. A larger file has only its header
        /// checked, unless the library has marked it as damaged. A file that was checked and closed is not checked
        /// again until somebody writes to it, or the machine is started anew: a mark beside it, `-checked` after its
        /// name, tells.
        public var checkedFileSize: Int

        /// How long a write waits for another write and for readers; 0 or more.
        public var writerTimeout: Duration

        /// How long a read waits for a write; 0 or more.
        public var readerTimeout: Duration

        /// Whether opening creates a store where there is none; otherwise it throws ``StorageError/noSuchStore(_:)``.
        public var createsStore: Bool

        /// Whether the store is only read, whatever the file system allows: nothing is changed in the file or beside it, and opening creates none.
        ///
        /// Several processes may read a store so at the same time, and none may write it meanwhile.
        public var isReadOnly: Bool

        /// The default options, except for the arguments that are given.
        public init(
            leafCacheSize: Int = 2_048, nodeCacheSize: Int = 1_024, leafMembers: Int = 128, bucketCount: Int = 32_749,
            checkedFileSize: Int = 256 << 20, writerTimeout: Duration = .seconds(30), readerTimeout: Duration = .seconds(30),
            createsStore: Bool = true, isReadOnly: Bool = false
        ) {
            self.leafCacheSize = leafCacheSize
            self.nodeCacheSize = nodeCacheSize
            self.leafMembers = leafMembers
            self.bucketCount = bucketCount
            self.checkedFileSize = checkedFileSize
            self.writerTimeout = writerTimeout
            self.readerTimeout = readerTimeout
            self.createsStore = createsStore
            self.isReadOnly = isReadOnly
        }

        func validate(path: String) throws {
            let check = OptionCheck(engine: Engine.name, path: path)
            try check.require("leafCacheSize", leafCacheSize, in: 64...(1 << 24))
            try check.require("nodeCacheSize", nodeCacheSize, in: 64...(1 << 24))
            try check.require("leafMembers", leafMembers, in: 4...65_536)
            try check.require("bucketCount", bucketCount, in: 1...(1 << 24))
            try check.require("checkedFileSize", checkedFileSize, in: 0 ... .max)
            try check.require("writerTimeout", writerTimeout)
            try check.require("readerTimeout", readerTimeout)
        }
    }
}
