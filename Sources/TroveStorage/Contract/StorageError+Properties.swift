extension StorageError {
    /// The engine's name, the path, the message and the engine's code.
    public var details: Details {
        switch self {
        case .noSuchDirectory(let details), .permissionDenied(let details), .readOnly(let details),
            .notAFile(let details), .notAStore(let details), .newerFormat(let details), .locked(let details),
            .corrupt(let details), .destinationExists(let details), .emptyKey(let details),
            .keyTooLarge(let details), .valueTooLarge(let details), .invalidKeyspaceName(let details),
            .tooManyKeyspaces(let details), .invalidKeyspace(let details), .unsupported(let details),
            .transactionFinished(let details), .transactionPoisoned(let details), .writeInsideWrite(let details),
            .writeInsideRead(let details), .readInsideWrite(let details), .timedOut(let details),
            .closed(let details), .closeInsideTransaction(let details), .diskFull(let details),
            .outOfResources(let details), .inputOutput(let details), .engineFailure(let details):
            return details
        }
    }

    /// Whether the same call may succeed later, with nothing changed by the caller.
    public var isRetryable: Bool {
        switch self {
        case .timedOut, .locked, .outOfResources: true
        default: false
        }
    }

    /// Whether the file is damaged, as far as the engine can tell.
    public var suspectsCorruption: Bool {
        if case .corrupt = self { true } else { false }
    }

    /// The case's name, such as `diskFull`.
    public var name: String {
        Mirror(reflecting: self).children.first?.label ?? "unknown"
    }
}

extension StorageError: CustomStringConvertible {
    public var description: String {
        let details = details
        let code = details.code.map { " (code \($0))" } ?? ""
        return "\(details.engine), \(details.path): \(details.message)\(code) [\(name)]"
    }
}
