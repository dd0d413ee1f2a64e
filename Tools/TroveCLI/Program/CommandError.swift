/// What the program itself finds wrong; what the library does has errors of its own.
enum CommandError: Error, Equatable {
    /// There is nothing at the path.
    case noSuchStore(path: String)
    /// There is a directory at the path.
    case directory(path: String, holdsLMDB: Bool)
    /// There is a pipe, a socket or a device at the path.
    case notAFile(path: String)
    /// The file has no bytes.
    case emptyFile(path: String)
    /// The file is of no engine.
    case unknownFile(path: String)
    /// The system does not let the file be read.
    case unreadable(path: String, reason: String)
    /// The command changes the store, and was not allowed to.
    case needsWrite(command: String)
    /// A path that was selected leads to no property of the model.
    case noSuchProperty(name: String, model: String, known: [String])
    /// There is no bag of this name or id.
    case noSuchBag(name: String)
    /// The store that a copy goes to is the one it comes from, or exists.
    case destinationExists(path: String)
    /// The editor ended with another status than 0; what was written is in the file.
    case editorFailed(status: Int32, path: String)
    /// What was edited cannot be stored; it is in the file.
    case refusedEdit(reason: String, status: ExitStatus, path: String)
    /// Somebody else changed or deleted the object while it was edited; what was written is in the file.
    case changedMeanwhile(path: String)
    /// Only a collection of documents can be told to have an index without the program that has the model.
    case notACollection(name: String)
}

extension CommandError {
    /// The status that the program ends with.
    var status: ExitStatus {
        switch self {
        case .noSuchStore, .directory, .notAFile, .emptyFile, .unknownFile, .unreadable, .destinationExists: .store
        case .refusedEdit(_, let status, _): status
        case .editorFailed, .changedMeanwhile: .negative
        case .needsWrite, .noSuchProperty, .noSuchBag, .notACollection: .usage
        }
    }
}

extension CommandError: CustomStringConvertible {
    var description: String {
        switch self {
        case .noSuchStore(let path): "there is no file '\(path)'; nothing was made"
        case .directory(let path, true):
            "'\(path)' is a directory with LMDB's data.mdb, as other programs keep it; a store of Trove is a single file"
        case .directory(let path, false): "'\(path)' is a directory; name the store's file in it"
        case .notAFile(let path): "'\(path)' is no regular file, so no store can be in it"
        case .emptyFile(let path): "'\(path)' is empty; it is no store"
        case .unknownFile(let path): "'\(path)' begins neither as a file of SQLite nor of LMDB nor of Tokyo Cabinet; it is no store"
        case .unreadable(let path, let reason): "'\(path)' cannot be read: \(reason)"
        case .needsWrite(let command): "'\(command)' changes the store; say --write to allow that"
        case .noSuchProperty(let name, let model, let known): "\(model) has no property '\(name)'; there are \(known.joined(separator: ", "))"
        case .noSuchBag(let name): "there is no bag '\(name)'"
        case .destinationExists(let path): "'\(path)' exists; choose another path, or remove it first"
        case .editorFailed(let status, let path): "the editor ended with status \(status), and nothing was stored; the text is in '\(path)'"
        case .refusedEdit(let reason, _, let path): "\(reason); nothing was stored, and the text is in '\(path)'"
        case .changedMeanwhile(let path): "somebody else changed the object meanwhile, so nothing was stored; the text is in '\(path)'"
        case .notACollection(let name):
            "'\(name)' is a model; the program that declares it makes its indexes. Collections of documents get theirs here"
        }
    }
}
