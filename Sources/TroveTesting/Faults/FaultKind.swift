import TroveStorage

/// The error of an engine when one of its calls fails.
///
/// After a commit (``FaultPoint/afterCommit``) ``diskFull`` and ``outOfResources`` are thrown as ``StorageError/outcomeUnknown(_:)``, since by the
/// contract either of them says that nothing was stored.
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
        case .diskFull where point == .afterCommit, .outOfResources where point == .afterCommit: .outcomeUnknown(details)
        case .diskFull: .diskFull(details)
        case .inputOutput: .inputOutput(details)
        case .corrupt: .corrupt(details)
        case .outOfResources: .outOfResources(details)
        }
    }
}
