/// What a contestant is measured for.
enum ContestantKind: String, Codable, Sendable {
    /// A C program on the bare engine: the floor.
    case raw
    /// Trove with structs.
    case trove
    /// Trove with live objects.
    case live
    /// Another library.
    case peer

    /// Where contestants of this kind stand among those on the same engine.
    var order: Int {
        switch self {
        case .raw: 0
        case .trove: 1
        case .live: 2
        case .peer: 3
        }
    }
}
