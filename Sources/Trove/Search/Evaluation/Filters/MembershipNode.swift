/// Whether a value equals one of a list.
///
/// The list is kept in the order of key parts, which for values that compare are equal exactly when the values are.
final class MembershipNode: FilterNode {
    private let value: FilterOperand
    private let type: FieldType?
    private let ignoringCase: Bool
    private let hasNil: Bool
    private let parts: [[UInt8]]
    /// The collections of the list, which have no order.
    private let collections: [Literal]
    private let areSets: Bool
    var cost: Int { value.cost + 60 }

    init(
        _ value: FilterOperand, _ type: FieldType?, hasNil: Bool, parts: Set<[UInt8]>, collections: [Literal], ignoringCase: Bool
    ) {
        self.value = value
        self.type = type
        self.hasNil = hasNil
        self.parts = parts.sorted { $0.lexicographicallyPrecedes($1) }
        self.collections = collections
        self.ignoringCase = ignoringCase
        if case .set = type { areSets = true } else { areSets = false }
    }

    func matches(_ record: RecordView) throws -> Bool {
        try value.withValue(in: record) { value in
            if value.isNull { return hasNil }
            if case .container(let container) = value { return try contains(container) }
            // NaN has a part, but equals nothing.
            if value.number?.isNaN == true { return false }
            var bytes = ByteWriter(capacity: 64)
            try KeyPart.append(value, type: type, ignoringCase: ignoringCase, direction: .ascending, to: &bytes)
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
            let isEqual =
                try areSets
                ? FieldContainer.areEqualSets(container, other)
                : FieldValue.areEqual(.container(container), .container(other), ignoringCase: ignoringCase)
            if isEqual { return true }
        }
        return false
    }
}
