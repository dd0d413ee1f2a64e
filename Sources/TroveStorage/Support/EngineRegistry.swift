import Synchronization

/// The engines a backend has open in this process, by file, so that opening a file twice shares one engine.
///
/// LMDB loses its locks and Tokyo Cabinet corrupts its file when one process opens a file twice, also
/// through a hard link; hence the key is the file's device and inode.
public final class EngineRegistry<Engine: AnyObject & Sendable>: Sendable {
    private struct Entry {
        let engine: Engine
        var identity: StoreFile.Identity
        var users: Int
    }

    private let entries = Mutex<[Entry]>([])

    public init() {}

    /// The engine open on `file`, or the one that `open` makes. The lock is held meanwhile, so two
    /// threads that open one file get one engine.
    public func engine(for file: StoreFile, open: () throws -> Engine) throws -> Engine {
        try entries.withLock { entries in
            if let identity = file.identity, let index = entries.firstIndex(where: { $0.identity == identity }) {
                entries[index].users += 1
                return entries[index].engine
            }
            let engine = try open()
            guard let identity = file.identity else {
                throw StorageError.inputOutput(
                    .init(engine: file.engine, path: file.path, message: "the file vanished while it was opened"))
            }
            entries.append(Entry(engine: engine, identity: identity, users: 1))
            return engine
        }
    }

    /// Gives up one use of `engine`; runs `close` when it was the last one. When `close` throws the engine stays open and counted.
    ///
    /// The lock is held while `close` runs, so wait for the engine's transactions before, not in `close`:
    /// the body of one may be opening another file, which waits for this lock.
    public func release(_ engine: Engine, close: () throws -> Void) throws {
        try entries.withLock { entries in
            guard let index = entries.firstIndex(where: { $0.engine === engine }) else { return }
            if entries[index].users == 1 {
                try close()
                entries.remove(at: index)
            } else {
                entries[index].users -= 1
            }
        }
    }

    /// Tells that the engine's file was replaced by another one at the same path, as compaction does.
    public func fileReplaced(of engine: Engine, by file: StoreFile) {
        guard let identity = file.identity else { return }
        entries.withLock { entries in
            guard let index = entries.firstIndex(where: { $0.engine === engine }) else { return }
            entries[index].identity = identity
        }
    }
}
