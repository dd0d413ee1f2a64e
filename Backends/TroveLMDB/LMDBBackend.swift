import CLMDB
import Synchronization
import TroveBackendKit
import TroveStorage

/// A store in one LMDB file: a memory-mapped B+ tree, many readers beside one writer, several processes.
///
/// ```swift
/// let backend = try LMDBBackend(path: "music.lmdb")
/// try backend.write { writer in
///     let songs = try writer.createKeyspace(named: "songs")
///     try writer.put(key, value, in: songs)
/// }
/// ```
///
/// The path names a file; LMDB keeps its locks in a second one beside it, with `-lock` added to the name.
/// Several backends on one file in a process share one engine, whatever path or hard link they were opened by. Several processes open a file that has
/// several hard links always by the same one: by another they would have other locks, and write over what the others read and write.
///
/// Readers never wait for a writer and see the state before it. A write waits for other threads and for other processes of Trove's at most
/// for ``Options/writerTimeout``; a program that writes the file **with LMDB alone** is waited for without limit.
///
/// After `fork` a backend that the parent opened throws ``StorageError/openedBeforeFork(_:)`` in the child.
public final class LMDBBackend: StorageBackend {
    /// The absolute path of the file.
    public let path: String
    /// How the store was opened. Where the file was open already in the process, only ``Options/writerTimeout`` counts.
    public let options: Options
    public let writeRefusal: StorageError?

    let engine: LMDBEngine
    let isClosed = Atomic<Bool>(false)

    /// Opens the store in the file at `path`, or creates it. An existing file is checked first; see ``Options/pageCheck``.
    ///
    /// A file that cannot be written is opened for reading only, and ``writeRefusal`` says why; so is every file with ``Options/isReadOnly``.
    ///
    /// - Throws: ``StorageError/noSuchDirectory(_:)``, ``StorageError/permissionDenied(_:)``;
    ///   ``StorageError/readOnly(_:)`` when there is no store and none can be made;
    ///   ``StorageError/notAFile(_:)``, ``StorageError/notAStore(_:)``, ``StorageError/newerFormat(_:)``,
    ///   ``StorageError/corrupt(_:)``, ``StorageError/outOfResources(_:)``, ``StorageError/diskFull(_:)``;
    ///   ``StorageError/locked(_:)`` when another process keeps the file to itself, or this one has a store open whose file was at the path before;
    ///   ``StorageError/unsupported(_:)`` for options out of range.
    public init(path: String, options: Options = Options()) throws {
        let file = try StoreFile(engine: LMDBErrors.engine, path: path, isReadOnly: options.isReadOnly)
        try options.validate(path: file.path)
        engine = try LMDBEngine.registry.engine(for: file, createsStore: options.createsStore) {
            try file.opening { try LMDBEngine(path: file.path, options: options, writeRefusal: $0) }
        } close: {
            try $0.closeRemoved()
        }
        self.path = file.path
        self.options = options
        writeRefusal = file.writeRefusal ?? engine.writeRefusal
    }

    deinit {
        // What a parent has open is the parent's to close; the registry keeps it.
        if engine.process.isInherited { return }
        // No transaction of this object runs, because one would hold it; when it is the last, none of the engine does.
        // Nobody is left to tell of a failure; the file is whole at every moment.
        do { if markClosed() { try release() } } catch {}
    }

    public var sharedEngine: any AnyObject & Sendable { engine }

    /// The features and limits of LMDB.
    ///
    /// `.durable` syncs the data, then the page that makes it current. `.buffered` leaves the second sync to the
    /// next commit, so a power loss may drop the last commit. `.relaxed` syncs nothing: its commits survive a crash
    /// of the process, but a **power loss may damage the whole file**, earlier durable commits included, until
    /// the next durable or buffered commit, ``synchronize()`` or ``close()``.
    public var capabilities: StorageCapabilities {
        StorageCapabilities(
            engine: LMDBErrors.engine, engineVersion: Self.libraryVersion, readersDuringWrite: .proceed,
            canReadInsideWrite: true, canWriteInsideRead: true, sharing: .manyProcesses, countsInConstantTime: true, sharesSnapshots: true,
            maxSnapshots: engine.maxSnapshots, opensReadOnly: true, maxKeyspaces: engine.maxKeyspaces,
            promises: [.durable: .powerLoss, .buffered: .powerLossButSuffix, .relaxed: .processCrash])
    }

    private static let libraryVersion: String = {
        var (major, minor, patch): (Int32, Int32, Int32) = (0, 0, 0)
        _ = mdb_version(&major, &minor, &patch)
        return "\(major).\(minor).\(patch)"
    }()
}
