import ArgumentParser

/// The engine under a contestant.
enum EngineName: String, Codable, CaseIterable, Sendable, ExpressibleByArgument {
    case lmdb
    case sqlite
    case tokyoCabinet = "tokyo-cabinet"
    case memory

    var title: String {
        switch self {
        case .lmdb: "LMDB"
        case .sqlite: "SQLite"
        case .tokyoCabinet: "Tokyo Cabinet"
        case .memory: "memory"
        }
    }
}
