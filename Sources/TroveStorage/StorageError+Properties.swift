extension StorageError {
    /// The engine's name, the path, the message and the engine's code.
    public var details: Details {
        switch self {
        case .noSuchDirectory(let details), .noSuchStore(let details), .permissionDenied(let details), .readOnly(let details),
            .notAFile(let details), .notAStore(let details), .newerFormat(let details), .locked(let details),
            .corrupt(let details), .destinationExists(let details), .emptyKey(let details),
            .keyTooLarge(let details), .valueTooLarge(let details), .invalidKeyspaceName(let details),
            .tooManyKeyspaces(let details), .invalidKeyspace(let details), .unsupported(let details),
            .transactionFinished(let details), .transactionPoisoned(let details), .writeInsideWrite(let details),
            .writeInsideRead(let details), .readInsideWrite(let details), .timedOut(let details),
            .conflict(let details), .outcomeUnknown(let details), .unreachable(let details), .closed(let details), .closeInsideTransaction(let details),
            .openedBeforeFork(let details), .diskFull(let details),
            .outOfResources(let details), .inputOutput(let details), .engineFailure(let details):
            return details
        }
    }

    /// Whether the same call may succeed later without a change by the caller, and does nothing twice.
    public var isRetryable: Bool {
        switch self {
        case .timedOut, .locked, .outOfResources, .unreachable, .conflict: true
        default: false
        }
    }

    /// Whether the error is independent of the transaction's work, so that any other transaction would meet it now, after the same wait.
    ///
    /// Whoever commits the work of several callers in one transaction gives such an error to all of them, and does not try each alone.
    public var concernsEveryTransaction: Bool {
        switch self {
        case .timedOut, .locked, .closed, .openedBeforeFork, .unreachable: true
        default: false
        }
    }

    /// Whether a commit that ended with this error may still have happened. Never repeat it unseen.
    public var leavesOutcomeOpen: Bool {
        switch self {
        case .outcomeUnknown, .inputOutput, .corrupt, .engineFailure: true
        default: false
        }
    }

    /// Whether the file is damaged, as far as the engine can tell.
    public var suspectsCorruption: Bool {
        if case .corrupt = self { true } else { false }
    }

    /// In ``Details/engine`` of an error about a file that is no store, such as an export.
    package static var noEngine: String { "" }

    /// The case's name, such as `diskFull`.
    public var name: String {
        Mirror(reflecting: self).children.first?.label ?? "unknown"
    }
}

extension StorageError: CustomStringConvertible {
    public var description: String {
        let details = details
        let code = details.code.map { " (code \($0))" } ?? ""
        let place = details.engine.isEmpty ? "'\(details.path)'" : "\(details.engine), \(details.path)"
        return "\(place): \(details.message)\(code) [\(name)]"
    }
}
