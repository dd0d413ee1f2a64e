import Foundation
import Synchronization
import Trove

/// A store as a document: it is edited in a working copy, and its file changes only when it is saved.
///
/// ```swift
/// let sqlite = DocumentEngine("SQLite") { try SQLiteBackend(path: $0) }
/// let document = try StoreDocument(at: url, engine: sqlite, models: Song.self)
/// try document.store.save(Song(title: "So What"))       // in the working copy
/// document.hasUnsavedChanges                             // true
/// try document.save()                                    // in the file, all at once
/// try document.save(to: elsewhere, as: lmdb)             // from now on the document is there, and of another engine
/// try document.close()
/// ```
///
/// The file is whole at every moment: a save writes another file beside it, checks and syncs that one, and puts it in the place of the old one. A process that
/// ends in between leaves the old document or the new one. Changes that were not saved stay in the working copy, which
/// the next opening finds: see ``Recovery``.
///
/// One document object at a time has a file, on the whole machine. Programs that open the file by its engine, without a document, see what was saved last.
///
/// A document may be used from any thread. It must live as long as its store is used: when it is let go, it closes the store.
public final class StoreDocument: Sendable {
    /// What is done with changes that a program left behind which ended without closing the document.
    public enum Recovery: Sendable {
        /// Opening throws ``DocumentError/hasRecoverableChanges(_:)``, so that somebody can be asked.
        case ask
        /// The document is opened with them, as unsaved changes.
        case restore
        /// They are deleted.
        case discard
    }

    struct State {
        var store: ObjectStore
        /// The store's own engine, below what counts its commits.
        var backend: any StorageBackend
        /// Where the store is.
        var place: URL
        var workingCopy: WorkingCopy
        /// The document's file; nil while it has none.
        var url: URL?
        /// The engine of the file.
        var engine: DocumentEngine
        /// The file as it was when the document was opened or saved last.
        var original: FileState?
        /// The store that a revert is closing, once another is in its place.
        var replaced: ObjectStore?
        var isClosed = false
        var autosaving: Task<Void, Never>?
    }

    /// The engine of the working copy.
    let workingEngine: DocumentEngine
    let opener: StoreOpener
    let counter: ChangeCounter
    let state: Mutex<State>
    /// Held by whatever writes the file or replaces the store, so that one of them runs at a time: see ``alone(_:)``.
    private let operations = Mutex<Void>(())
    let queue = DispatchQueue(label: "trove.document")

    init(_ state: State, workingEngine: DocumentEngine, opener: StoreOpener, counter: ChangeCounter) {
        self.workingEngine = workingEngine
        self.opener = opener
        self.counter = counter
        self.state = Mutex(state)
    }

    deinit {
        counter.finish()
        state.withLock { state in
            guard !state.isClosed else { return }
            state.autosaving?.cancel()
            // A store that cannot be closed may still be written: its desk is nobody else's as long as somebody has the store.
            guard (try? state.store.close()) != nil else { return }
            // Changes that nobody saved stay for the next opening, also while somebody has the closed store.
            if counter.hasUnsavedChanges { return state.workingCopy.giveBack() }
            state.workingCopy.remove(store: state.place)
            state.workingCopy.remove()
        }
    }

    /// The store that is edited. After ``revert()`` it is another one.
    public var store: ObjectStore { state.withLock { $0.store } }

    /// The document's file; nil while it has none.
    public var url: URL? { state.withLock { $0.url } }

    /// Whether the working copy has commits that the file does not have.
    ///
    /// Pending changes of live objects are not in the working copy before their context is saved.
    public var hasUnsavedChanges: Bool { counter.hasUnsavedChanges }

    /// Whether there are unsaved changes, now and each time that the answer becomes another, until the document is closed or let go.
    public var unsavedChanges: AsyncStream<Bool> { counter.stream() }

    /// Whether somebody else changed, replaced or removed the file since the document was opened or saved.
    public var isChangedOutside: Bool {
        state.withLock { state in state.url.map { FileState(of: $0, kind: state.original?.kind) != state.original } ?? false }
    }

    /// Closes the document and removes its working copy.
    ///
    /// - Parameter discardingChanges: whether changes that were not saved are given up.
    /// - Throws: ``DocumentError/hasUnsavedChanges``; ``DocumentError/insideTransaction``; what closing the store throws.
    public func close(discardingChanges: Bool = false) throws {
        try alone {
            guard !state.withLock(\.isClosed) else { return }
            if !discardingChanges, hasUnsavedChanges { throw DocumentError.hasUnsavedChanges }
            // Closing waits for transactions, and these may ask for the store, which needs the lock.
            try store.close()
            let closed = state.withLock { state in
                state.isClosed = true
                state.autosaving?.cancel()
                return state
            }
            counter.finish()
            // What was committed between the look and the closing is not lost: the next opening finds it, also while this object lives.
            if !discardingChanges, hasUnsavedChanges {
                closed.workingCopy.giveBack()
                throw DocumentError.hasUnsavedChanges
            }
            // The mark goes first: a program that ends in between leaves none without its store.
            closed.workingCopy.noteSaved()
            closed.workingCopy.remove(store: closed.place)
            closed.workingCopy.remove()
        }
    }

    /// Runs what writes the file or replaces the store, one at a time.
    ///
    /// - Throws: ``DocumentError/insideTransaction``: whoever is first may wait for the transaction of the one that waits here.
    func alone(_ body: () throws -> Void) throws {
        // To the engine a snapshot is read by the snapshot's own thread, whoever reads it.
        let (store, replaced) = state.withLock { ($0.store, $0.replaced) }
        let isInSnapshot = store.isReadAsSnapshotByCurrentThread || replaced?.isReadAsSnapshotByCurrentThread == true
        if isInSnapshot || counter.transactions.isSharedByCurrentThread { throw DocumentError.insideTransaction }
        try operations.withLock { _ in try body() }
    }

    /// The state of a document that is open.
    func openState() throws(DocumentError) -> State {
        let state = state.withLock { $0 }
        guard !state.isClosed else { throw .closed }
        return state
    }
}

/// How the working copy is opened as a store.
struct StoreOpener: Sendable {
    let durability: Durability
    let fieldKeys: (any FieldKeyring)?
    let models: [any Model.Type]

    func open(_ backend: any StorageBackend, access: StoreAccess = .readWrite) throws -> ObjectStore { try open(backend, access, models) }

    /// Opens a store to copy it: what the models of the program would add, such as an index, is added to the copy.
    func openToCopy(_ backend: any StorageBackend) throws -> ObjectStore { try open(backend, .readOnly, []) }

    private func open(_ backend: any StorageBackend, _ access: StoreAccess, _ models: [any Model.Type]) throws -> ObjectStore {
        do {
            return try ObjectStore(backend, access: access, durability: durability, fieldKeys: fieldKeys, models: models)
        } catch {
            try? backend.close()
            throw error
        }
    }
}
