/// Whether an integer, of any width, is one of a list.
final class IntegerListNode: FilterNode {
    private let reader: FieldReader
    /// Ascending.
    private let integers: [Int64]
    private let hasNil: Bool
    var cost: Int { reader.access.cost + 20 }

    init(_ reader: FieldReader, _ integers: Set<Int64>, hasNil: Bool) {
        self.reader = reader
        self.integers = integers.sorted()
        self.hasNil = hasNil
    }

    func matches(_ record: RecordView) throws -> Bool {
        switch try reader.access.value(in: record) {
        case .null: return hasNil
        case .int(let value):
            var (low, high) = (0, integers.count)
            while low < high {
                let middle = (low &+ high) / 2
                if integers[middle] < value { low = middle &+ 1 } else { high = middle }
            }
            return low < integers.count && integers[low] == value
        default: return false
        }
    }
}

/// Whether a text in the record's variable part is one of a list, by its bytes.
final class TextListNode: FilterNode {
    private let reader: FieldReader
    /// The texts, ascending by their first bytes as a number, then by all of them.
    private let entries: [(head: UInt64, text: [UInt8])]
    private let hasNil: Bool
    var cost: Int { reader.access.cost + 25 }

    init(_ reader: FieldReader, _ texts: Set<[UInt8]>, hasNil: Bool) {
        self.reader = reader
        self.hasNil = hasNil
        // Bytes filled up with zeros: of two texts the lower has no higher head.
        entries = texts.sorted(by: ByteOrder.isBefore).map { text in
            (text.withUnsafeBytes { Self.head($0) }, text)
        }
    }

    func matches(_ record: RecordView) throws -> Bool {
        switch try reader.access.value(in: record) {
        case .null: return hasNil
        case .text(let text): return contains(text)
        default: return false
        }
    }

    private func contains(_ text: UnsafeRawBufferPointer) -> Bool {
        let head = Self.head(text)
        return entries.withUnsafeBufferPointer { entries in
            var (low, high) = (0, entries.count)
            while low < high {
                let middle = (low &+ high) / 2
                if entries[middle].head != head {
                    if entries[middle].head < head { low = middle &+ 1 } else { high = middle }
                    continue
                }
                switch entries[middle].text.withUnsafeBytes({ ByteOrder.compare($0, text) }) {
                case .less: low = middle &+ 1
                case .same: return true
                case .greater, .none: high = middle
                }
            }
            return false
        }
    }

    /// The first eight bytes as a number in their order.
    @inline(__always)
    private static func head(_ text: UnsafeRawBufferPointer) -> UInt64 {
        if text.count >= 8 { return UInt64(bigEndian: text.loadUnaligned(as: UInt64.self)) }
        var head: UInt64 = 0
        for byte in text { head = head << 8 | UInt64(byte) }
        return text.isEmpty ? 0 : head << UInt64(8 * (8 - text.count))
    }
}

/// Whether a value equals one of a list.
///
/// The list is kept in the order of key parts, which for values that compare are equal exactly when the values are.
final class MembershipNode: FilterNode {
    private let value: FilterOperand
    private let type: FieldType?
    private let ignoring: TextFolding
    private let hasNil: Bool
    private let parts: [[UInt8]]
    /// The collections of the list, which have no order.
    private let collections: [Literal]
    private let areSets: Bool
    private let watch: MemberWatch?
    var cost: Int { value.cost + 60 }

    init(
        _ value: FilterOperand, _ type: FieldType?, hasNil: Bool, parts: Set<[UInt8]>, collections: [Literal], ignoring: TextFolding,
        _ watch: MemberWatch?
    ) {
        self.watch = watch
        self.value = value
        self.type = type
        self.hasNil = hasNil
        self.parts = parts.sorted(by: ByteOrder.isBefore)
        self.collections = collections
        self.ignoring = ignoring
        if case .set = type { areSets = true } else { areSets = false }
    }

    func matches(_ record: RecordView) throws -> Bool {
        try value.withValue(in: record) { value in
            if value.isNull { return hasNil }
            if case .container(let container) = value { return try contains(container) }
            // NaN has a part, but equals nothing.
            if value.isNaN { return false }
            var bytes = ByteWriter(capacity: 64)
            try KeyPart.append(value, type: type, ignoring: ignoring, direction: .ascending, to: &bytes)
            return bytes.withBytes { part in part.withUnsafeBytes { contains($0) } }
        }
    }

    private func contains(_ part: UnsafeRawBufferPointer) -> Bool {
        var (low, high) = (0, parts.count)
        while low < high {
            let middle = (low + high) / 2
            switch parts[middle].withUnsafeBytes({ ByteOrder.compare($0, part) }) {
            case .less: low = middle + 1
            case .same: return true
            case .greater, .none: high = middle
            }
        }
        return false
    }

    private func contains(_ container: FieldContainer) throws -> Bool {
        for candidate in collections {
            guard case .container(let other) = candidate.value else { continue }
            try watch?.step(1 &+ min(container.count, other.count))
            let isEqual =
                try areSets
                ? FieldContainer.areEqualSets(container, other, ignoring: ignoring, watch)
                : FieldValue.areEqual(.container(container), .container(other), ignoring: ignoring, watch)
            if isEqual { return true }
        }
        return false
    }
}

/// Whether any, all or none of the members of a collection pass a condition.
final class QuantifierNode: FilterNode {
    private let quantifier: Quantifier
    private let collection: FieldReader
    private let part: CollectionPart
    /// The name that is sought at any depth; nil for other parts.
    private let name: [UInt8]?
    private let condition: FilterProgram
    private let watch: MemberWatch?
    let cost: Int

    init(
        _ quantifier: Quantifier, _ collection: FieldReader, _ part: CollectionPart, named name: String?, _ condition: FilterTree, _ watch: MemberWatch?
    ) {
        self.watch = watch
        self.name = name.map { Array($0.utf8) }
        self.quantifier = quantifier
        self.collection = collection
        self.part = part
        self.condition = FilterProgram(condition)
        cost = min(collection.access.cost + 4 * (condition.cost + 20), FilterTree.maxCost)
    }

    func matches(_ record: RecordView) throws -> Bool {
        try collection.access.withValue(in: record) { value in
            guard case .container(let container) = value else { return quantifier != .any }
            // All pass exactly when none fails.
            let sought = quantifier != .all
            var isFound = false
            // Names sought at any depth may be in none of the members.
            try watch?.step(in: record)
            func look(_ member: FieldElement) throws -> Bool {
                try watch?.step(in: record)
                isFound = try condition.matches(record.looking(at: member)) == sought
                return !isFound
            }
            if let name { try container.forEachDescendant(named: name, look) } else { try container.forEachMember(part, look) }
            return isFound == (quantifier == .any)
        }
    }
}

/// What conditions on other objects than the record's own ask: a transaction.
protocol ReferenceLookup: AnyObject {
    /// Whether anything points at an object.
    func isReferenced(_ target: AnyReference) throws -> Bool

    /// Whether one of the references of a model's record points at what is not stored.
    func hasDanglingReference(_ record: RecordView, of modelName: String) throws -> Bool

    /// A reader of an aggregate of other objects that a record leads to; nil when the path leads to none.
    func memberReader(of path: FieldPath, in binding: ModelBinding, _ watch: ReadWatch?) throws -> FieldReader?
}

/// Whether nothing points at an object, or whether one of its references points at what is not stored.
///
/// Unchecked: it is used by the run of one query only, in one transaction, which belongs to one thread and outlives the run.
final class ReferenceNode: FilterNode, @unchecked Sendable {
    enum Test {
        case isUnreferenced, hasDanglingReferences
    }

    private unowned let lookup: any ReferenceLookup
    private let modelName: String
    private let test: Test
    /// Each relationship that may point at it takes a look into its index, or each reference is looked up.
    let cost = 10_000

    init(_ test: Test, _ binding: ModelBinding, _ lookup: any ReferenceLookup) {
        self.test = test
        self.lookup = lookup
        modelName = binding.schema.name
    }

    func matches(_ record: RecordView) throws -> Bool {
        switch test {
        case .isUnreferenced: try !lookup.isReferenced(AnyReference(modelName: modelName, keyBytes: [UInt8](record.wholeKey)))
        case .hasDanglingReferences: try lookup.hasDanglingReference(record, of: modelName)
        }
    }
}
