import Foundation

@testable import Trove

/// Nested values, read as what they tell to be, where they lie, and as Swift types.
enum NestedCheck {
    static func run(_ bytes: [UInt8]) throws {
        if let value = try valueOrTypedError("a nested value", { try decode(StoredValue.self, bytes) { try .decodeNested(from: &$0) } }) {
            try checkAsFound(bytes, is: value)
            try checkAgain(value)
        }
        try check([Int].self, bytes)
        try check(Set<String>.self, bytes)
        try check([String: [UUID?]].self, bytes)
        try check([Data: Set<UInt16>].self, bytes)
        try check([Double: Decimal].self, bytes)
        try check([URL].self, bytes)
        try check(Date?.self, bytes)
        try check([Reference<FuzzedModel>].self, bytes)
        try check([AnyReference].self, bytes)
        try check([ObjectID].self, bytes)
        if let codable = try valueOrTypedError("a Codable value", {
            try decode(StoredValue.self, bytes) { try .decodeNested(from: &$0) }.decoded(as: FuzzedCodable.self)
        }) {
            let written = try mustSucceed("writing a Codable value") { try StoredValue(encoding: codable) }
            let again = try mustSucceed("reading a Codable value again") { try written.decoded(as: FuzzedCodable.self) }
            try require(try StoredValue(encoding: again) == written || hasNaN(written), "another Codable value is read again")
        }
    }

    /// A value that was read is written, and read again as the same.
    static func checkAgain(_ value: StoredValue) throws {
        let bytes = try mustSucceed("writing a value that was read") { try value.nestedBytes(depth: 0) }
        let again = try mustSucceed("reading what was written, \(hexadecimal(bytes))") {
            try decode(StoredValue.self, bytes) { try .decodeNested(from: &$0) }
        }
        // Two that are not a number are the same here, so bytes are compared.
        try require(try again.nestedBytes(depth: 0) == bytes, "written again it is another value: \(hexadecimal(bytes))")
        // Of the keys that are not a number there may be several that are alike.
        try require(again == value || hasNaN(value), "another value is read again: \(value)")
    }

    /// Reading the value where it lies, as queries do, finds the same as making a value of it.
    private static func checkAsFound(_ bytes: [UInt8], is value: StoredValue) throws {
        let found = try mustSucceed("reading where it lies") {
            try bytes.withUnsafeBytes { buffer in
                var reader = ByteReader(buffer)
                return try reader.fieldValue().storedValue()
            }
        }
        try require(found == value || hasNaN(value), "\(found) was found where \(value) was read")
        for ignoring in [[], .case, [.case, .diacritics]] as [TextFolding] {
            _ = try valueOrTypedError("the part of an index") {
                var key = ByteWriter()
                try KeyPart.append(value, type: nil, ignoring: ignoring, direction: .descending, to: &key)
            }
        }
    }

    private static func check<Value: Storable>(_ type: Value.Type, _ bytes: [UInt8]) throws {
        guard let value = try valueOrTypedError("\(type)", { try decode(type, bytes) { try .decodeNested(from: &$0) } }) else { return }
        let written = try mustSucceed("writing \(type)") { try ByteWriter.nestedBytes(of: value, depth: 0) }
        let again = try mustSucceed("reading \(type) again, \(hexadecimal(written))") { try decode(type, written) { try .decodeNested(from: &$0) } }
        try require(
            try ByteWriter.nestedBytes(of: again, depth: 0) == written, "\(type), written again, is another value: \(hexadecimal(written))")
    }

    private static func decode<Value>(_: Value.Type, _ bytes: [UInt8], _ body: (inout ByteReader) throws -> Value) throws -> Value {
        try bytes.withUnsafeBytes { buffer in
            var reader = ByteReader(buffer)
            return try body(&reader)
        }
    }

    private static func hasNaN(_ value: StoredValue) -> Bool {
        switch value {
        case .float(let value): value.isNaN
        case .double(let value): value.isNaN
        case .decimal(let value): value.isNaN
        case .date(let value): value.timeIntervalSinceReferenceDate.isNaN
        case .array(let values): values.contains(where: hasNaN)
        case .object(let values): values.values.contains(where: hasNaN)
        case .dictionary(let values): values.contains { hasNaN($0.key) || hasNaN($0.value) }
        default: false
        }
    }
}
