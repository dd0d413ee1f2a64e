/// How an aggregate of a collection's members is computed, and what its result is.
final class MemberRule: Sendable {
    let path: FieldPath
    let aggregate: MemberAggregate
    /// The type of the members; nil when only they tell.
    let memberType: FieldType?
    /// The type of the result; nil when only it tells.
    let resultType: FieldType?
    private let modelName: String

    /// - Parameter memberType: the type of the members, without optional layers; nil when only they tell.
    /// - Throws: ``TroveError/incomparable(model:path:reason:)`` when members of the type have no such aggregate.
    init(_ path: FieldPath, _ aggregate: MemberAggregate, of memberType: FieldType?, in binding: ModelBinding) throws {
        self.path = path
        self.aggregate = aggregate
        self.memberType = memberType
        modelName = binding.schema.name
        func unfit(_ type: FieldType, _ reason: String) -> TroveError {
            .incomparable(model: binding.schema.name, path: path.description, reason: "\(type.shownInErrors.withArticle) \(reason)")
        }
        switch aggregate {
        case .count: resultType = .int64
        case .sum, .average:
            if let memberType, memberType.scalar?.valueClass != .number { throw unfit(memberType, "cannot be added up; name a number") }
            resultType = aggregate == .average ? .double : memberType.flatMap { Self.sumType(of: $0) }
        case .minimum, .maximum:
            if let memberType, ValueClass(memberType) ?? .container == .container { throw unfit(memberType, "has no order; name a value inside it") }
            resultType = memberType
        }
    }

    /// The type of the sum of numbers, as ``Summable`` has it.
    private static func sumType(of type: FieldType) -> FieldType {
        switch type {
        case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32: .int64
        case .float, .double: .double
        default: type
        }
    }

    fileprivate func unfit(_ reason: String) -> TroveError { .incomparable(model: modelName, path: path.description, reason: reason) }

    fileprivate var overflow: TroveError { .sumOverflow(model: modelName, path: path.description) }
}

/// An aggregate of members that are given one after the other; of none at first.
struct MemberTotal {
    private let rule: MemberRule
    private var count = 0
    private var sum = NumberSum()
    /// The least or greatest member so far, and the bytes by which it sorts.
    private var best = StoredValue.null
    private var bestPart: [UInt8] = []

    init(_ rule: MemberRule) { self.rule = rule }

    /// Takes a member in; nil is none.
    ///
    /// - Throws: ``TroveError/incomparable(model:path:reason:)`` for a value, whose type only it tells, that has no such aggregate.
    mutating func add(_ value: FieldValue) throws {
        if value.isNull { return }
        switch rule.aggregate {
        case .count: count += 1
        case .sum, .average:
            switch value {
            case .int(let integer): sum.add(integer)
            case .decimal(let decimal): sum.add(decimal)
            default:
                let value = try value.storedValue()
                guard sum.add(value) else { throw rule.unfit("the \(value.kind) cannot be added up") }
            }
        case .minimum, .maximum:
            if case .container = value { throw rule.unfit("one of its values is a list or has values inside, which have no order; name a value inside it") }
            var part = ByteWriter(capacity: 32)
            try KeyPart.append(value, type: rule.memberType, ignoring: [], direction: .ascending, to: &part)
            let found = UnsafeRawBufferPointer(start: part.base, count: part.count)
            let isBetter = rule.aggregate == .maximum ? bestPart.lexicographicallyPrecedes(found) : found.lexicographicallyPrecedes(bestPart)
            guard bestPart.isEmpty || isBetter else { return }
            bestPart = [UInt8](found)
            best = try value.storedValue()
        }
    }

    /// Takes in a member of which only the number matters.
    mutating func addOne() { count += 1 }

    /// - Throws: ``TroveError/sumOverflow(model:path:)``.
    var result: StoredValue {
        get throws {
            switch rule.aggregate {
            case .count: return .int(Int64(count))
            case .average: return sum.average.map { .double($0) } ?? .null
            case .minimum, .maximum: return best
            case .sum:
                guard let total = sum.total(ofType: rule.memberType) else { throw rule.overflow }
                do {
                    return try rule.resultType.map { try total.converted(to: $0) } ?? total
                } catch is DecodingFault {
                    throw rule.overflow
                }
            }
        }
    }
}
