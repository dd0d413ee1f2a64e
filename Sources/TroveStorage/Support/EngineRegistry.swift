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

    /// Replaces the engine's file: `replace` puts another one at the same path, as compaction does. Nobody opens or closes an engine meanwhile,
    /// so that whoever opens the new file finds this engine.
    ///
    /// - Throws: what `replace` throws. It may have put the file there all the same, so the path is looked at again.
    public func replaceFile(of engine: Engine, at file: StoreFile, _ replace: () throws -> Void) throws {
        try entries.withLock { entries in
            defer {
                if let identity = file.identity, let index = entries.firstIndex(where: { $0.engine === engine }) {
                    entries[index].identity = identity
                }
            }
            try replace()
        }
    }
}
