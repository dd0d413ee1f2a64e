import TroveStorage

extension BackendSpecification {
    /// The case that provokes an error, or why none can.
    public enum ErrorCoverage: Sendable, Hashable {
        /// The case of this name provokes it.
        case provoked(by: String)
        /// No case can, for this reason.
        case excluded(because: String)
    }

    /// How the specification covers an error. The compiler sees to it that none is forgotten.
    public static func coverage(of error: StorageError) -> ErrorCoverage {
        switch error {
        case .noSuchDirectory, .notAFile: .provoked(by: "durability.bad-paths")
        case .notAStore: .provoked(by: "durability.foreign-file")
        case .locked: .provoked(by: "sharing.second-process")
        case .destinationExists: .provoked(by: "backup.destination-exists")
        case .emptyKey: .provoked(by: "limits.empty-key")
        case .keyTooLarge: .provoked(by: "limits.key-size")
        case .valueTooLarge: .provoked(by: "limits.value-size")
        case .invalidKeyspaceName: .provoked(by: "keyspaces.refused-names")
        case .tooManyKeyspaces: .provoked(by: "limits.keyspace-count")
        case .invalidKeyspace: .provoked(by: "keyspaces.foreign-handles")
        case .unsupported: .provoked(by: "backup.equals")
        case .transactionFinished: .provoked(by: "lifetime.reader")
        case .writeInsideWrite: .provoked(by: "reentry.write-in-write")
        case .writeInsideRead: .provoked(by: "reentry.write-in-read")
        case .readInsideWrite: .provoked(by: "reentry.read-in-write")
        case .timedOut: .provoked(by: "writers.timeout")
        case .closed: .provoked(by: "closing.use-after-close")
        case .closeInsideTransaction: .provoked(by: "closing.inside-transaction")
        case .noSuchStore: .provoked(by: "readOnly.no-store")
        case .readOnly: .provoked(by: "readOnly.refuses-changes")
        case .permissionDenied: .excluded(because: "the superuser, as whom many tests run, may do everything")
        case .openedBeforeFork: .excluded(because: "Swift cannot fork a process; test that with a program beside the backend")
        case .newerFormat, .corrupt: .excluded(because: "the bytes of a file are the engine's own affair; test them beside the backend")
        case .unreachable, .conflict, .outcomeUnknown:
            .excluded(because: "a server cannot be made to vanish or to refuse from outside; test that beside the backend")
        case .transactionPoisoned, .diskFull, .outOfResources, .inputOutput, .engineFailure:
            .excluded(because: "an engine call cannot be made to fail from outside")
        }
    }

    /// Every error, with empty details.
    public static let errors: [StorageError] = {
        let details = StorageError.Details(engine: "", path: "", message: "")
        let makers: [(StorageError.Details) -> StorageError] = [
            StorageError.noSuchDirectory, StorageError.noSuchStore, StorageError.permissionDenied, StorageError.readOnly, StorageError.notAFile,
            StorageError.notAStore,
            StorageError.newerFormat, StorageError.locked, StorageError.corrupt, StorageError.destinationExists, StorageError.emptyKey,
            StorageError.keyTooLarge, StorageError.valueTooLarge, StorageError.invalidKeyspaceName, StorageError.tooManyKeyspaces,
            StorageError.invalidKeyspace, StorageError.unsupported, StorageError.transactionFinished, StorageError.transactionPoisoned,
            StorageError.writeInsideWrite, StorageError.writeInsideRead, StorageError.readInsideWrite, StorageError.timedOut,
            StorageError.conflict, StorageError.outcomeUnknown, StorageError.closed, StorageError.closeInsideTransaction,
            StorageError.openedBeforeFork, StorageError.unreachable,
            StorageError.diskFull, StorageError.outOfResources,
            StorageError.inputOutput, StorageError.engineFailure,
        ]
        return makers.map { $0(details) }
    }()
}
