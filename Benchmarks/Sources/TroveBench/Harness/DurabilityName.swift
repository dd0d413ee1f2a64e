import ArgumentParser
import Trove

/// A durability as the command line and the results write it.
enum DurabilityName: String, Codable, CaseIterable, Sendable, ExpressibleByArgument {
    case durable
    case buffered
    case relaxed

    var durability: Durability {
        switch self {
        case .durable: .durable
        case .buffered: .buffered
        case .relaxed: .relaxed
        }
    }
}
