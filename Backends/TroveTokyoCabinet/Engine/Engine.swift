import CTokyoCabinet
import TokyoCabinetYield
import TroveBackendKit
import TroveStorage

/// One open file: the library's handle, the gates around it and the directory of keyspaces.
///
/// `@unchecked Sendable`: what changes is used by the thread that has `gate` alone, or by threads that share
/// `gate` and are inside `lock`; a thread that has the gate alone need not be inside the lock, but is when it
/// runs code that readers run too.
final class Engine: TransactionTelling, @unchecked Sendable {
    static let name = "Tokyo Cabinet"

    static let capabilities = StorageCapabilities(
        engine: name, engineVersion: _TC_VERSION,
        // Measured without a disk, at 300,000 entries: a body of one change takes 6 to 11% of its transaction, one
        // of 64 changes 29 to 31%; the rest is the commit, which needs the store alone anyway. Buffering changes
        // to apply them at the end would win readers no more than that, and every read of a writer would pay.
        readersDuringWrite: .waitForCommit, canReadInsideWrite: false, canWriteInsideRead: false,
        sharing: .oneProcess, countsInConstantTime: true, opensReadOnly: true,
        maxKeySize: StorageLimits.maxKeySize, maxValueSize: StorageLimits.maxValueSize,
        maxKeyspaces: 1 << 20,
        promises: [.durable: .powerLoss, .buffered: .processCrash, .relaxed: .processCrash])

    let file: StoreFile
    let options: TokyoCabinetBackend.Options
    /// Why nothing is written; nil when it is.
    let writeRefusal: StorageError?
    let process = ForkMark()
    let writerGate = WriterGate()
    let gate = SharedExclusiveGate()
    let lock = CallLock()

    /// The library's handle; nil when the engine is closed or could not come back from a failure.
    var handle: UnsafeMutablePointer<TCBDB>?
    var locked: LockedFile?
    var directory = Directory()
    /// How often something was committed.
    var commitCount: UInt64 = 0
    /// Whether the counts in the file's directory are those of an older state.
    var countsAreStale = false
    /// Whether all pages were checked, when the file was opened or before the mark was made that vouched for them.
    var isChecked = false
    /// Whether everything committed is on the disk.
    var isSynchronized = false
    /// Whether the log's name is on the disk.
    var isLogNamed = false
    /// Whether the log was given the mode of the store's file.
    var hasLogMode = false
    /// Why there is no handle, when a failure took it.
    var failure: StorageError?
    /// The file's header and buckets as they were before the commit that runs.
    var head: UnsafeMutableRawBufferPointer?

    /// Opens the file, creating it when there is none.
    ///
    /// - Parameter writeRefusal: why the file is only read; nil when it is written too.
    init(file: StoreFile, options: TokyoCabinetBackend.Options, writeRefusal: StorageError? = nil) throws {
        self.file = file
        self.options = options
        self.writeRefusal = writeRefusal
        if file.size == 0, writeRefusal == nil { try createFile() }
        try openFile()
    }

    deinit {
        head?.deallocate()
    }

    /// Throws in a child that was forked while the store was open.
    @inline(__always)
    func checkProcess() throws { try process.check(engine: Self.name, path: file.path) }

    var isInsideTransaction: Bool { writerGate.isHeldByCurrentThread || gate.isSharedByCurrentThread }

    /// Throws when a failure has left the engine without a handle.
    func checkIsUsable() throws {
        if let failure { throw failure }
        if handle == nil { throw closed }
    }

    /// The handle, inside a transaction.
    var library: UnsafeMutablePointer<TCBDB> {
        get throws {
            guard let handle else { throw failure ?? closed }
            return handle
        }
    }

    /// A handle that is set up but not opened.
    func makeHandle(leafCache: Int, nodeCache: Int) -> UnsafeMutablePointer<TCBDB> {
        trove_ignore_yields_of("tcbdbnew")
        let handle: UnsafeMutablePointer<TCBDB> = tcbdbnew()
        // The setters fail on open handles only.
        _ = tcbdbtune(
            handle, Int32(clamping: min(max(options.leafMembers, 4), 1 << 16)), 256,
            Int64(min(max(options.bucketCount, 1), 1 << 30)), -1, -1, UInt8(BDBTLARGE))
        _ = tcbdbsetcache(handle, Int32(clamping: max(leafCache, 64)), Int32(clamping: max(nodeCache, 64)))
        return handle
    }

    // MARK: Errors

    var closed: StorageError { error(StorageError.closed, "the store was closed; open it again") }

    func error(_ kind: (StorageError.Details) -> StorageError, _ message: String, code: String? = nil) -> StorageError {
        kind(.init(engine: Self.name, path: file.path, message: message, code: code))
    }
}
