/// A relationship that another says the other way round.
@usableFromInline struct InverseField: Sendable {
    /// The position of its field.
    let field: Int
    /// The position of the other's field, in the model it points at.
    let inverse: Int
    /// Whether the other points at one object only.
    let isInverseToOne: Bool
}
