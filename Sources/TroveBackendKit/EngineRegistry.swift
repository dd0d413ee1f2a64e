import Synchronization
import TroveStorage

/// The engines that a backend has open in this process, by the identity of their stores, so that opening a store twice shares one engine.
///
/// The key is any value that is equal for the same store: ``StoreFile/Identity`` for one in a file, or the address and name of one on a server.
public final class EngineRegistry<Key: Hashable & Sendable, Engine: AnyObject & Sendable>: Sendable {
    private struct Entry {
        let engine: Engine
        var key: Key
        var users: Int
        /// That of its file; nil of an engine without one.
        var path: String?
        let process = ForkMark()
    }

    private let entries = Mutex<[Entry]>([])
    private let hasNeighbours: @Sendable (Engine) -> Bool

    /// A registry without engines; a backend keeps one for the whole process.
    ///
    /// - Parameter hasNeighbours: whether files that an engine uses beside its own, such as a log, are there still. Another file that has come to its path
    ///   since it was opened would have the same beside it: it is not opened before the engine is closed.
    public init(hasNeighbours: @escaping @Sendable (Engine) -> Bool = { _ in false }) { self.hasNeighbours = hasNeighbours }

    /// The engine that is open under `key`, or a new one from `open`. The lock is held meanwhile, so two
    /// threads that open one store get one engine.
    public func engine(for key: Key, open: () throws -> Engine) throws -> Engine {
        try entries.withLock { entries in
            if let engine = Self.use(key, in: &entries) { return engine }
            let engine = try open()
            entries.append(Entry(engine: engine, key: key, users: 1, path: nil))
            return engine
        }
    }

    private static func use(_ key: Key, in entries: inout [Entry]) -> Engine? {
        guard let index = entries.firstIndex(where: { $0.key == key }) else { return nil }
        entries[index].users += 1
        return entries[index].engine
    }

    /// Ends one use of `engine`; runs `close` after the last one. When `close` throws the engine stays open and counted.
    ///
    /// The lock is held while `close` runs, so wait for the engine's transactions before, not in `close`:
    /// the body of one may be opening another store, which waits for this lock.
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
}

extension EngineRegistry where Key == StoreFile.Identity {
    /// The engine that is open on `file`, or a new one from `open`, which creates the file if needed. The lock is held meanwhile.
    ///
    /// LMDB loses its locks and Tokyo Cabinet corrupts its file when one process opens a file twice, also
    /// through a hard link; hence the key is the file's device and inode.
    ///
    /// - Parameters:
    ///   - createsStore: whether `open` may create the file; no by ``StoreFile/requireStore()`` where there is none. In a file with a
    ///     ``StoreFile/writeRefusal`` nothing is created.
    ///   - close: lets go of what a new engine holds that nobody will get, because its file was removed meanwhile.
    /// - Throws: what `open` throws; ``StorageError/noSuchStore(_:)`` when there is no store and none may be created; ``StorageError/locked(_:)`` when
    ///   an engine has neighbours there whose file was removed or replaced;
    ///   ``StorageError/openedBeforeFork(_:)`` when the process was forked while the file was open;
    ///   ``StorageError/inputOutput(_:)`` when there is no file afterwards.
    public func engine(
        for file: StoreFile, createsStore: Bool = true, open: () throws -> Engine, close: (Engine) throws -> Void = { _ in }
    ) throws -> Engine {
        try entries.withLock { entries in
            if let identity = file.identity, let index = entries.firstIndex(where: { $0.key == identity }) {
                // The libraries have notes of their own of a parent's files, and locks that the child has not.
                try entries[index].process.check(engine: file.engine, path: file.path)
                entries[index].users += 1
                return entries[index].engine
            }
            // Nobody in this process can destroy the store between this look and the opening.
            if !createsStore || file.writeRefusal != nil { try file.requireStore() }
            try checkNeighbours(of: file, entries)
            let engine = try open()
            guard let identity = file.identity else {
                // That the file is gone is what is reported.
                do { try close(engine) } catch {}
                throw StorageError.inputOutput(
                    .init(engine: file.engine, path: file.path, message: "the file vanished while it was opened"))
            }
            entries.append(Entry(engine: engine, key: identity, users: 1, path: file.path))
            return engine
        }
    }

    /// Throws when an engine has the files beside a path, and none has the file itself.
    private func checkNeighbours(of file: StoreFile, _ entries: [Entry]) throws {
        let isTaken = entries.contains { entry in
            // Two names that look alike are one String and two files.
            guard let path = entry.path, path.utf8.elementsEqual(file.path.utf8), !entry.process.isInherited else { return false }
            return hasNeighbours(entry.engine)
        }
        if isTaken { throw file.replacedError }
    }

    /// Runs `body` while no one in this process has the file open or can open it.
    ///
    /// - Throws: ``StorageError/locked(_:)`` when somebody has it open, or another one that was at its path; what `body` throws.
    public func whileClosed(_ file: StoreFile, _ body: () throws -> Void) throws {
        try entries.withLock { entries in
            if let identity = file.identity, entries.contains(where: { $0.key == identity }) { throw file.inUseError }
            try checkNeighbours(of: file, entries)
            try body()
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
                    entries[index].key = identity
                }
            }
            try replace()
        }
    }
}
