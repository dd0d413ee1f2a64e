import Trove
import TroveCrypto
import TroveImport
import TroveInspector
import TroveStoreTools

/// How the program ends. Thrown by a command that has answered, it is the answer's status, and nothing more is printed.
enum ExitStatus: Int32, Error {
    /// It was done, and something was found where something was sought.
    case success = 0
    /// The answer is no: nothing was found, two stores differ, a store is not sound, a rule of a model refuses the change.
    case negative = 1
    /// The command was not written as it has to be: an unknown option, model or property, criteria text that cannot be read.
    case usage = 2
    /// The store cannot be opened, read or written.
    case store = 3
    /// The store is damaged.
    case damage = 4
    /// Control-C stopped it.
    case interrupted = 130

    /// Whether a command that has answered could not do what it was told; an answer that is no is none.
    var isFailure: Bool { rawValue >= ExitStatus.usage.rawValue }

    /// The status for an error that ended a command.
    init(_ error: any Error) {
        self =
            switch error {
            case let error as CommandError: error.status
            case is StoreToolError: .usage
            case is CancellationError: .interrupted
            case is InspectorError: .store
            case let error as StorageError: error.suspectsCorruption ? .damage : .store
            case let error as TroveError: Self.status(of: error)
            case let error as ImportError: Self.status(of: error)
            case let error as SealedStoreError: Self.status(of: error)
            default: .store
            }
    }

    private static func status(of error: ImportError) -> ExitStatus {
        switch error {
        case .invalidOption: .usage
        case .alreadyThere, .refused: .negative
        case .unreadable, .unknownKind, .damaged: .store
        }
    }

    private static func status(of error: SealedStoreError) -> ExitStatus {
        switch error {
        case .lastKey, .tooManyKeys: .negative
        case .wrongKey, .invalidKey, .notSealed, .rolledBack: .store
        }
    }

    private static func status(of error: TroveError) -> ExitStatus {
        switch error {
        case .unknownModel, .unknownType, .unknownField, .unknownPath, .incomparable, .invalidCriteria, .invalidRegularExpression, .invalidQuery, .invalidIndex,
            .invalidFullTextQuery, .unsupportedFullTextQuery, .invalidProperty, .invalidDocumentPath:
            .usage
        case .uniqueViolation, .ambiguousUpsert, .deletionDenied, .alreadyExists, .needsModel, .undroppableIndex, .noSuchBlob, .historyNotKept: .negative
        case .corruptRecord, .corruptKey, .corruptValue, .corruptCatalogue, .corruptBlob, .corruptMetadata, .corruptHistory, .corruptIndex:
            .damage
        case .lineRefused(_, let underlying): ExitStatus(underlying) == .damage ? .damage : .store
        default: .store
        }
    }
}
