import Foundation
import Trove
import TroveBackendKit

extension StoreDocument {
    /// Opens the document at a URL.
    ///
    /// - Parameters:
    ///   - url: the file. Of a symbolic link, the file that it leads to.
    ///   - engine: the engine of the file.
    ///   - workingEngine: the engine of the working copy; nil for that of the file. Another one matters after a program ended that had
    ///     saved the document as another engine's.
    ///   - durability: what commits of the working copy survive; `.buffered` survives the end of the process.
    ///   - fieldKeys: the keys of encrypted properties; nil when no model has any.
    ///   - recovery: what to do with changes that a program left behind.
    ///   - models: every model that the program uses with the document.
    /// - Throws: ``DocumentError/noSuchDocument(_:)``, ``DocumentError/alreadyOpen(_:)``, ``DocumentError/hasRecoverableChanges(_:)``,
    ///   ``DocumentError/otherEngine(name:)``, ``DocumentError/fileSystem(_:reason:)``, also for unsaved changes in a working copy that nothing names any more
    ///   or that is gone, unless they are to be discarded; what opening the engine and the store throws, as for a file of another engine;
    ///   `TroveError.notAStore` for an empty file.
    /// - Complexity: the file is copied.
    public convenience init(
        at url: URL, engine: DocumentEngine, workingEngine: DocumentEngine? = nil, durability: Durability = .buffered, fieldKeys: (any FieldKeyring)? = nil,
        recovery: Recovery = .ask,
        models: any Model.Type...
    ) throws {
        try self.init(
            at: url, engine: engine, workingEngine: workingEngine, durability: durability, fieldKeys: fieldKeys, recovery: recovery, models: models)
    }

    /// Opens the document at a URL with a list of models.
    public convenience init(
        at url: URL, engine: DocumentEngine, workingEngine: DocumentEngine? = nil, durability: Durability = .buffered, fieldKeys: (any FieldKeyring)? = nil,
        recovery: Recovery = .ask, models: [any Model.Type]
    ) throws {
        let url = url.withoutLinks
        guard FileManager.default.fileExists(atPath: url.path) else { throw DocumentError.noSuchDocument(url) }
        let copy = try WorkingCopy(desk: WorkingCopy.desk(of: url), for: url)
        let opener = StoreOpener(durability: durability, fieldKeys: fieldKeys, models: models)
        let working = workingEngine ?? engine
        let counter = ChangeCounter(copy)
        if let changes = WorkingCopy.changes(on: copy.desk), let place = copy.store {
            switch recovery {
            case .ask: throw DocumentError.hasRecoverableChanges(changes)
            case .restore:
                guard changes.engine == working.name else { throw DocumentError.otherEngine(name: changes.engine) }
                if let name = changes.fileEngine, name != engine.name { throw DocumentError.otherEngine(name: name) }
                copy.removeStores(but: place)
                let backend = try working.open(place.path)
                let store = try opener.open(CountedBackend(backend, counter))
                counter.noteUnsaved()
                let state = State(store: store, backend: backend, place: place, workingCopy: copy, url: url, engine: engine, original: copy.original(at: url))
                self.init(state, workingEngine: working, opener: opener, counter: counter)
                return
            case .discard: break
            }
        } else if recovery != .discard {
            try copy.requireNothingLost()
        }
        try copy.clearNewFile()
        // In this order: a program that ends in between leaves neither a mark without its store, nor a note for the next store's mark.
        copy.noteSaved()
        copy.removeStores()
        copy.clearNote()
        do {
            let state = try Self.copied(url, engine, working, opener, counter, copy)
            self.init(state, workingEngine: working, opener: opener, counter: counter)
        } catch {
            copy.remove()
            throw error
        }
    }

    /// Creates a document without a file, to be saved with ``save(to:as:overwriting:verifying:)``.
    ///
    /// - Parameters:
    ///   - engine: the engine of the working copy, and of the file unless it is saved as another's.
    ///   - folder: where the working copy is, also after the document was saved. One for temporary files may be emptied when the machine starts again.
    /// - Throws: ``DocumentError/fileSystem(_:reason:)``; what making the store throws.
    public convenience init(
        untitled engine: DocumentEngine, in folder: URL = FileManager.default.temporaryDirectory, durability: Durability = .buffered,
        fieldKeys: (any FieldKeyring)? = nil,
        models: any Model.Type...
    ) throws {
        try self.init(untitled: engine, in: folder, durability: durability, fieldKeys: fieldKeys, models: models)
    }

    /// Creates a document without a file, with a list of models.
    public convenience init(
        untitled engine: DocumentEngine, in folder: URL = FileManager.default.temporaryDirectory, durability: Durability = .buffered,
        fieldKeys: (any FieldKeyring)? = nil, models: [any Model.Type]
    ) throws {
        let copy = try WorkingCopy(desk: WorkingCopy.newDesk(in: folder), for: nil)
        let opener = StoreOpener(durability: durability, fieldKeys: fieldKeys, models: models)
        let counter = ChangeCounter(copy)
        do {
            let place = try copy.makeStorePlace()
            let (backend, store): (any StorageBackend, ObjectStore)
            do {
                backend = try engine.open(place.path)
                store = try Self.openNew(backend, at: place, of: nil, nil, engine, opener, counter, copy, original: nil)
            } catch {
                copy.remove(store: place)
                throw error
            }
            Self.noteUnchanged(counter, copy)
            let state = State(store: store, backend: backend, place: place, workingCopy: copy, url: nil, engine: engine)
            self.init(state, workingEngine: engine, opener: opener, counter: counter)
        } catch {
            copy.remove()
            throw error
        }
    }

    /// Opens the working copy of a document without a file that a program left behind; see ``recoverableChanges(in:)``.
    ///
    /// - Parameters:
    ///   - engine: the engine of the working copy.
    ///   - fileEngine: the engine of the document's file; nil for that of the working copy. See ``RecoverableChanges/fileEngine``.
    /// - Throws: ``DocumentError/otherEngine(name:)``, ``DocumentError/alreadyOpen(_:)``, ``DocumentError/noSuchDocument(_:)`` when it is gone.
    public convenience init(
        recovering changes: RecoverableChanges, engine: DocumentEngine, fileEngine: DocumentEngine? = nil, durability: Durability = .buffered,
        fieldKeys: (any FieldKeyring)? = nil, models: any Model.Type...
    ) throws {
        try self.init(recovering: changes, engine: engine, fileEngine: fileEngine, durability: durability, fieldKeys: fieldKeys, models: models)
    }

    /// Opens the working copy that a program left behind, with a list of models.
    public convenience init(
        recovering changes: RecoverableChanges, engine: DocumentEngine, fileEngine: DocumentEngine? = nil, durability: Durability = .buffered,
        fieldKeys: (any FieldKeyring)? = nil, models: [any Model.Type]
    ) throws {
        guard changes.engine == engine.name else { throw DocumentError.otherEngine(name: changes.engine) }
        let fileEngine = fileEngine ?? engine
        if let name = changes.fileEngine, name != fileEngine.name { throw DocumentError.otherEngine(name: name) }
        guard FileManager.default.fileExists(atPath: changes.desk.path) else { throw DocumentError.noSuchDocument(changes.url ?? changes.desk) }
        let copy = try WorkingCopy(desk: changes.desk, for: changes.url)
        guard let place = copy.store else { throw DocumentError.noSuchDocument(changes.url ?? changes.desk) }
        copy.removeStores(but: place)
        let opener = StoreOpener(durability: durability, fieldKeys: fieldKeys, models: models)
        let counter = ChangeCounter(copy)
        let backend = try engine.open(place.path)
        let store = try opener.open(CountedBackend(backend, counter))
        counter.noteUnsaved()
        let state = State(
            store: store, backend: backend, place: place, workingCopy: copy, url: changes.url, engine: fileEngine, original: copy.original(at: changes.url))
        self.init(state, workingEngine: engine, opener: opener, counter: counter)
    }

    /// The changes of the document at a URL that a program left behind; nil when there are none, and while somebody has the document open. It is nil as
    /// well when the note that leads to them cannot be read; opening the document throws ``DocumentError/fileSystem(_:reason:)`` then.
    public static func recoverableChanges(of url: URL) -> RecoverableChanges? {
        let url = url.withoutLinks
        return WorkingCopy.changes(onFree: WorkingCopy.desk(of: url))
    }

    /// The changes that programs left behind in a folder, of documents with a file there and of those that have none. Working copies without a file and
    /// without changes that were left there are removed, and what is left of those in memory.
    public static func recoverableChanges(in folder: URL = FileManager.default.temporaryDirectory) -> [RecoverableChanges] {
        WorkingCopy.changes(in: folder.resolvingSymlinksInPath())
    }

    // MARK: - Stores

    /// Opens the store of a working copy that was made just now, and writes it down.
    static func openNew(
        _ backend: any StorageBackend, at place: URL, of url: URL?, _ fileEngine: DocumentEngine?, _ engine: DocumentEngine, _ opener: StoreOpener,
        _ counter: ChangeCounter, _ copy: WorkingCopy, original: FileState?
    ) throws -> ObjectStore {
        let store = try opener.open(CountedBackend(backend, counter))
        do {
            try copy.write(document: url, engine: engine.name, fileEngine: fileEngine?.name, store: place, original: original)
        } catch {
            try? store.close()
            throw error
        }
        return store
    }

    /// What opening a store writes, such as layouts and indexes, is no change of the document.
    static func noteUnchanged(_ counter: ChangeCounter, _ copy: WorkingCopy) {
        counter.noteSaved(counter.count)
        copy.noteSaved()
    }
}
