/// Ids that are so long that the engine's keys are shortened forms of them; programs write `p3…` for one.
extension String {
    private static let rest = String(repeating: "-", count: 600)

    /// The id that a program means.
    var whole: String { hasSuffix("…") ? String(dropLast()) + Self.rest : self }

    /// The id as programs write it.
    var short: String { hasSuffix(Self.rest) ? String(dropLast(Self.rest.count)) + "…" : self }
}
