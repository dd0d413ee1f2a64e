import Foundation
import Trove

/// A property list, in XML or binary.
final class PropertyListReader: SourceReader {
    private let rows: ValueRows
    private let value: StoredValue

    init(_ path: String, _ options: ImportSourceOptions) throws {
        rows = ValueRows(path: path, options: options)
        let bytes = try SourceFile.bytes(of: path)
        do {
            value = try StoredValue(propertyList: bytes)
        } catch {
            throw ImportError.damaged(path: path, place: "the property list in it", reason: "\(error)")
        }
    }

    var rowCount: Int? { if case .array(let elements) = value { elements.count } else { nil } }

    func forEach(_ body: (SourceEvent) throws -> Void) throws { try rows.forEach(in: value, body) }
}

extension StoredValue {
    /// The value of a property list.
    ///
    /// - Throws: what Foundation's decoder throws for bytes that are none.
    init(propertyList data: Data) throws {
        self = try PropertyListDecoder().decode(PropertyListValue.self, from: data).value
    }
}

/// Any value of a property list.
private struct PropertyListValue: Decodable {
    private static let maxDepth = 200

    let value: StoredValue

    init(from decoder: any Decoder) throws {
        guard decoder.codingPath.count < Self.maxDepth else {
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "it nests deeper than \(Self.maxDepth) levels"))
        }
        if let container = try? decoder.container(keyedBy: Key.self) {
            var values: [String: StoredValue] = [:]
            for key in container.allKeys { values[key.stringValue] = try container.decode(PropertyListValue.self, forKey: key).value }
            value = .object(values)
        } else if var container = try? decoder.unkeyedContainer() {
            var values: [StoredValue] = []
            while !container.isAtEnd { values.append(try container.decode(PropertyListValue.self).value) }
            value = .array(values)
        } else {
            value = try Self.scalar(decoder.singleValueContainer())
        }
    }

    private static func scalar(_ container: any SingleValueDecodingContainer) throws -> StoredValue {
        if let value = try? container.decode(Bool.self) { return .bool(value) }
        if let value = try? container.decode(Date.self) { return .date(value) }
        if let value = try? container.decode(Data.self) { return .data(value) }
        if let value = try? container.decode(String.self) { return .string(value) }
        if let value = try? container.decode(Int64.self) { return .int(value) }
        if let value = try? container.decode(UInt64.self) { return .uint(value) }
        return .double(try container.decode(Double.self))
    }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
