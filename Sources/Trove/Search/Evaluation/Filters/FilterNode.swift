/// A condition worked out against a layout. There is a kind of node for each kind of condition that is worth one.
protocol FilterNode: AnyObject, Sendable {
    /// Whether a record passes.
    func matches(_ record: RecordView) throws -> Bool

    /// About how long an answer takes, in nanoseconds: cheap conditions are asked first.
    var cost: Int { get }
}

/// True or false for every record.
final class ConstantNode: FilterNode {
    let isTrue: Bool
    var cost: Int { 0 }

    init(_ isTrue: Bool) { self.isTrue = isTrue }

    func matches(_ record: RecordView) -> Bool { isTrue }
}

final class NotNode: FilterNode {
    private let inner: any FilterNode
    var cost: Int { inner.cost }

    init(_ inner: any FilterNode) { self.inner = inner }

    func matches(_ record: RecordView) throws -> Bool { try !inner.matches(record) }
}

/// All of several conditions, the cheapest first.
final class AndNode: FilterNode {
    private let inner: [any FilterNode]
    let cost: Int

    init(_ inner: [any FilterNode]) {
        self.inner = inner.enumerated().sorted { ($0.element.cost, $0.offset) < ($1.element.cost, $1.offset) }.map(\.element)
        cost = inner.reduce(0) { $0 + $1.cost }
    }

    func matches(_ record: RecordView) throws -> Bool {
        for node in inner where try !node.matches(record) { return false }
        return true
    }
}

/// One of several conditions, the cheapest first.
final class OrNode: FilterNode {
    private let inner: [any FilterNode]
    let cost: Int

    init(_ inner: [any FilterNode]) {
        self.inner = inner.enumerated().sorted { ($0.element.cost, $0.offset) < ($1.element.cost, $1.offset) }.map(\.element)
        cost = inner.reduce(0) { $0 + $1.cost }
    }

    func matches(_ record: RecordView) throws -> Bool {
        for node in inner where try node.matches(record) { return true }
        return false
    }
}

/// Whether a path leads to nil or nowhere.
final class NilNode: FilterNode {
    private let reader: FieldReader
    var cost: Int { reader.access.cost }

    init(_ reader: FieldReader) { self.reader = reader }

    func matches(_ record: RecordView) throws -> Bool { try reader.isNil(record) }
}
