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
    /// What is written down on the desk.
    private struct Note: Codable {
        var document: URL?
        var engine: String
        var folder: String
        /// The file that the store was copied from, or saved to last.
        var original: FileState?
        /// The file that a save is putting in the document's place.
        var next: FileState?
    }

    let desk: URL
    private let lock: DeskLock

    private static let deskEnding = ".working"
    private static let untitled = ".untitled-"
    private static let markName = "unsaved"
    private static let noteName = "note.json"
    static let storeName = "store"
    private static let newName = "new"
    private static let lockName = "lock"

    /// The desk of the document at a URL.
    static func desk(of document: URL) -> URL { document.deletingLastPathComponent().appending(path: ".\(document.lastPathComponent)\(deskEnding)") }

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

    // MARK: - The note and the mark

    /// The store that is written down; nil when there is no note that can be read, or the store is gone or another desk's.
    var store: URL? { Self.note(on: desk).flatMap { Self.store(of: $0, on: desk) } }

    private static func store(of note: Note, on desk: URL) -> URL? {
        // A folder that was moved takes its store along.
        let places = [desk.deletingLastPathComponent().appending(path: URL(filePath: note.folder).lastPathComponent), URL(filePath: note.folder)]
        return places.map { $0.appending(path: storeName) }.first { FileManager.default.fileExists(atPath: $0.path) && isStore($0, of: desk) }
    }

    /// The state of the document's file that the store is a copy of; nil for none. A save that died when the new file was in its place has left that one.
    func original(at url: URL?) -> FileState? {
        guard let note = Self.note(on: desk) else { return nil }
        return url.flatMap { note.next == FileState(of: $0, kind: note.next?.kind) ? note.next : nil } ?? note.original
    }

    private static func note(on desk: URL) -> Note? {
        (try? Data(contentsOf: desk.appending(path: noteName))).flatMap { try? JSONDecoder().decode(Note.self, from: $0) }
    }

    func write(document: URL?, engine: String, store: URL, original: FileState?) throws {
        try write(Note(document: document, engine: engine, folder: store.deletingLastPathComponent().path, original: original))
    }

    /// Writes down the file that is about to take the document's place, where the document is written down.
    func noteNext(_ next: FileState) throws {
        guard var note = Self.note(on: desk) else { return }
        note.next = next
        try write(note)
    }

    private func write(_ note: Note) throws {
        let file = desk.appending(path: Self.noteName)
        do {
            try JSONEncoder().encode(note).write(to: file, options: .atomic)
        } catch {
            throw DocumentError.fileSystem(file, reason: FileFailure.reason(of: error))
        }
        try file.synchronize()
        try StoreFile.synchronizeDirectory(of: file.path, engine: note.engine)
    }

    /// Says that the store has changes that the document's file does not have.
    func noteUnsaved() throws {
        let mark = desk.appending(path: Self.markName)
        guard FileManager.default.createFile(atPath: mark.path, contents: nil) else { throw DocumentError.fileSystem(mark, reason: "it cannot be made") }
        // A commit that survives a loss of power has its mark.
        try StoreFile.synchronizeDirectory(of: mark.path, engine: "document")
    }

    /// Says that the document's file has what the store has. A mark that stays makes the next opening ask about changes
    /// that are in the file already, and no more.
    func noteSaved() { try? FileManager.default.removeItem(at: desk.appending(path: Self.markName)) }

    /// Takes away the note of a store that is gone.
    func clearNote() { try? FileManager.default.removeItem(at: desk.appending(path: Self.noteName)) }

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

    /// Gives the desk away.
    func remove() { try? FileManager.default.removeItem(at: desk) }

    // MARK: - What others left

    var isMarked: Bool { Self.hasMark(desk) }

    var hasNote: Bool { FileManager.default.fileExists(atPath: desk.appending(path: Self.noteName).path) }

    private static func hasMark(_ desk: URL) -> Bool { FileManager.default.fileExists(atPath: desk.appending(path: markName).path) }

    /// The changes that a program left on a desk; nil when there are none.
    static func changes(on desk: URL) -> RecoverableChanges? {
        guard hasMark(desk), let note = note(on: desk), let store = store(of: note, on: desk) else { return nil }
        // Nothing is opened: this process may have the store open.
        let dates = ([""] + EngineFile.everyCompanionEnding).compactMap { FileStamp(store.path + $0, followsLinks: false)?.changeDate }
        return RecoverableChanges(url: note.document, date: dates.max() ?? .distantPast, engine: note.engine, desk: desk)
    }

    /// The changes that a program left on a desk, where nobody has it.
    static func changes(onFree desk: URL) -> RecoverableChanges? {
        // Looked at with the lock: whoever has the desk may change what there is. Without a mark none is taken, which would make its file.
        guard hasMark(desk), let lock = try? FileLock(at: desk.appending(path: lockName).path) else { return nil }
        return withExtendedLifetime(lock) { changes(on: desk) }
    }

    /// The changes that programs left on the desks in a folder, where nobody has them open. What they left of documents without a file that have none goes:
    /// nobody opens these again.
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
        guard !hasMark(desk) else { return }
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

/// Changes of a document that a program left behind without saving them.
public struct RecoverableChanges: Sendable, Equatable {
    /// The document; nil of one that was never saved.
    public let url: URL?
    /// When the last of the changes was made.
    public let date: Date
    /// The name of the engine of the working copy that has them.
    public let engine: String
    /// Where the working copy is written down.
    let desk: URL
}
