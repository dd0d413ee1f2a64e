/// The properties that a closure of ``Fetch/select(fields:)`` or ``Fetch/grouped(byFields:)`` names, one or several in parentheses.
public struct ChosenFields<each Value: Storable> {
    fileprivate var found: [Result<FieldPath, TroveError>] = []

    /// - Throws: the mistake in the first path that has one.
    func paths() throws -> [FieldPath] { try found.map { try $0.get() } }
}

/// Takes what such a closure names. A closure alone would also compile with values that cannot be selected, and name nothing then.
@resultBuilder
public enum ChosenFieldsBuilder {
    /// Takes the properties of one expression.
    public static func buildExpression<each Value: Storable>(_ fields: (repeat Field<each Value>)) -> ChosenFields<repeat each Value> {
        var chosen = ChosenFields<repeat each Value>()
        repeat chosen.found.append((each fields).result)
        return chosen
    }

    @available(
        *, unavailable,
        message: "only values of types that Trove stores natively are selected and grouped: make an enum 'StorableConvertible', name a value inside of a 'Codable' one, and name a relationship by its text, as in '$0.at(\"artist\", as: Reference<Artist>?.self)'"
    )
    @_disfavoredOverload
    public static func buildExpression<each Value>(_ fields: (repeat Field<each Value>)) -> ChosenFields<Int> { ChosenFields() }

    /// The properties of the only expression.
    public static func buildBlock<each Value: Storable>(_ chosen: ChosenFields<repeat each Value>) -> ChosenFields<repeat each Value> { chosen }
}
