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
