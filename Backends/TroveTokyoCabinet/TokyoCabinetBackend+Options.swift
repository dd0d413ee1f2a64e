import TroveStorage

extension TokyoCabinetBackend {
    /// How to open a store. The defaults suit small transactions and up to some millions of entries.
    public struct Options: Sendable, Hashable {
        /// How many leaf pages stay in memory; at least 64.
        public var leafCacheSize: Int

        /// How many non-leaf pages stay in memory; at least 64. There is one for some 250 leaves.
        public var nodeCacheSize: Int

        /// How many entries a leaf page of a new store holds at most; 4 to 65,536. Existing stores keep theirs.
        public var leafMembers: Int

        /// How many buckets the page directory of a new store has; 1 to 2^30. Existing stores keep theirs until compaction.
        public var bucketCount: Int

        /// The size in bytes up to which a file is checked page by page when it is opened; 0 for never.
        public var checkedFileSize: Int

        /// How long a write waits for another write and for readers.
        public var writerTimeout: Duration

        /// How long a read waits for a write.
        public var readerTimeout: Duration

        public init(
            leafCacheSize: Int = 2_048, nodeCacheSize: Int = 1_024, leafMembers: Int = 128, bucketCount: Int = 32_749,
            checkedFileSize: Int = 256 << 20, writerTimeout: Duration = .seconds(30), readerTimeout: Duration = .seconds(30)
        ) {
            self.leafCacheSize = leafCacheSize
            self.nodeCacheSize = nodeCacheSize
            self.leafMembers = leafMembers
            self.bucketCount = bucketCount
            self.checkedFileSize = checkedFileSize
            self.writerTimeout = writerTimeout
            self.readerTimeout = readerTimeout
        }
    }
}
