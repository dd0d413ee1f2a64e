import Foundation
import Trove
import TroveBackendKit

/// The way of a document's file into a working copy.
extension StoreDocument {
    /// How often a file is copied that others change meanwhile.
    private static let maxCopies = 3

    private struct Copy {
        /// The working copy's engine, which is open: one that keeps no file has the copy only so long.
        let backend: any StorageBackend
        /// The state of the file that the copy has, or an older one.
        let original: FileState
        /// Whether nobody changed the file meanwhile.
        let isCertain: Bool
    }

    /// The state of a document whose file was copied just now.
    ///
    /// - Parameter known: the kind of the file where a document has it already; nil to look.
    static func copied(
        _ url: URL, _ engine: DocumentEngine, _ working: DocumentEngine, _ opener: StoreOpener, _ counter: ChangeCounter, _ copy: WorkingCopy,
        kind known: EngineFile? = nil
    ) throws -> State {
        var attempt = 1
        while true {
            // The engine would make a store where there is none, and of an empty file, and so of a document of which nothing is left.
            guard FileManager.default.fileExists(atPath: url.path) else { throw DocumentError.noSuchDocument(url) }
            if let size = FileStamp(url.path)?.size, size == 0 {
                throw TroveError.notAStore(path: url.path, reason: "it is empty; restore a backup, or remove it and make a new document")
            }
            let place = try copy.makeStorePlace()
            do {
                let file = try copyFile(url, engine, to: place, working, opener, known, isLast: attempt == maxCopies)
                guard file.isCertain || attempt == maxCopies else {
                    try file.backend.close()
                    copy.remove(store: place)
                    attempt += 1
                    continue
                }
                let store = try openNew(file.backend, at: place, of: url, engine, working, opener, counter, copy, original: file.original)
                noteUnchanged(counter, copy)
                return State(store: store, backend: file.backend, place: place, workingCopy: copy, url: url, engine: engine, original: file.original)
            } catch {
                copy.remove(store: place)
                throw error
            }
        }
    }

    private static func copyFile(
        _ url: URL, _ engine: DocumentEngine, to place: URL, _ working: DocumentEngine, _ opener: StoreOpener, _ known: EngineFile?, isLast: Bool
    ) throws -> Copy {
        func seen() -> FileState { FileState(of: url, kind: nil) }
        let (before, opened, copied): (FileState, FileState, FileState)
        let kind: EngineFile?
        let backend: any StorageBackend
        before = seen()
        if engine.name == working.name {
            let file = try engine.open(url.path)
            do {
                opened = seen()
                try file.backUp(to: place.path)
                copied = seen()
            } catch {
                try? file.close()
                throw error
            }
            try file.close()
            // Read of the copy, which nobody has open.
            kind = EngineFile(at: place.path)
            backend = try working.open(place.path)
        } else {
            let file = try opener.openToCopy(engine.open(url.path))
            do {
                opened = seen()
                backend = try working.open(place.path)
                do { try file.copy(to: backend) } catch {
                    try? backend.close()
                    throw error
                }
                copied = seen()
            } catch {
                try? file.close()
                throw error
            }
            try? file.close()
            // The copy is of another kind. The document has closed the file by now; what else in the process may have it open is not known.
            kind = known ?? EngineFile(at: url.path)
        }
        let closed = seen()
        // Some write into a file when they open it and when they close it: Tokyo Cabinet, which nobody else has open then, and engines that are not known.
        let mayWrite = kind == nil || kind == .tokyoCabinet
        // SQLite may take a log that was left into its file when it opens it, but what comes after the copying is somebody else's.
        let isKept = opened == copied && (mayWrite || isLast && kind != .lmdb && copied == closed)
        let isCertain = closed.hasFile && (before == closed || isKept)
        // Of a file that changes all the time the next save says that somebody changed it.
        return Copy(backend: backend, original: FileState(isCertain ? closed : before, kind: kind), isCertain: isCertain)
    }
}
