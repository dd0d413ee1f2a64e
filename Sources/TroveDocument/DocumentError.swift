import Foundation

/// Why a document could not be opened or saved.
///
/// What a store or an engine says, such as ``StorageError/diskFull(_:)``, is thrown as it is.
public enum DocumentError: Error, Sendable, Equatable {
    /// There is no file at the URL.
    case noSuchDocument(URL)
    /// Somebody has the document open, in this process or another.
    case alreadyOpen(URL)
    /// A program ended without closing the document, and left changes that were not saved.
    case hasRecoverableChanges(RecoverableChanges)
    /// The file was changed, replaced or removed by somebody else since the document was opened or saved.
    case changedOutside(URL)
    /// There is a file already where the document is to be saved.
    case destinationExists(URL)
    /// The document has no file yet.
    case isUntitled
    /// The engine keeps no file.
    case keepsNoFile(engine: String)
    /// What was written cannot be read; the document's file is as it was.
    case unsoundCopy(URL, reason: String)
    /// The document has changes that are not saved.
    case hasUnsavedChanges
    /// The working copy that was left, or the document's file, is of another engine than the one that was given for it.
    case otherEngine(name: String)
    /// A document is saved, copied, reverted or closed inside a transaction of its own store or a read of its snapshot, on the thread of that.
    case insideTransaction
    /// The document was closed.
    case closed
    /// A file beside the document could not be read or written.
    case fileSystem(URL, reason: String)
}

extension DocumentError: CustomStringConvertible, LocalizedError {
    public var description: String {
        switch self {
        case .noSuchDocument(let url): "There is no document at \(url.path). Make a new one with StoreDocument(untitled:), and save it there."
        case .alreadyOpen(let url): "The document \(url.path) is open, here or in another process. Close it there first."
        case .hasRecoverableChanges(let changes):
            "A program ended without closing \(changes.url?.path ?? "a document") and left changes of \(changes.date) that were not saved. Open it with recovery: .restore to go on with them, or .discard."
        case .changedOutside(let url):
            "The file \(url.path) was changed by another program since the document was opened or saved. Save to another place, revert, or save with overwriting: true."
        case .destinationExists(let url): "There is a file at \(url.path). Choose another place, or save with overwriting: true."
        case .isUntitled: "The document has no file yet. Save it with save(to:)."
        case .keepsNoFile(let engine): "The engine \(engine) keeps no file. Save the document as another engine's: save(to:as:)."
        case .unsoundCopy(let url, let reason): "The copy of the document that was to become \(url.path) is not sound: \(reason). The file is as it was."
        case .hasUnsavedChanges: "The document has changes that are not saved. Save it first, or close it with discardingChanges: true."
        case .otherEngine(let name): "The working copy that was left, or its document's file, is of the engine \(name). Give that one for it."
        case .insideTransaction: "A document cannot be saved, copied, reverted or closed inside a transaction of its store, or a read of its snapshot. Do it after that."
        case .closed: "The document was closed. Open it anew."
        case .fileSystem(let url, let reason): "\(url.path): \(reason)"
        }
    }

    public var errorDescription: String? { description }
}
