extension FieldValue {
    /// The value as a number; nil when it is none.
    var number: ExactNumber? {
        switch self {
        case .int(let value): .int(value)
        case .uint(let value): .uint(value)
        case .float(let value): .double(Double(value))
        case .double(let value): .double(value)
        case .decimal(let value), .largeInteger(let value): .decimal(value)
        default: nil
        }
    }

    /// Whether the value is a number or a date that equals nothing, itself included.
    var isNaN: Bool {
        if case .date(let seconds) = self { seconds.isNaN } else { number?.isNaN ?? false }
    }

    /// The UTF-8 of a text; nil when it is none. `type` is the static one of the path it was read from: a URL is a text where it is
    /// known to be one, and inside `Codable` values it is not, as it has a place of its own in indexes there.
    func text(of type: FieldType?) -> UnsafeRawBufferPointer? {
        switch self {
        case .text(let bytes): bytes
        case .url(let bytes): type == .url ? bytes : nil
        default: nil
        }
    }
}

extension FieldValue {
    /// Whether a comparison of two values holds, by the rules of ``Filter``.
    ///
    /// - Parameter watch: asked while members in no order are compared each with each; nil where nobody cancels.
    static func passes(
        _ left: FieldValue, _ comparison: Comparison, _ right: FieldValue, ignoring: TextFolding, _ watch: MemberWatch? = nil
    ) throws -> Bool {
        switch comparison {
        case .equal: try areEqual(left, right, ignoring: ignoring, watch)
        case .notEqual: try !areEqual(left, right, ignoring: ignoring, watch)
        default: order(left, right, ignoring: ignoring).passes(comparison)
        }
    }

    /// How two values stand to each other; no order when one is nil, NaN or a container, or when they are of different kinds.
    static func order(_ left: FieldValue, _ right: FieldValue, ignoring: TextFolding) -> ValueOrder {
        switch (left, right) {
        case (.int(let left), .int(let right)): return ValueOrder(left, right)
        case (.text(let left), .text(let right)), (.url(let left), .url(let right)):
            return ignoring.isEmpty ? ByteOrder.compare(left, right) : FoldedText.compare(left, right, ignoring)
        case (.date(let left), .date(let right)): return left.isNaN || right.isNaN ? .none : ValueOrder(left, right)
        case (.bool(let left), .bool(let right)): return left == right ? .same : .none
        case (.wide(let valueClass, let high, let low), .wide(let otherClass, let otherHigh, let otherLow)) where valueClass == otherClass:
            return high == otherHigh ? ValueOrder(low, otherLow) : ValueOrder(high, otherHigh)
        case (.data(let left), .data(let right)): return ByteOrder.compare(left, right)
        default:
            guard let left = left.number, let right = right.number else { return .none }
            return ExactNumber.order(left, right)
        }
    }

    /// Whether two values are equal: nil equals nil, and containers are when their members are.
    static func areEqual(_ left: FieldValue, _ right: FieldValue, ignoring: TextFolding, depth: Int = 0, _ watch: MemberWatch?) throws -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.container(let left), .container(let right)):
            try FieldContainer.areEqual(left, right, ignoring: ignoring, depth: depth, watch)
        default: order(left, right, ignoring: ignoring) == .same
        }
    }
}

extension FieldContainer {
    fileprivate static func areEqual(
        _ left: FieldContainer, _ right: FieldContainer, ignoring: TextFolding, depth: Int, _ watch: MemberWatch?
    ) throws -> Bool {
        guard depth < NestedTag.maxDepth else {
            throw TroveError.corruptValue(reason: "values nest deeper than \(NestedTag.maxDepth) levels")
        }
        guard left.tag == right.tag, left.count == right.count else { return false }
        // Members stand in an order that follows from them, but for the few that are equal with different bytes.
        if left.tag == .dictionary { return try left.hasEntries(of: right, ignoring: ignoring, depth: depth, watch) }
        var first = ByteReader(left.bytes)
        var second = ByteReader(right.bytes)
        for _ in 0..<left.count {
            if left.tag == .object {
                guard try ByteOrder.areEqual(first.bytes(first.count()), second.bytes(second.count())) else { return false }
            }
            let member = try first.fieldValue()
            guard try FieldValue.areEqual(member, second.fieldValue(), ignoring: ignoring, depth: depth + 1, watch) else { return false }
        }
        return true
    }

    /// Whether each entry has an equal one in `other`, which has as many.
    private func hasEntries(of other: FieldContainer, ignoring: TextFolding, depth: Int, _ watch: MemberWatch?) throws -> Bool {
        var reader = ByteReader(bytes)
        var candidates = MemberRound(other, watch)
        for _ in 0..<count {
            let key = try reader.fieldValue()
            let value = try reader.fieldValue()
            let isFound = try candidates.find { candidate in
                // Both are read, whether or not the keys are equal.
                let otherKey = try candidate.fieldValue()
                let otherValue = try candidate.fieldValue()
                return try FieldValue.areEqual(key, otherKey, ignoring: [], depth: depth + 1, watch)
                    && FieldValue.areEqual(value, otherValue, ignoring: ignoring, depth: depth + 1, watch)
            }
            if !isFound { return false }
        }
        return true
    }

    /// Whether two sets have the same elements, whatever their order.
    static func areEqualSets(_ left: FieldContainer, _ right: FieldContainer, ignoring: TextFolding, _ watch: MemberWatch?) throws -> Bool {
        guard left.tag == right.tag else { return false }
        // Of folded texts several elements of one set may be equal to one of the other.
        if !ignoring.isEmpty { return try left.isSubset(of: right, ignoring: ignoring, watch) && right.isSubset(of: left, ignoring: ignoring, watch) }
        return try left.count == right.count && left.isSubset(of: right, ignoring: [], watch)
    }

    private func isSubset(of other: FieldContainer, ignoring: TextFolding, _ watch: MemberWatch?) throws -> Bool {
        var reader = ByteReader(bytes)
        var candidates = MemberRound(other, watch)
        for _ in 0..<count {
            let element = try reader.fieldValue()
            guard try candidates.find({ try FieldValue.areEqual(element, $0.fieldValue(), ignoring: ignoring, watch) }) else { return false }
        }
        return true
    }
}

/// The members of a container, looked through from the last one found on: those of an equal container are mostly in the same order.
private struct MemberRound: ~Copyable {
    private let container: FieldContainer
    private let watch: MemberWatch?
    private var reader: ByteReader
    private var position = 0

    /// - Parameter watch: asked before each member.
    init(_ container: FieldContainer, _ watch: MemberWatch?) {
        self.container = container
        self.watch = watch
        reader = ByteReader(container.bytes)
    }

    /// Whether a member passes, each of them asked at most once.
    mutating func find(_ passes: (inout ByteReader) throws -> Bool) throws -> Bool {
        for _ in 0..<container.count {
            if position == container.count {
                reader = ByteReader(container.bytes)
                position = 0
            }
            position += 1
            try watch?.step(1)
            if try passes(&reader) { return true }
        }
        return false
    }
}
