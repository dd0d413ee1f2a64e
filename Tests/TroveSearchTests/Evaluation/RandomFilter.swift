import Foundation

@testable import TestModels
@testable import Trove

extension ValuePool {
    /// A value that compares with a field of `type`; of any kind when that is nil.
    mutating func literal(_ type: FieldType?) -> StoredValue {
        if bool(0.05) { return .null }
        switch type {
        case .bool: return .bool(bool())
        case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64, .int128, .uint128, .float, .double, .decimal:
            return number()
        case .string: return .string(string())
        case .data: return .data(data())
        case .url: return .url(url())
        case .date: return .date(date())
        case .duration: return .duration(duration())
        case .uuid: return .uuid(uuid())
        case .objectID: return .objectID(objectID())
        case .geoPoint: return .geoPoint(geoPoint())
        case .array(.string): return .array(list { .string($0.string()) })
        default: return literal(pick([.bool, .double, .string, .date, .duration, .uuid, .data, .url, .decimal]))
        }
    }

    private mutating func number() -> StoredValue {
        switch Int.random(in: 0..<7, using: &generator) {
        case 0, 1: return .int(integer())
        case 2: return .uint(pick([.max, UInt64(Int64.max) + 1, 1 << 63 + 1]))
        case 6: return StoredValue(integer: bool() ? integer(Int128.self) : Int128(UInt64.max) + 1)
        case 3: return .float(Float(double()))
        case 4: return .decimal(decimal())
        default: return .double(double())
        }
    }

    private static let paths = [
        "int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64", "int128", "uint128", "float", "double", "decimal", "string",
        "data", "date", "duration", "uuid", "url", "objectID", "geoPoint", "optionalGeoPoint", "genre", "priority", "optionalInt", "optionalDouble", "optionalDecimal",
        "optionalString", "optionalData", "optionalDate", "optionalUUID", "optionalURL", "optionalGenre", "optionalPriority",
        "doubleOptional", "address.street", "address.city", "address.since", "address.nothing", "address.street.deeper",
        "address.tags.a", "optionalAddress.city", "optionalAddress.since", "expression.number._0", "expression.named.name",
        "counts.a", "counts.b", "id", "bool", "optionalBool",
    ].map { FieldPath($0) } + [FieldPath(field: "counts", names: ["x.y"])]

    private static let texts = ["string", "optionalString", "genre", "optionalGenre", "address.street", "address.city", "url", "optionalURL"].map { FieldPath($0) }

    private static let collections: [(path: FieldPath, part: CollectionPart, type: FieldType?)] = [
        (FieldPath("strings"), .elements, .string), (FieldPath("optionalStrings"), .elements, .string),
        (FieldPath("numbers"), .elements, .int64), (FieldPath("set"), .elements, .string), (FieldPath("uuids"), .elements, .uuid),
        (FieldPath("genres"), .elements, nil), (FieldPath("counts"), .keys, .string), (FieldPath("counts"), .values, .int64),
        (FieldPath("names"), .keys, .int64), (FieldPath("names"), .values, .string), (FieldPath("address.position"), .elements, nil),
        (FieldPath("optionalAddress.position"), .elements, nil), (FieldPath("address.tags"), .keys, nil),
    ]

    mutating func comparison() -> Comparison { pick(Comparison.allCases) }

    /// What a condition ignores of texts: something with a probability.
    private mutating func folding(_ probability: Double) -> TextFolding { bool(probability) ? pick([.case, .diacritics, [.case, .diacritics]]) : [] }

    private mutating func comparison(with value: StoredValue, _ type: FieldType?) -> Comparison {
        let isOrdered = type.flatMap { ValueClass($0)?.isOrdered } ?? ValueClass(value)?.isOrdered ?? true
        return isOrdered && (ValueClass(value)?.isOrdered ?? true) ? comparison() : pick([.equal, .notEqual])
    }

    private mutating func comparison(of path: FieldPath, _ type: FieldType?) -> Filter {
        let value = literal(type)
        let comparison = comparison(with: value, type)
        let isMirrored = bool(0.2)
        return .comparison(
            isMirrored ? .value(value) : .path(path), comparison, isMirrored ? .path(path) : .value(value), ignoring: folding(0.3))
    }

    /// A filter that is sound for ``EveryType``, with some depth.
    mutating func filter(_ binding: ModelBinding, depth: Int = 3) throws -> Filter {
        if depth > 0 && bool(0.4) {
            switch Int.random(in: 0..<3, using: &generator) {
            case 0: return .and(try (0..<Int.random(in: 0...3, using: &generator)).map { _ in try filter(binding, depth: depth - 1) })
            case 1: return .or(try (0..<Int.random(in: 0...3, using: &generator)).map { _ in try filter(binding, depth: depth - 1) })
            default: return .not(try filter(binding, depth: depth - 1))
            }
        }
        let path = pick(Self.paths)
        let type = try FieldReader(path, in: binding).type
        switch Int.random(in: 0..<15, using: &generator) {
        case 14: return .constant(bool())
        case 13:
            let numbers = try Self.paths.filter { path in try FieldReader(path, in: binding).type.map { ValueClass($0) == .number } ?? true }
            return .isMultiple(pick(numbers), of: pick([0, 1, 2, -3, 1959, 1 << 63, 1 << 100, .min]))
        case 12: return .isWithin(FieldPath(pick(["geoPoint", "optionalGeoPoint", "address.city", "optionalAddress.nothing"])), region())
        case 10:
            // One of several values of one path, which planning makes a list of.
            let ignoring = folding(0.4)
            let path = bool() ? pick(Self.texts.filter { $0 != FieldPath("url") && $0 != FieldPath("optionalURL") }) : path
            let type = try FieldReader(path, in: binding).type
            return .or((0..<3).map { _ in .comparison(.path(path), .equal, .value(literal(type)), ignoring: ignoring) })
        case 11:
            return .and((0..<3).map { _ in .comparison(.path(path), .notEqual, .value(literal(type))) })
        case 0: return .isNil(path)
        case 1:
            let list = list { $0.literal(type) } + (bool(0.3) ? (0..<40).map { _ in literal(type) } : [])
            return .membership(.path(path), list, ignoring: folding(0.4))
        case 2:
            return .text(.path(pick(Self.texts)), pick(TextTest.allCases), bool(0.2) ? .path(pick(Self.texts)) : .value(.string(string())),
                ignoring: folding(0.6))
        case 3: return .matches(.path(pick(Self.texts)), pattern: pick(["^a", "b.*e", "(a|b)+$", "\\d{2}", ":"]), ignoringCase: bool(0.3))
        case 4, 5:
            let (path, part, type) = pick(Self.collections)
            return .quantified(pick(Quantifier.allCases), path, part, elementFilter(type))
        case 6:
            let element = FieldPath.element
            return .quantified(
                pick(Quantifier.allCases), FieldPath("addresses"), .elements,
                .and([comparison(of: element.appending("city"), nil), .not(comparison(of: element.appending("street"), .string))]))
        case 7:
            let sameKind = try Self.paths.filter { (other: FieldPath) -> Bool in
                let otherType = try FieldReader(other, in: binding).type
                guard let type, let otherType else { return true }
                return ValueClass(type) == ValueClass(otherType)
            }
            let other = pick(sameKind)
            let isOrdered = try [path, other].allSatisfy { path in
                try FieldReader(path, in: binding).type.flatMap { ValueClass($0)?.isOrdered } ?? true
            }
            return .comparison(.path(path), isOrdered ? comparison() : .equal, .path(other), ignoring: folding(0.3))
        default: return comparison(of: path, type)
        }
    }

    private mutating func elementFilter(_ type: FieldType?) -> Filter {
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: .isNil(.element)
        case 1: .membership(.path(.element), list { $0.literal(type) })
        case 2: .or([comparison(of: .element, type), comparison(of: FieldPath("int"), .int64)])
        default: comparison(of: .element, type)
        }
    }
}
