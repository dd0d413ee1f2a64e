import TroveBackendKit
import TroveStorage

extension LMDBBackend {
    /// The options for opening a store. Every default suits almost every program.
    ///
    /// ```swift
    /// var options = LMDBBackend.Options()
    /// options.writerTimeout = .seconds(5)
    /// let backend = try LMDBBackend(path: "music.lmdb", options: options)
    /// ```
    public struct Options: Sendable, Hashable {
        /// The address space that the file is mapped into, in bytes; nil for 2³⁸ on 64-bit systems and 2²⁸ on 32-bit ones.
        ///
        /// The map takes no memory and no disk; opening with 2³⁸ takes 0.1 ms. When the system grants less, the default is
        /// halved until it fits. A store that outgrows its map gets a larger one by itself: the write that met
        /// the limit waits until no read runs, and its body runs again; while snapshots are open it throws ``StorageError/unsupported(_:)``. So set it only
        /// where address space is scarce. 1 to 2⁴⁶ (2³⁰ on 32-bit systems), rounded up to a multiple of 64 KiB.
        public var mapSize: Int?

        /// The number of read transactions that may run at once in all processes; 1 to 1,000,000, by default 4,096.
        ///
        /// The first process that opens the store decides. A slot takes 64 bytes of the lock file, so the default costs 256 KiB of disk.
        public var maxReaders = 4_096

        /// The number of keyspaces that the store may have; 1 to 1,000,000, by default 4,096, and never fewer than the file already has.
        ///
        /// A place costs nothing for keyspaces that do not exist beyond 57 bytes to clear at the start of each
        /// savepoint; a keyspace that exists costs about 2 ns at the start of each transaction, whether it is used or not.
        public var maxKeyspaces = 4_096

        /// How long a write waits for the writer before it, and for readers where they have to end first, until it throws ``StorageError/timedOut(_:)``.
        /// Opening waits as long for other processes that create or compact the store. 0 or more, 60 seconds by default.
        ///
        /// Writers of other processes count too, if they are Trove's: programs that write the file with LMDB alone are waited for without limit.
        public var writerTimeout: Duration = .seconds(60)

        /// How much of an existing file is checked before LMDB reads it. LMDB trusts its file, and a damaged page can crash the process.
        public var pageCheck: PageCheck = .automatic

        /// Whether opening creates a store where there is none; otherwise it throws ``StorageError/noSuchStore(_:)``.
        public var createsStore = true

        /// Whether the store is only read, whatever the file system allows: nothing is changed in the file, and opening creates none.
        ///
        /// Other processes may write the store meanwhile, as LMDB's file of locks tells them of the reads, and is made where there is none. Where it cannot be
        /// made the file is read without locks. That is for files that nobody writes: a write of another process ends the reading with
        /// ``StorageError/inputOutput(_:)``, and a read that it comes into may crash.
        public var isReadOnly = false

        /// The defaults.
        public init() {}

        func validate(path: String) throws {
            let check = OptionCheck(engine: LMDBErrors.engine, path: path)
            if let mapSize { try check.require("mapSize", mapSize, in: 1...Environment.mapSizeLimit) }
            try check.require("maxReaders", maxReaders, in: 1...1_000_000)
            try check.require("maxKeyspaces", maxKeyspaces, in: 1...1_000_000)
            try check.require("writerTimeout", writerTimeout)
        }
    }

    /// How much of a file is checked when it is opened.
    ///
    /// A check finds every page that is not as LMDB would write it, and opening throws ``StorageError/corrupt(_:)``.
    /// It does not know what keys and values should hold, so a damaged value passes; checksums in the records find those.
    ///
    /// What was checked before is not checked again, unless it is ``everyPage`` that is asked for: who closes the store leaves a mark beside it, `-checked`
    /// after its name, with the file's identity, size, times and state. It counts until the file is written by whomever, or the machine is started anew.
    public enum PageCheck: Sendable, Hashable {
        /// Every page of files up to 256 MiB; of larger ones the ``branchPages``.
        case automatic
        /// Every page. Measured with the file in memory: 0.065 s for 1,000,000 entries in 118 MB.
        case everyPage
        /// The pages that lead to the entries, the keyspaces and the list of free pages, about 1% of the file.
        /// A damaged page that holds entries is then not found before it is read, and reading it may crash the process.
        case branchPages
    }
}
