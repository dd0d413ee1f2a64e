import Foundation
import Synchronization
import Trove
import TroveBackendKit

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// What a document is edited in: a store in a hidden folder, which nobody else opens.
///
/// A second hidden folder, the document's **desk**, says that the document is open, by a lock that ends with the process, and where its store is, of which
/// engine, and of which state of the document's file it is a copy. A mark is put there before the first change that the file does not have. A document that is
/// saved elsewhere gets another desk, and keeps its store.
struct WorkingCopy: Sendable {
    let desk: URL
    private let lock: DeskLock

    private static let deskEnding = ".working"
    private static let untitled = ".untitled-"
    static let storeName = "store"
    private static let newName = "new"
    private static let lockName = "lock"

    /// The desk of the document at a URL.
    static func desk(of document: URL) -> URL { document.deletingLastPathComponent().appending(path: ".\(document.lastPathComponent)\(deskEnding)") }

    /// The document at whose place a desk is. A folder that was moved or copied takes it along.
    static func document(of desk: URL) -> URL {
        let name = String(decoding: desk.lastPathComponent.utf8.dropFirst().dropLast(deskEnding.utf8.count), as: UTF8.self)
        return desk.deletingLastPathComponent().resolvingSymlinksInPath().appending(path: name, directoryHint: .notDirectory)
    }

    /// A desk of a document without a file.
    static func newDesk(in folder: URL) -> URL { folder.appending(path: "\(untitled)\(UUID().uuidString)\(deskEnding)") }

    /// Takes a desk, and makes it where there is none.
    ///
    /// - Throws: ``DocumentError/alreadyOpen(_:)`` when another has it.
    init(desk: URL, for document: URL?) throws {
        self.desk = desk
        try Self.makeFolder(desk)
        do {
            lock = DeskLock(try Self.lock(desk, for: document))
        } catch {
            // Who closes a document takes its desk away.
            guard !FileManager.default.fileExists(atPath: desk.path) else { throw error }
            try Self.makeFolder(desk)
            lock = DeskLock(try Self.lock(desk, for: document))
        }
    }

    private init(desk: URL, _ lock: FileLock) { (self.desk, self.lock) = (desk, DeskLock(lock)) }

    /// Leaves the desk as it is to whoever comes next.
    func giveBack() { lock.giveBack() }

    /// Takes the desk of a place that a document is written to.
    ///
    /// - Throws: ``DocumentError/alreadyOpen(_:)``; ``DocumentError/hasRecoverableChanges(_:)``, since these are changes of the file that is there;
    ///   ``DocumentError/fileSystem(_:reason:)``, also for such changes in a store that the note does not lead to.
    static func ofDestination(_ url: URL) throws -> WorkingCopy {
        let copy = try WorkingCopy(desk: desk(of: url), for: url)
        if let changes = changes(on: copy.desk) { throw DocumentError.hasRecoverableChanges(changes) }
        try copy.requireNothingLost()
        copy.removeStores()
        return copy
    }

    private static func lock(_ desk: URL, for document: URL?) throws(DocumentError) -> FileLock {
        let file = desk.appending(path: lockName)
        do throws(FileLock.Failure) {
            return try FileLock(at: file.path)
        } catch {
            switch error {
            case .heldByAnother: throw .alreadyOpen(document ?? desk)
            case .system(_, let reason): throw .fileSystem(file, reason: reason)
            }
        }
    }

    /// Makes a folder that only the user can read, unless it is there.
    static func makeFolder(_ folder: URL) throws {
        guard mkdir(folder.path, 0o700) != 0, errno != EEXIST else { return }
        throw DocumentError.fileSystem(folder, reason: "the folder cannot be made: \(String(cString: strerror(errno)))")
    }

    // MARK: - The new file

    /// Where a file is written that is to become the document's. It is on the desk, which nobody else has, so that whatever a save leaves
    /// there that was broken off can be taken away.
    var newFile: URL { desk.appending(path: Self.newName) }

    /// Takes away what saves left behind.
    func clearNewFile() throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: desk.path) where name.hasPrefix(Self.newName) {
            let file = desk.appending(path: name)
            guard unlink(file.path) != 0, errno != ENOENT else { continue }
            throw DocumentError.fileSystem(file, reason: String(cString: strerror(errno)))
        }
    }

    /// Gives the desk away. The mark goes first: a program that ends in between leaves none without its store.
    func remove() {
        noteSaved()
        try? FileManager.default.removeItem(at: desk)
    }

    // MARK: - What others left

    /// The changes that a program left on a desk; nil when there are none.
    static func changes(on desk: URL) -> RecoverableChanges? {
        guard hasMark(desk), let note = note(on: desk), let store = store(of: note, on: desk) else { return nil }
        // Nothing is opened: this process may have the store open.
        let dates = ([""] + EngineFile.everyCompanionEnding).compactMap { FileStamp(store.path + $0, followsLinks: false)?.changeDate }
        let url = note.document.map { _ in document(of: desk) }
        let isNext = url.map { note.next != nil && note.next == FileState(of: $0, kind: note.next?.kind) } ?? false
        return RecoverableChanges(
            url: url, date: dates.max() ?? .distantPast, engine: note.engine, fileEngine: isNext ? note.nextEngine : note.fileEngine, desk: desk)
    }

    /// The changes that a program left on a desk, where nobody has it.
    static func changes(onFree desk: URL) -> RecoverableChanges? {
        // Looked at with the lock: whoever has the desk may change what there is. Without a mark none is taken, which would make its file.
        guard hasMark(desk), let lock = try? FileLock(at: desk.appending(path: lockName).path) else { return nil }
        return withExtendedLifetime(lock) { changes(on: desk) }
    }

    /// The changes that programs left on the desks in a folder, where nobody has them open. What they left of documents without a file that have none goes,
    /// and of those in memory, whose changes went with the program: nobody opens these again.
    static func changes(in folder: URL) -> [RecoverableChanges] {
        return names(in: folder).sorted().filter { $0.hasPrefix(".") && $0.hasSuffix(deskEnding) }.compactMap { name in
            let desk = folder.appending(path: name)
            if let changes = changes(onFree: desk) { return changes }
            if name.hasPrefix(untitled) { removeForgotten(desk) }
            return nil
        }
    }

    private static func removeForgotten(_ desk: URL) {
        guard let lock = try? FileLock(at: desk.appending(path: lockName).path, waits: false) else { return }
        // Looked at with the lock: whoever had the desk may have left changes.
        guard !hasMark(desk) || note(on: desk)?.keepsFile == false else { return }
        let copy = WorkingCopy(desk: desk, lock)
        copy.removeStores()
        copy.remove()
    }
}

/// The lock of a desk, which the copies of a ``WorkingCopy`` share.
private final class DeskLock: Sendable {
    private let lock: Mutex<FileLock?>

    init(_ lock: FileLock) { self.lock = Mutex(lock) }

    func giveBack() { lock.withLock { $0 = nil } }
}
