import Synchronization
import TroveBackendKit
import TroveStorage

/// An open store: its newest version, its file and the gates around them. All backends on one file share it.
final class SortedArrayEngine: Sendable {
    static let name = "sorted array"
    static let registry = EngineRegistry<StoreFile.Identity, SortedArrayEngine>()

    /// The newest version, and whether the file has it.
    private struct Version {
        var contents: Contents
        var isWritten: Bool
        var isSynchronized: Bool
        /// The number of the next new keyspace.
        var nextNumber: UInt64
        /// Why the engine can go on no longer: it is not known what of its last commit is on the disk.
        var failure: StorageError?
    }

    let file: StoreFile
    let writer = WriterGate()
    /// Shared by readers, so that closing can wait for them.
    let readers = SharedExclusiveGate()
    /// Keeps other processes out; nil once the store is closed though somebody still has it.
    private let lock: Mutex<FileLock?>
    private let version: Mutex<Version>

    /// Opens the file, or makes an empty one.
    init(_ file: StoreFile) throws {
        self.file = file
        lock = Mutex(try FileLock(beside: file))
        if file.size == 0 {
            try FileWriting.store(
                StoreEncoding.bytes(of: Contents()), at: file.path, .replacing, of: file.path, isDurable: true, engine: Self.name)
        }
        let contents = try StoreDecoding.contents(of: file.bytes(count: file.size), in: file)
        version = Mutex(
            Version(contents: contents, isWritten: true, isSynchronized: false, nextNumber: UInt64(contents.numbers.count)))
    }

    // MARK: Versions

    /// The newest version; what a read sees from its beginning to its end.
    func newest() throws -> Contents {
        try version.withLock { version in
            if let failure = version.failure { throw failure }
            return version.contents
        }
    }

    /// A number for a keyspace that no other one has. One that is not used, because its transaction is rolled back, is not given again.
    func makeNumber() -> UInt64 {
        version.withLock { version in
            version.nextNumber += 1
            return version.nextNumber
        }
    }

    /// Makes `contents` the newest version, once the file has them as the level asks. The caller is inside the writer gate.
    func commit(_ contents: Contents, _ durability: Durability) throws {
        if durability != .relaxed { try write(contents, isDurable: durability == .durable) }
        let old = version.withLock { version in
            defer {
                version.contents = contents
                version.isWritten = durability != .relaxed
                version.isSynchronized = durability == .durable
            }
            return version.contents
        }
        // It may be large, and goes after the lock was given back.
        withExtendedLifetime(old) {}
    }

    /// Brings to the disk what is not on it. The caller is inside the writer gate.
    func synchronize() throws {
        let (contents, isDone) = version.withLock { ($0.contents, $0.isWritten && $0.isSynchronized) }
        if isDone { return }
        try commit(contents, .durable)
    }

    /// Writes a last time, when not all is written, and lets other processes in. The caller has the store alone, and the registry's lock.
    func shutDown() throws {
        let (contents, isWritten) = version.withLock { ($0.contents, $0.isWritten || $0.failure != nil) }
        if !isWritten {
            try FileWriting.store(
                StoreEncoding.bytes(of: contents), at: file.path, .replacing, of: file.path, isDurable: true, engine: Self.name)
        }
        version.withLock { $0.contents = Contents() }
        lock.withLock { $0 = nil }
    }

    /// Lets other processes in after somebody has removed the file of a new engine. Nothing is put at its path, where another store may be by now.
    func shutDownRemoved() { lock.withLock { $0 = nil } }

    /// Puts a new file in the place of the old one. While it is placed nobody opens it, who would not know whose it is.
    private func write(_ contents: Contents, isDurable: Bool) throws {
        let bytes = StoreEncoding.bytes(of: contents)
        let before = file.identity
        do {
            try Self.registry.replaceFile(of: self, at: file) {
                try FileWriting.store(bytes, at: file.path, .replacing, of: file.path, isDurable: isDurable, engine: Self.name)
            }
        } catch let error as StorageError {
            // After the change of names the new version is in place, though perhaps not for good: nothing true can be said any more.
            if file.identity != before { version.withLock { $0.failure = error } }
            throw error
        }
    }

    // MARK: The end

    /// Runs `body` while no transaction runs.
    func withoutTransactions(_ body: () throws -> Void) throws {
        if writer.isHeldByCurrentThread || readers.isSharedByCurrentThread {
            throw StorageError.closeInsideTransaction(
                details("a transaction of this thread is running; close the store after it"))
        }
        // A reader may be waiting to write, so the writer gate is given up from time to time meanwhile.
        _ = writer.enterAlone(with: readers, until: .never)
        defer { writer.leaveAlone(with: readers) }
        try body()
    }

    func details(_ message: String) -> StorageError.Details {
        StorageError.Details(engine: Self.name, path: file.path, message: message)
    }

    /// What a new transaction checks its calls with.
    func beginTransaction() -> TransactionState {
        TransactionState(
            engine: Self.name, path: file.path, maxKeySize: StorageLimits.maxKeySize, maxValueSize: StorageLimits.maxValueSize)
    }
}
