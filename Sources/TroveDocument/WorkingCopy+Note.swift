import Foundation
import Trove
import TroveBackendKit

/// The note on a desk, which says where its store is, and the mark that says that the store has unsaved changes.
extension WorkingCopy {
    private static let markName = "unsaved"
    private static let noteName = "note.json"

    /// What is written down on the desk.
    struct Note: Codable {
        var document: URL?
        var engine: String
        /// The engine of the document's file; nil where there is none, and in notes of older versions.
        var fileEngine: String?
        var folder: String
        /// Whether the store was a file when this was written, which one in memory never is; nil in notes of older versions.
        var keepsFile: Bool?
        /// The file that the store was copied from, or saved to last.
        var original: FileState?
        /// The file that a save is putting in the document's place.
        var next: FileState?
        var nextEngine: String?
    }

    /// The store that is written down; nil when there is no note that can be read, or the store is gone or another desk's.
    var store: URL? { Self.note(on: desk).flatMap { Self.store(of: $0, on: desk) } }

    static func store(of note: Note, on desk: URL) -> URL? { stores(of: note, on: desk).first { isStore($0, of: desk) } }

    /// What there is at the places where the store of a note may be. A note that came with the document, from whoever made both, may name any folder: one with
    /// another name than working copies have is neither opened nor removed.
    private static func stores(of note: Note, on desk: URL) -> [URL] {
        let name = URL(filePath: note.folder).lastPathComponent
        guard isFolder(name) else { return [] }
        // A folder that was moved takes its store along.
        let places = [desk.deletingLastPathComponent().appending(path: name), URL(filePath: note.folder)]
        return places.map { $0.appending(path: storeName) }.filter { FileManager.default.fileExists(atPath: $0.path) }
    }

    /// Throws where the store that the note names is nowhere. That of a document that had no file may be in a folder for temporary files.
    func requireStoreNotGone() throws(DocumentError) {
        guard let note = Self.note(on: desk), note.keepsFile == true, Self.stores(of: note, on: desk).isEmpty else { return }
        // Where there is no document, nobody could open it without the changes.
        guard FileManager.default.fileExists(atPath: Self.document(of: desk).path) else { return }
        throw .fileSystem(
            URL(filePath: note.folder),
            reason: "this working copy, which had unsaved changes, is gone; bring it back, or open the document as it was saved last with recovery: .discard")
    }

    /// The state of the document's file that the store is a copy of; nil for none. A save that died when the new file was in its place has left that one.
    func original(at url: URL?) -> FileState? {
        guard let note = Self.note(on: desk) else { return nil }
        return url.flatMap { note.next == FileState(of: $0, kind: note.next?.kind) ? note.next : nil } ?? note.original
    }

    static func note(on desk: URL) -> Note? {
        (try? Data(contentsOf: desk.appending(path: noteName))).flatMap { try? JSONDecoder().decode(Note.self, from: $0) }
    }

    func write(document: URL?, engine: String, fileEngine: String?, store: URL, original: FileState?) throws {
        let keepsFile = FileManager.default.fileExists(atPath: store.path)
        try write(
            Note(
                document: document, engine: engine, fileEngine: fileEngine, folder: store.deletingLastPathComponent().path, keepsFile: keepsFile,
                original: original))
    }

    /// Writes down the file that is about to take the document's place, where the document is written down.
    func noteNext(_ next: FileState, engine: String?) throws {
        guard var note = Self.note(on: desk) else { return }
        (note.next, note.nextEngine) = (next, engine ?? note.fileEngine)
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

    var isMarked: Bool { Self.hasMark(desk) }

    var hasNote: Bool { FileManager.default.fileExists(atPath: desk.appending(path: Self.noteName).path) }

    static func hasMark(_ desk: URL) -> Bool { FileManager.default.fileExists(atPath: desk.appending(path: markName).path) }
}

/// Changes of a document that a program left behind without saving them.
public struct RecoverableChanges: Sendable, Equatable {
    /// The document; nil of one that was never saved.
    public let url: URL?
    /// When the last of the changes was made.
    public let date: Date
    /// The name of the engine of the working copy that has them.
    public let engine: String
    /// The name of the engine of the document's file; nil of one that was never saved.
    public let fileEngine: String?
    /// Where the working copy is written down.
    let desk: URL
}
