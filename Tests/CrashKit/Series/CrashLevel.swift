import TestSupport
import Trove

/// The durability of a series' transactions.
package enum CrashLevel: String, CaseIterable, Sendable, CustomStringConvertible {
    case durable, buffered, relaxed
    /// Each transaction draws its own.
    case mixed

    package var description: String { rawValue }

    /// The levels the transactions of a series may have.
    ///
    /// Mixed before a power loss are those that leave others their promise.
    func durabilities(_ capabilities: StorageCapabilities, _ kind: CrashKind) -> [Durability] {
        switch self {
        case .durable: [.durable]
        case .buffered: [.buffered]
        case .relaxed: [.relaxed]
        case .mixed: Durability.allCases.filter { kind == .kill || capabilities.survival(of: $0) >= .powerLossButSuffix }
        }
    }
}

extension StorageCapabilities {
    func survival(of durability: Durability) -> Survival { promises[durability] ?? .nothing }
}
