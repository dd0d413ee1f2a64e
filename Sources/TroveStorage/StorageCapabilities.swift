/// The features and limits of an engine, stated so that tests can check them.
public struct StorageCapabilities: Sendable, Hashable {
    /// The effect of a write transaction on readers.
    public enum ReadersDuringWrite: Sendable, Hashable {
        /// They go on and see the state before the transaction.
        case proceed
        /// They wait until the transaction has ended, and a write waits for running readers.
        case waitForCommit
    }

    /// The processes that may have the store open at the same time.
    public enum Sharing: Sendable, Hashable {
        /// One process; a second one is refused with ``StorageError/locked(_:)``.
        case oneProcess
        /// Several processes of one machine.
        case manyProcesses
        /// Processes of several machines.
        case manyMachines
    }

    /// The event that a commit survives at least.
    ///
    /// The process is the one that has the store open; power is that of the machine that keeps it. On a server, a crash of the server
    /// counts as a power loss: one that acknowledges commits before they are on its disk promises ``powerLossButSuffix``.
    public enum Survival: Int, Sendable, Hashable, Comparable {
        /// Nothing: the store lives in memory.
        case nothing
        /// A clean close.
        case cleanClose
        /// A crash of the process.
        case processCrash
        /// A crash of the process; after a power loss, only the last commits may be missing.
        case powerLossButSuffix
        /// A power loss.
        case powerLoss

        public static func < (left: Survival, right: Survival) -> Bool { left.rawValue < right.rawValue }
    }

    /// The engine's name in errors and tables: `SQLite`, `LMDB`, `Tokyo Cabinet`, `memory`.
    public var engine: String
    /// The version of the engine's library.
    public var engineVersion: String
    /// Whether the store is behind a connection, usually on another machine, so that each answer is a round trip.
    public var isRemote: Bool
    /// The effect of a write transaction on readers.
    public var readersDuringWrite: ReadersDuringWrite
    /// Whether a thread inside a write body may call ``StorageBackend/read(_:)``; otherwise that throws ``StorageError/readInsideWrite(_:)``.
    public var canReadInsideWrite: Bool
    /// Whether a thread inside a read body may call ``StorageBackend/write(_:_:)``; otherwise that throws ``StorageError/writeInsideRead(_:)``.
    public var canWriteInsideRead: Bool
    /// The processes that may have the store open at the same time.
    public var sharing: Sharing
    /// Whether ``StorageReader/count(in:)`` takes the same time for any number of entries.
    public var countsInConstantTime: Bool
    /// Whether several readers may have one snapshot: ``StorageReader/withConcurrentReaders(upTo:_:)`` gives some then, unless a commit has come between.
    public var sharesSnapshots: Bool
    /// The number of reads that may stay open for long at the same time and leave room for others; 0 where a long read is in the way of the rest, as where
    /// writes wait for it.
    ///
    /// Where it is not 0, a reader may be lent: while the thread of its body waits, other threads use it, one at a time.
    public var maxSnapshots: Int
    /// Whether a store whose file cannot be written can be opened and read; see ``StorageBackend/writeRefusal``.
    public var opensReadOnly: Bool
    /// Whether a file whose structure ``StorageBackend/checkStructure()`` found damaged can be read nevertheless: damage that a read meets ends it with
    /// ``StorageError/corrupt(_:)``, and never the process, or a read that goes on for ever. The verification of a store reads on where it is true.
    public var readsDamagedFiles: Bool
    /// The longest key, in bytes; at least ``StorageLimits/maxKeySize``.
    public var maxKeySize: Int
    /// The largest value, in bytes; at least ``StorageLimits/maxValueSize``.
    public var maxValueSize: Int
    /// The number of keyspaces that a store may have; at least ``StorageLimits/minKeyspaces``.
    public var maxKeyspaces: Int
    /// The event that each level of durability survives on this engine.
    public var promises: [Durability: Survival]

    /// What an engine can do. It says of all that differs between engines; the rest has the values that most have.
    public init(
        engine: String, engineVersion: String, isRemote: Bool = false,
        readersDuringWrite: ReadersDuringWrite, canReadInsideWrite: Bool, canWriteInsideRead: Bool,
        sharing: Sharing, countsInConstantTime: Bool, sharesSnapshots: Bool = false, maxSnapshots: Int = 0, opensReadOnly: Bool = false,
        readsDamagedFiles: Bool = false,
        maxKeySize: Int = StorageLimits.maxKeySize, maxValueSize: Int = StorageLimits.maxValueSize,
        maxKeyspaces: Int, promises: [Durability: Survival]
    ) {
        self.engine = engine
        self.engineVersion = engineVersion
        self.isRemote = isRemote
        self.readersDuringWrite = readersDuringWrite
        self.canReadInsideWrite = canReadInsideWrite
        self.canWriteInsideRead = canWriteInsideRead
        self.sharing = sharing
        self.countsInConstantTime = countsInConstantTime
        self.sharesSnapshots = sharesSnapshots
        self.maxSnapshots = maxSnapshots
        self.opensReadOnly = opensReadOnly
        self.readsDamagedFiles = readsDamagedFiles
        self.maxKeySize = maxKeySize
        self.maxValueSize = maxValueSize
        self.maxKeyspaces = maxKeyspaces
        self.promises = promises
    }
}
