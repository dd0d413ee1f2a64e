import Foundation
import Trove
import TroveStoreTools

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
    /// A condition or an order of groups names no column of them.
    case noSuchColumn(name: String, known: [String])
    /// No document of a collection has the attribute.
    case noSuchAttribute(name: String, collection: String, known: [String])
    /// There are no objects with these ids.
    case noSuchRecords(model: String, isCollection: Bool, ids: [String])
    /// There is no blob of this name.
    case noSuchBlob(name: String)
    /// The program has no command of this name.
    case noSuchCommand(name: String, known: [String])
    /// A file stands where the command belongs.
    case noCommand(file: String)
    /// A file has no objects, so that importing it would make an empty store.
    case nothingToImport(path: String)
    /// There is no file to import.
    case noSuchSource(path: String)
    /// The system does not take what a command writes to its standard output or standard error.
    case unwritableAnswer(reason: String)
    /// The store that is imported into is not there, and nobody said to make it.
    case needsCreate(path: String, needsWrite: Bool, engines: [String])
    /// An export ends before its last line.
    case incompleteExport(lines: Int)
    /// A file is an export, and a store was meant.
    case isExport(path: String)
    /// There is no bag of this name or id.
    case noSuchBag(name: String)
    /// The store that a copy goes to is the one it comes from, or exists.
    case destinationExists(path: String)
    /// A directory stands where a file is to be made.
    case destinationIsDirectory(path: String)
    /// A condition is true of more objects than one, and one was meant.
    case severalMatch(model: String, count: Int)
    /// A condition is true of no object.
    case noneMatch(model: String, isCollection: Bool)
    /// The editor ended with another status than 0; what was written is in the file.
    case editorFailed(status: Int32, path: String)
    /// What was edited cannot be stored; it is in the file.
    case refusedEdit(reason: String, status: ExitStatus, path: String)
    /// Somebody else changed or deleted the object while it was edited; what was written is in the file.
    case changedMeanwhile(path: String)
    /// Options name several keys where one is used.
    case severalKeys(options: String)
    /// A key cannot be had from where it was said to be.
    case noKey(reason: String)
    /// The store is encrypted, and there is no key for it and nobody to ask.
    case needsKey(path: String)
    /// A key was given for a store that is not encrypted.
    case isNotEncrypted(path: String)
    /// A key was given for encrypted properties, of which the store has none.
    case hasNoEncryptedProperties(path: String)
    /// Keys are asked for where there are none, or where the store was opened without those of its properties.
    case hasNoKeys(path: String)
    /// An encrypted store would be copied into one in the clear without a word about it.
    case needsPlain(path: String)
    /// Programs that write the store keep others out, so that nobody can watch them.
    case cannotWatch(engine: String)
    /// A shell was begun in a shell, or a line of one has a quote that does not end.
    case notALine(reason: String)
    /// A line of a file or pipe has a command that would read standard input, from which the lines come.
    case inputHasLines
    /// A line of standard input is no text.
    case notUTF8(line: Int)
    /// Only a collection of documents can be told to have an index without the program that has the model.
    case notACollection(name: String)
    /// The program was built without an engine.
    case engineIsNotBuilt(name: String, trait: String)
}

extension CommandError {
    /// There are no objects of a model, or documents of a collection, with these ids.
    static func noSuchRecords(of model: StoredModel, _ ids: [String]) -> CommandError {
        .noSuchRecords(model: model.name, isCollection: model.isCollection, ids: ids)
    }

    /// - Throws: ``destinationIsDirectory(path:)``, where a file could not be made.
    static func checkDestination(_ path: String) throws {
        var isDirectory: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), isDirectory.boolValue {
            throw CommandError.destinationIsDirectory(path: path)
        }
    }

    /// The status that the program ends with.
    var status: ExitStatus {
        switch self {
        case .noSuchStore, .noSuchSource, .unwritableAnswer, .needsCreate, .incompleteExport, .isExport, .directory, .notAFile, .emptyFile, .unknownFile,
            .unreadable, .destinationExists, .destinationIsDirectory:
            .store
        case .refusedEdit(_, let status, _): status
        case .editorFailed, .changedMeanwhile, .noSuchAttribute, .noSuchRecords, .noneMatch, .noSuchBlob, .noSuchBag: .negative
        case .needsKey, .isNotEncrypted, .hasNoEncryptedProperties, .hasNoKeys, .noKey, .cannotWatch, .engineIsNotBuilt, .nothingToImport: .store
        case .needsWrite, .noSuchProperty, .noSuchColumn, .noSuchCommand, .noCommand, .notACollection, .severalKeys, .needsPlain, .notALine, .inputHasLines,
            .notUTF8, .severalMatch:
            .usage
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
        case .noSuchProperty(let name, let model, let known):
            "\(model) has no property '\(name)'" + NearName.advice(on: name, known: known, listedAs: "there are")
        case .noSuchColumn(let name, let known): "the groups have no column '\(name)'" + NearName.advice(on: name, known: known, listedAs: "there are")
        case .noSuchAttribute(let name, let collection, let known):
            "no document of \(collection) has '\(name)'" + NearName.advice(on: name, known: known, listedAs: "there are")
        case .noSuchRecords(let model, false, let ids): "there is no \(model) \(ids.formattedAsChoice)"
        case .noSuchRecords(let model, true, let ids): "\(model) has no document \(ids.formattedAsChoice)"
        case .noSuchBlob(let name): "there is no blob '\(name)'; 'trove blobs list' has the names"
        case .noSuchCommand(let name, let known):
            "there is no command '\(name)'"
                + (CommandWords.meant(by: name).map { "; did you mean '\($0)'?" } ?? NearName.advice(on: name, known: known, listedAs: "there are"))
        case .noCommand(let file): "the command stands before the store: trove info \(file). 'trove help' lists the commands"
        case .nothingToImport(let path): "'\(path)' has no objects, so no store was made"
        case .engineIsNotBuilt(let name, let trait): "this program was built without \(name); build it with the package's trait \(trait)"
        case .noSuchSource(let path): "there is no file '\(path)' to import"
        case .unwritableAnswer(let reason): "the answer cannot be written to standard output: \(reason)"
        case .needsCreate(let path, let needsWrite, let engines):
            "there is no file '\(path)'; nothing was made. To make the store, say --create with an engine, \(engines.formattedAsChoice)\(needsWrite ? ", and --write" : "")"
        case .incompleteExport(let lines): "the export is incomplete: it ends behind line \(lines), without its last line, {\"$end\": …}. Nothing was stored; export again, or say --batches to take what is there"
        case .isExport(let path): "'\(path)' is an export of trove and no store; 'trove import STORE \(path) --create sqlite --write' makes a store of it"
        case .noSuchBag(let name): "there is no bag '\(name)'"
        case .destinationExists(let path): "'\(path)' exists; choose another path, or remove it first"
        case .destinationIsDirectory(let path): "'\(path)' is a directory; name the file to make in it"
        case .severalMatch(let model, let count): "the condition is true of \(count.grouped) of \(model), and one was meant; say --all to take them all"
        case .noneMatch(let model, let isCollection):
            isCollection ? "\(model) has no document of which the condition is true" : "there is no \(model) of which the condition is true"
        case .editorFailed(let status, let path): "the editor ended with status \(status), and nothing was stored; the text is in '\(path)'"
        case .refusedEdit(let reason, _, let path): "\(reason); nothing was stored, and the text is in '\(path)'"
        case .changedMeanwhile(let path): "somebody else changed the object meanwhile, so nothing was stored; the text is in '\(path)'"
        case .severalKeys(let options): "one key opens a store; give one of \(options)"
        case .noKey(let reason): reason
        case .needsKey(let path):
            "'\(path)' is encrypted; give its key by --key-file, --passphrase-file or --passphrase-env, or run this on a terminal, which asks for a passphrase"
        case .isNotEncrypted(let path):
            "'\(path)' is not encrypted; leave the key out. One for encrypted properties is --field-key-file, --field-passphrase-file or --field-passphrase-env"
        case .hasNoEncryptedProperties(let path): "'\(path)' has no encrypted properties; leave their key out"
        case .hasNoKeys(let path):
            "'\(path)' is not encrypted, or only in properties, whose key is --field-key-file, --field-passphrase-file or --field-passphrase-env"
        case .needsPlain(let path): "'\(path)' is encrypted, and its copy would not be; give the copy a key by --new-key-file, --new-passphrase-file or --new-passphrase-env, or say --plain"
        case .cannotWatch(let engine): "\(engine) lets one program at a time have a store open, so nobody can watch another one write"
        case .notALine(let reason): reason
        case .inputHasLines: "standard input has the lines of the shell, and nothing else is read from it; say on the line what is meant, or name a file"
        case .notUTF8(let line): "line \(line) of standard input is not UTF-8, the encoding that texts are stored in; convert it first, as by iconv"
        case .notACollection(let name):
            "'\(name)' is a model; the program that declares it makes its indexes and builds them anew. Collections of documents get theirs here"
        }
    }
}
