/// Sizes and counts of a store at one moment.
public struct StorageStatistics: Sendable, Hashable {
    /// The bytes of its files on the disk, with the logs beside the file; 0 in memory.
    public var fileSize: Int
    /// The bytes of the files that can be used again, as far as the engine knows.
    public var freeSize: Int
    /// The number of keyspaces.
    public var keyspaceCount: Int
    /// The number of read transactions that run now in this process.
    public var activeReaders: Int
    /// The time since the oldest of them began; nil when there is none. A long reader keeps space from being reused.
    public var oldestReaderAge: Duration?
    /// Figures that only this engine has, by the engine's own names: page size, tree depth, log size, …
    public var engineFigures: [String: Int]

    /// Figures that belong to one moment.
    public init(
        fileSize: Int, freeSize: Int, keyspaceCount: Int, activeReaders: Int,
        oldestReaderAge: Duration? = nil, engineFigures: [String: Int] = [:]
    ) {
        self.fileSize = fileSize
        self.freeSize = freeSize
        self.keyspaceCount = keyspaceCount
        self.activeReaders = activeReaders
        self.oldestReaderAge = oldestReaderAge
        self.engineFigures = engineFigures
    }
}
