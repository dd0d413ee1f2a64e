import TroveStorage

/// The error of an engine when one of its calls fails.
public enum FaultKind: String, Sendable, Hashable, CaseIterable {
    /// The disk is full. The same call fails again until there is space.
    case diskFull
    /// The file could not be read or written.
    case inputOutput
    /// The file seems damaged.
    case corrupt
    /// The system gave no memory or file handle. The same call may succeed later.
    case outOfResources

    /// The error as the engine of a backend would throw it.
    func error(at point: FaultPoint, _ backend: any StorageBackend) -> StorageError {
        let details = StorageError.Details(
            engine: backend.capabilities.engine, path: backend.path,
            message: "a fault was injected at '\(point.rawValue)'; it says nothing about the store")
        return switch self {
        case .diskFull: .diskFull(details)
        case .inputOutput: .inputOutput(details)
        case .corrupt: .corrupt(details)
        case .outOfResources: .outOfResources(details)
        }
    }
}
