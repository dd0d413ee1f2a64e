/// What a contestant is measured for.
enum ContestantKind: String, Codable, Sendable {
    /// A C program on the bare engine: the floor.
    case raw
    /// Trove.
    case trove
    /// Another library.
    case peer
}
