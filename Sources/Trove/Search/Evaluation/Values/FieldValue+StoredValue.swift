import Foundation

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
        case .float(let value): .float(value)
        case .double(let value): .double(value)
        case .decimal(let value): try Self.decimal(value)
        case .text(let bytes): .string(String(storedUTF8: bytes))
        case .url(let bytes): try Self.url(String(storedUTF8: bytes))
        case .data(let bytes): .data(Data(bytes))
        case .date(let seconds): .date(Date(timeIntervalSinceReferenceDate: seconds))
        case .uuid(let high, let low): .uuid(ObjectID(high: high, low: low).uuid)
        case .objectID(let high, let low): .objectID(ObjectID(high: high, low: low))
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
    fileprivate func storedValue(depth: Int) throws -> StoredValue {
        guard depth < NestedTag.maxDepth else {
            throw TroveError.corruptValue(reason: "values nest deeper than \(NestedTag.maxDepth) levels")
        }
        var reader = ByteReader(bytes)
        switch tag {
        case .object:
            var values: [String: StoredValue] = [:]
            for _ in 0..<count {
                let name = try reader.name()
                values[name] = try reader.fieldValue().storedValue(depth: depth + 1)
            }
            return .object(values)
        case .dictionary:
            var values: [StoredValue: StoredValue] = [:]
            for _ in 0..<count {
                let key = try reader.fieldValue().storedValue(depth: depth + 1)
                values[key] = try reader.fieldValue().storedValue(depth: depth + 1)
            }
            return .dictionary(values)
        default:
            var values: [StoredValue] = []
            for _ in 0..<count { values.append(try reader.fieldValue().storedValue(depth: depth + 1)) }
            return .array(values)
        }
    }
}
