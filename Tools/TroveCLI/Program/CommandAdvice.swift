import Foundation
import Trove
import TroveImport
import TroveMirror
import TroveStoreTools

/// Errors in the words of the command line, where their own words speak to programs.
enum CommandAdvice {
    /// Where to look for more.
    static let verification = " 'trove verify' tells what else is damaged."

    /// What an error says, without calls of Swift.
    static func description(of error: any Error) -> String {
        if error is CancellationError { return "stopped" }
        if let error = error as? CocoaError { return (error.filePath.map { "'\($0)': " } ?? "") + FileFailure.reason(of: error) }
        guard let error = error as? TroveError else { return "\(error)" }
        return switch error {
        case .unknownField: "\(error)".replacing(TroveError.inQueries, with: "")
        case .corruptIndex(let model, let index, let reason): "the index '\(index)' of \(model) is damaged: \(reason)"
        case .corruptRecord(let model, let id, let reason): "the record of \(model) \(id) is damaged: \(reason)"
        case .uniqueViolation(let model, let index, let values, let id, let otherID):
            "the \(model) \(id) has \(values), and so has \(otherID), which the unique index '\(index)' allows once; change or delete one of them"
        case .fieldKeysMissing(let model, let property): "\(model).\(property) is encrypted, and its key was not given"
        case .encryptedRecord(let model, let id): "the \(model) \(id) has encrypted properties, and their key was not given"
        case .alreadyExists(let model, let id): "a \(model) with the id \(id) exists already"
        case .noSuchBlob(let name): "there is no blob '\(name)'"
        case .historyNotKept: "the store keeps no history"
        case .historyTrimmed(let token): "the history behind the token \(token) was removed, at least in part"
        case .unknownHistoryToken(let token): "the token \(token) is none of this store's history, or the store was restored to a state before it"
        case .corruptHistory(let entry, let reason): "the entry \(entry) of the history is damaged: \(reason)"
        case .bagNameTaken(let name): "another bag has the name '\(name)'"
        case .lineRefused(let line, let underlying): "line \(line) cannot be stored, so nothing was stored: \(description(of: underlying))"
        case .invalidQuery(let reason) where reason.hasSuffix(TroveError.declareFullText):
            reason.dropLast(TroveError.declareFullText.count) + searchInText
        case .invalidQuery(let reason) where reason.hasSuffix(TroveError.setFullText):
            reason.dropLast(TroveError.setFullText.count) + searchInText
        case .invalidCollection(let name, let reason) where reason.hasSuffix(buildIndexes):
            "\(name): \(reason.dropLast(buildIndexes.count)): trove index rebuild STORE \(name) --write"
        default: "\(error)"
        }
    }

    /// What errors of the library say to programs where a person has other ways.
    private static let buildIndexes = ": buildIndexes()"

    private static let searchInText = ", which 'has words' needs; search in one text instead: description contains 'telescope' ignoring case"

    /// What to do about an error; nil where it says that itself.
    static func text(for error: any Error) -> String? {
        switch error {
        case TroveError.unknownField(_, _, _): "Texts stand in single quotes; 'trove models' has the properties with their types."
        case TroveError.alreadyExists: "'trove set' and 'trove edit' change what is stored."
        case TroveError.corruptIndex(let model, let index, _):
            indexAdvice(model, index) + verification
        case TroveError.corruptRecord:
            "'trove delete' deletes it; a backup may have it whole. --skip-damaged lets 'trove export' and 'trove find' go on without it." + verification
        case TroveError.corruptBlob(let name): "'trove blobs remove STORE \(name) --write' removes it; a backup may have it whole." + verification
        case StoreToolError.notAnID(_, let model, _): "'trove find STORE \(model) CONDITION' shows ids as $id; set and delete also take --where CONDITION."
        case TroveError.fieldKeysMissing, TroveError.encryptedRecord, TroveError.lineRefused(_, TroveError.fieldKeysMissing):
            "The key is --field-key-file, --field-passphrase-file or --field-passphrase-env."
        case TroveError.noSuchBlob: "'trove blobs list' has the names."
        case TroveError.historyNotKept: "'trove history keep STORE values --write' lets it keep what is changed from now on."
        case TroveError.historyTrimmed, TroveError.unknownHistoryToken: "Without --after the answer has all that is left."
        case TroveError.corruptHistory:
            "'trove history delete STORE --write' removes the history, and 'trove history keep' begins a new one; a backup may have it whole." + verification
        case TroveError.lineRefused: "Correct the line, or say --batches, which passes such lines over and tells of them."
        case StorageError.locked, StorageError.timedOut: "Close the program that has the store, or wait longer for it, as by --wait 30."
        case MirrorError.manyFilesGone: "Here that is --allow-deletions."
        case ImportError.unknownKind: "Here that is --kind."
        case ImportError.alreadyThere: "Here that is --existing skip, or --existing replace."
        case ImportError.refused: "Here that is --batches."
        case TroveError.deletionDenied: "'trove find' shows them all, by a condition on the relationship."
        default: nil
        }
    }

    /// How a damaged index becomes whole again.
    private static func indexAdvice(_ model: String, _ index: String) -> String {
        TroveError.namesOfCollectionIndexes.contains(index)
            ? "Delete damaged documents by 'trove delete', then build the index anew: trove index rebuild STORE \(model) --write"
            : "The records are what counts: a program that has \(model) builds its indexes anew, and 'trove index drop' drops one that was made at run time."
    }
}
