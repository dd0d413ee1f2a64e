/// Where the fields of a model's schema are found in records of an older layout.
@usableFromInline final class DecodingPlan: Sendable {
    @usableFromInline enum Source: Sendable, Hashable {
        /// The field at this position of the record's layout, of the same type but for optional layers.
        case same(position: Int, isOptional: Bool)
        /// The field at this position, whose values are converted to a wider type.
        case widened(position: Int, to: FieldType)
        /// The value that the field at this position, a nested one, has under a name, of which the type may be another.
        case member(position: Int, name: String, to: FieldType)
        /// The record has no such field.
        case missing
    }

    @usableFromInline let sources: [Source]
    /// Whether the layout is of an earlier version of the model.
    let isUpgrade: Bool

    init(_ sources: [Source], isUpgrade: Bool) {
        self.sources = sources
        self.isUpgrade = isUpgrade
    }

    /// Whether values are read of one of the fields at these positions of the record's layout.
    func reads(_ positions: Set<Int>) -> Bool {
        sources.contains { source in
            switch source {
            case .same(let position, _), .widened(let position, _), .member(let position, _, _): positions.contains(position)
            case .missing: false
            }
        }
    }
}
