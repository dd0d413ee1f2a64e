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
}
