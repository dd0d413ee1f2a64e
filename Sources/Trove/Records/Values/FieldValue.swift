import Foundation

/// A value where it lies in a record, a nested value or a literal: what comparisons and keys are made from, without a copy.
///
/// Its bytes belong to someone else; it is valid as long as they are.
enum FieldValue {
    case null
    case bool(Bool)
    case int(Int64)
    /// Above `Int64.max`.
    case uint(UInt64)
    /// Beyond 64 bits; the exponent is 0.
    case largeInteger(PackedDecimal)
    case float(Float)
    case double(Double)
    case decimal(PackedDecimal)
    /// UTF-8.
    case text(UnsafeRawBufferPointer)
    /// UTF-8.
    case url(UnsafeRawBufferPointer)
    case data(UnsafeRawBufferPointer)
    /// Seconds since 2001-01-01.
    case date(Double)
    /// A value of a ``WideScalar``.
    case wide(ValueClass, high: UInt64, low: UInt64)
    case container(FieldContainer)

    @inline(__always)
    var isNull: Bool {
        if case .null = self { true } else { false }
    }
}

/// An array, set, dictionary or keyed value in the nested encoding.
struct FieldContainer {
    let tag: NestedTag
    /// How many members it tells to have.
    let count: Int
    /// The members, without the container's own tag and lengths.
    let bytes: UnsafeRawBufferPointer
}

extension FieldValue {
    /// A copy of the value.
    ///
    /// - Throws: ``TroveError/corruptValue(reason:)`` when its bytes are damaged.
    func storedValue(depth: Int = 0) throws -> StoredValue {
        switch self {
        case .null: .null
        case .bool(let value): .bool(value)
        case .int(let value): .int(value)
        case .uint(let value): .uint(value)
        case .largeInteger(let value): value.integer ?? .null
        case .float(let value): .float(value)
        case .double(let value): .double(value)
        case .decimal(let value): try Self.decimal(value)
        case .text(let bytes): .string(String(storedUTF8: bytes))
        case .url(let bytes): try Self.url(String(storedUTF8: bytes))
        case .data(let bytes): .data(Data(bytes))
        case .date(let seconds): .date(Date(timeIntervalSinceReferenceDate: seconds))
        case .wide(let valueClass, let high, let low): valueClass.wideScalar?.storedValue(high: high, low: low) ?? .null
        case .container(let container): try container.storedValue(depth: depth)
        }
    }

    private static func decimal(_ packed: PackedDecimal) throws -> StoredValue {
        guard let decimal = packed.decimal else { throw TroveError.corruptValue(reason: "bad bytes of a decimal") }
        return .decimal(decimal)
    }

    private static func url(_ text: String) throws -> StoredValue {
        guard let url = URL(string: text) else { throw TroveError.corruptValue(reason: "'\(text)' is not a URL") }
        return .url(url)
    }
}

extension FieldContainer {
    /// A copy of the container, `depth` containers deep.
    fileprivate func storedValue(depth: Int) throws -> StoredValue {
        guard depth < NestedTag.maxDepth else {
            throw TroveError.corruptValue(reason: "values nest deeper than \(NestedTag.maxDepth) levels")
        }
        var reader = ByteReader(bytes)
        let value: StoredValue
        switch tag {
        case .object:
            value = try Self.object(&reader, count: count, depth: depth)
        case .dictionary:
            var values = [StoredValue: StoredValue](minimumCapacity: min(count, 1_024))
            for _ in 0..<count {
                let key = try reader.fieldValue().storedValue(depth: depth + 1)
                values[key] = try reader.fieldValue().storedValue(depth: depth + 1)
            }
            value = .dictionary(values)
        default:
            var values: [StoredValue] = []
            // Each takes at least one of the bytes that are there, and growing would take twice as much.
            values.reserveCapacity(Self.reserved(count, depth))
            for _ in 0..<count { values.append(try reader.fieldValue().storedValue(depth: depth + 1)) }
            value = .array(values)
        }
        guard reader.remaining == 0 else { throw ByteReader.wrongLength }
        return value
    }

    /// For how many members there is room before they are read: forged containers may tell in each of many levels that all the bytes are theirs.
    private static func reserved(_ count: Int, _ depth: Int) -> Int { depth == 0 ? count : min(count, 1_024) }

    /// A copy of the members of an object.
    private static func object(_ reader: inout ByteReader, count: Int, depth: Int) throws -> StoredValue {
        var names: [String] = []
        var values: [StoredValue] = []
        // Each takes at least two of the bytes that are there.
        names.reserveCapacity(reserved(min(count, reader.remaining / 2), depth))
        values.reserveCapacity(reserved(min(count, reader.remaining / 2), depth))
        var isAscendingASCII = true
        var previous = UnsafeRawBufferPointer(start: nil, count: 0)
        for number in 0..<count {
            let bytes = try reader.bytes(try reader.count())
            // As they are written, but nobody promises that of a file.
            isAscendingASCII = isAscendingASCII && bytes.isASCII && (number == 0 || KeyList.compare(previous, bytes) < 0)
            previous = bytes
            names.append(String(storedUTF8: bytes))
            values.append(try reader.fieldValue().storedValue(depth: depth + 1))
        }
        if isAscendingASCII { return .object(ascendingASCII: names, values) }
        return .object(Array(zip(names, values)))
    }
}

extension FieldContainer {
    /// The position that a name of digits tells; nil when it is no position.
    static func position(named name: [UInt8]) -> Int? {
        guard let first = name.first, name.count < 10, first != UInt8(ascii: "0") || name.count == 1 else { return nil }
        var position = 0
        for digit in name {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            position = position * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return position
    }

    /// Whether a name is a position in what is known to be a list, also one that no list has. In values that tell their own type so many digits are a name.
    static func isPosition(_ name: String) -> Bool { isPosition(name.utf8) }

    private static func isPosition(_ name: some Collection<UInt8>) -> Bool {
        guard let first = name.first, first != UInt8(ascii: "0") || name.count == 1 else { return false }
        return name.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    /// The position that a name tells.
    ///
    /// - Parameter inAnyLength: whether more digits than any list has elements tell a position behind its end; otherwise they tell none.
    static func position(named name: [UInt8], inAnyLength: Bool) -> Int? {
        position(named: name) ?? (inAnyLength && isPosition(name) ? Int.max : nil)
    }
}
