/// One side of a comparison, ready to be read.
enum FilterOperand: Sendable {
    case path(FieldReader)
    case value(Literal)

    /// The static type of a path; nil when only the value tells, and for literals.
    var type: FieldType? {
        if case .path(let reader) = self { reader.type } else { nil }
    }

    var cost: Int {
        if case .path(let reader) = self { reader.access.cost } else { 0 }
    }

    /// Calls `body` with the value, which is valid during the call.
    @inline(__always)
    func withValue<Result>(in record: RecordView, _ body: (FieldValue) throws -> Result) throws -> Result {
        switch self {
        case .path(let reader): try reader.access.withValue(in: record, body)
        case .value(let literal): try withExtendedLifetime(literal) { try body(literal.value) }
        }
    }
}

extension FieldAccess {
    /// About how long reading takes, in nanoseconds.
    var cost: Int {
        switch self {
        case .fixed: 2
        case .variable: 4
        case .id: 8
        case .nested, .element: 40
        case .derived: 1_000
        }
    }
}
