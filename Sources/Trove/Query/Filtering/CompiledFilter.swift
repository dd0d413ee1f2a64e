/// A filter worked out against a model: paths are places in the record, literals bytes in the field's form.
///
/// It runs on the record's bytes, and on the common conditions without allocating memory.
final class CompiledFilter: Sendable {
    private let program: FilterProgram

    /// - Parameters:
    ///   - lookup: the transaction that it runs in, for conditions on what other objects point at.
    ///   - watch: asked now and then, where a single condition takes long, whether the answer is still wanted.
    /// - Throws: ``TroveError/unknownField(model:field:known:)``, ``TroveError/unknownPath(model:path:reason:)``;
    ///   ``TroveError/incomparable(model:path:reason:)`` for a comparison of values that do not compare;
    ///   ``TroveError/invalidRegularExpression(pattern:reason:)``.
    init(_ filter: Filter, in binding: ModelBinding, asking lookup: (any ReferenceLookup)? = nil, _ watch: ReadWatch? = nil) throws {
        program = FilterProgram(try FilterCompiler(binding: binding, lookup: lookup, watch: watch).tree(filter))
    }

    /// The filter of conditions that have been worked out.
    init(_ tree: FilterTree) {
        program = FilterProgram(tree)
    }

    /// Whether the record passes.
    @inline(__always)
    func matches(_ record: RecordView) throws -> Bool {
        try program.matches(record)
    }
}

/// A condition that takes more than a ``FieldTest``.
protocol FilterNode: AnyObject, Sendable {
    /// Whether a record passes.
    func matches(_ record: RecordView) throws -> Bool

    /// About how long an answer takes, in nanoseconds: cheap conditions are asked first.
    var cost: Int { get }
}

/// Whether a path leads to nil or nowhere.
final class NilNode: FilterNode {
    private let reader: FieldReader
    var cost: Int { reader.access.cost }

    init(_ reader: FieldReader) { self.reader = reader }

    func matches(_ record: RecordView) throws -> Bool { try reader.isNil(record) }
}

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
        case .nested, .element, .referenced: 40
        case .count(let collection): collection.cost + 10
        case .members(let members): members.base.cost + 300
        case .looked: 20_000
        case .derived: 1_000
        case .lazy: 2_000
        }
    }
}
