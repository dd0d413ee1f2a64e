import Foundation
import Trove
import TroveBackendKit

extension StoreDocument {
    /// Writes the document to its file.
    ///
    /// The new file takes the place of the old one at once, with its permissions. Nothing is written when nothing changed.
    ///
    /// - Parameters:
    ///   - overwriting: whether a file that somebody else changed meanwhile is replaced all the same. One that cannot be read is put aside, not deleted.
    ///   - verifying: whether the new file is read back, every record of it, before it takes the place.
    /// - Throws: ``DocumentError/isUntitled``, ``DocumentError/changedOutside(_:)``, ``DocumentError/unsoundCopy(_:reason:)``, ``DocumentError/closed``,
    ///   ``DocumentError/insideTransaction``;
    ///   ``StorageError/diskFull(_:)`` and what else writing throws. The file then is as it was.
    /// - Complexity: the whole document is written.
    public func save(overwriting: Bool = false, verifying: Bool = true) throws {
        try alone {
            let state = try openState()
            guard let url = state.url else { throw DocumentError.isUntitled }
            var isChanged: Bool { FileState(of: url, kind: state.original?.kind) != state.original }
            func requireUnchanged() throws { if !overwriting, isChanged { throw DocumentError.changedOutside(url) } }
            try requireUnchanged()
            guard hasUnsavedChanges || isChanged else { return }
            let written = try write(state, to: url, as: state.engine, verifying, on: state.workingCopy, lookingFirst: requireUnchanged)
            try settle(state, at: url, state.engine, state.workingCopy, written)
        }
    }

    /// Writes the document to a file at another place, which is the document's from now on. The old file stays as it was saved last.
    ///
    /// - Parameters:
    ///   - url: where to. Of a symbolic link, the file that it leads to.
    ///   - engine: the engine of the new file; nil for that of the document so far. The working copy, and with it ``store``, stays as it is.
    ///   - overwriting: whether a file that is there is replaced.
    /// - Throws: ``DocumentError/destinationExists(_:)``, ``DocumentError/alreadyOpen(_:)`` when another document has that file,
    ///   ``DocumentError/hasRecoverableChanges(_:)`` when a program left changes of it, ``DocumentError/keepsNoFile(engine:)``; otherwise as
    ///   ``save(overwriting:verifying:)``. The document stays where it was.
    public func save(to url: URL, as engine: DocumentEngine? = nil, overwriting: Bool = false, verifying: Bool = true) throws {
        let url = url.withoutLinks
        try alone {
            let state = try openState()
            let engine = engine ?? state.engine
            let isOwn = url == state.url
            func requireNone() throws { if !overwriting, FileManager.default.fileExists(atPath: url.path) { throw DocumentError.destinationExists(url) } }
            try requireNone()
            let copy = isOwn ? state.workingCopy : try WorkingCopy.ofDestination(url)
            do {
                let written = try write(state, to: url, as: engine, verifying, on: copy, lookingFirst: requireNone)
                try settle(state, at: url, engine, copy, written)
            } catch {
                // The document stays at its desk, unless what failed came after it had moved.
                if self.state.withLock({ $0.workingCopy.desk }) != copy.desk {
                    // The store too, which may be written down as the other desk's already.
                    try? state.workingCopy.take(state.place)
                    copy.remove()
                }
                throw error
            }
        }
    }

    /// Writes a copy of the document, changes that are not saved included, to another file; the document stays where it is.
    ///
    /// - Parameter engine: the engine of the copy; nil for that of the document.
    /// - Throws: as ``save(to:as:overwriting:verifying:)``.
    public func exportCopy(to url: URL, as engine: DocumentEngine? = nil, overwriting: Bool = false, verifying: Bool = true) throws {
        let url = url.withoutLinks
        try alone {
            let state = try openState()
            func requireNone() throws { if !overwriting, FileManager.default.fileExists(atPath: url.path) { throw DocumentError.destinationExists(url) } }
            if url == state.url { throw DocumentError.destinationExists(url) }
            try requireNone()
            let desk = try WorkingCopy.ofDestination(url)
            defer { desk.remove() }
            _ = try write(state, to: url, as: engine ?? state.engine, verifying, on: desk, lookingFirst: requireNone)
        }
    }

    /// Gives up what was not saved: the working copy becomes a copy of the file again.
    ///
    /// ``store`` is another store then, and contexts of the old one are of no use any more. When the file cannot be read, everything stays as it is.
    ///
    /// - Throws: ``DocumentError/isUntitled``, ``DocumentError/noSuchDocument(_:)``, ``DocumentError/insideTransaction``; what opening the file throws.
    public func revert() throws {
        try alone {
            let old = try openState()
            guard let url = old.url else { throw DocumentError.isUntitled }
            guard FileManager.default.fileExists(atPath: url.path) else { throw DocumentError.noSuchDocument(url) }
            let fresh: State
            do {
                fresh = try Self.copied(url, old.engine, workingEngine, opener, counter, old.workingCopy, kind: old.original?.kind)
            } catch {
                // The note may name the copy that came to nothing. The error that led here is the one to tell.
                try? old.workingCopy.write(document: url, engine: workingEngine.name, fileEngine: old.engine.name, store: old.place, original: old.original)
                throw error
            }
            state.withLock { state in
                (state.store, state.backend, state.place, state.original) = (fresh.store, fresh.backend, fresh.place, fresh.original)
                state.replaced = old.store
            }
            // The document has the file's contents by now; what closing could not write is given up anyway.
            try? old.store.close()
            state.withLock { $0.replaced = nil }
            // What stays open keeps its files; the next opening of the document takes them away.
            if old.store.isClosed { old.workingCopy.remove(store: old.place) }
        }
    }

    // MARK: - Steps

    /// What a save has put in the document's place: the number of the changes that it has, and its state, as it was before anybody could open it there.
    private struct Written {
        let count: Int
        let file: FileState
    }

    /// Writes the working copy to a file on a desk, checks it, and puts it at `url`.
    ///
    /// - Parameter look: whether the new file may take the place, asked once more when it is ready: writing it takes time, in which others write too.
    private func write(
        _ state: State, to url: URL, as engine: DocumentEngine, _ verifying: Bool, on copy: WorkingCopy, lookingFirst look: () throws -> Void
    ) throws -> Written {
        let new = copy.newFile
        try copy.clearNewFile()
        do {
            // In a transaction, so that no commit is half counted.
            let count = try state.backend.write { (_: any StorageWriter) in counter.count }
            if engine.name == workingEngine.name {
                do {
                    try state.backend.backUp(to: new.path)
                } catch StorageError.unsupported {
                    throw DocumentError.keepsNoFile(engine: engine.name)
                }
            } else {
                let target = try engine.open(new.path)
                defer { try? target.close() }
                try state.store.copy(to: target)
                try target.synchronize()
            }
            guard FileManager.default.fileExists(atPath: new.path) else { throw DocumentError.keepsNoFile(engine: engine.name) }
            if verifying {
                try verify(new, engine, instead: url)
            } else {
                // An engine may change a file when it opens it for the first time, which should not look like somebody else's change later.
                try engine.open(new.path).close()
            }
            // Read here, where nobody has the file open.
            let kind = EngineFile(at: new.path)
            guard !FileState(of: new, kind: kind).hasLogs else { throw DocumentError.unsoundCopy(url, reason: "its log was not taken into it") }
            new.takePermissions(of: url)
            try new.synchronize()
            let file = try put(new, kind, as: engine, at: url, insteadOf: state.engine, on: copy, lookingFirst: look)
            // The document's file is the new one, whatever fails from here on.
            if copy.desk == state.workingCopy.desk { self.state.withLock { state in (state.engine, state.original) = (engine, file) } }
            try StoreFile.synchronizeDirectory(of: url.path, engine: engine.name)
            // What is left there is taken away by the next save.
            try? copy.clearNewFile()
            return Written(count: count, file: file)
        } catch {
            try? copy.clearNewFile()
            throw error
        }
    }

    /// Puts a new file in the place of the one that an engine has there, written down so that after a crash it is the document's own. Returns its state.
    @discardableResult
    func put(
        _ new: URL, _ kind: EngineFile?, as newEngine: DocumentEngine? = nil, at url: URL, insteadOf engine: DocumentEngine, on copy: WorkingCopy,
        lookingFirst look: () throws -> Void = {}
    ) throws -> FileState {
        let state = FileState(of: new, kind: kind)
        try copy.noteNext(state, engine: newEngine?.name)
        // Making way changes what is there.
        try look()
        try makeWay(for: kind, at: url, engine: engine)
        try new.rename(to: url)
        return state
    }

    private func verify(_ new: URL, _ engine: DocumentEngine, instead url: URL) throws {
        let backend = try engine.open(new.path)
        do {
            try backend.checkStructure()
        } catch {
            try? backend.close()
            throw DocumentError.unsoundCopy(url, reason: "\(error)")
        }
        let store = try opener.open(backend, access: .readOnly)
        let report = try store.verify()
        try store.close()
        guard report.isSound else { throw DocumentError.unsoundCopy(url, reason: "\(report)") }
    }

    /// Writes down that the file has what the working copy had, and moves the document there.
    private func settle(_ old: State, at url: URL, _ engine: DocumentEngine, _ copy: WorkingCopy, _ written: Written) throws {
        try copy.write(document: url, engine: workingEngine.name, fileEngine: engine.name, store: old.place, original: written.file)
        // In a transaction: the next change has to find either the mark, or that there is none. A transaction that does not come about leaves the document
        // where it was. It changes nothing, so that one whose commit fails has done all that it was for.
        var isSettled = false
        do {
            try old.backend.write { (_: any StorageWriter) in
                try settle(written, at: url, engine, from: old, to: copy)
                isSettled = true
            }
        } catch {
            if !isSettled { throw error }
        }
    }

    private func settle(_ written: Written, at url: URL, _ engine: DocumentEngine, from old: State, to copy: WorkingCopy) throws {
        if counter.count == written.count { copy.noteSaved() } else { try copy.noteUnsaved() }
        let moves = copy.desk != old.workingCopy.desk
        if moves { try copy.take(old.place) }
        counter.noteSaved(written.count)
        guard moves else { return }
        state.withLock { state in (state.url, state.engine, state.original, state.workingCopy) = (url, engine, written.file, copy) }
        counter.workingCopy = copy
        old.workingCopy.remove()
    }
}
