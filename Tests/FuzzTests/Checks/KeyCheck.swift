import Foundation

@testable import Trove

/// Keys of every type.
enum KeyCheck {
    // The corpus tells a type by its place, so that new ones are behind those that it knows.
    private static let types: [any StorableKey.Type] = known + ScalarTypes.all.filter { type in !known.contains { $0 == type } }

    private static let known: [any StorableKey.Type] = [
        Bool.self, Int8.self, Int16.self, Int32.self, Int64.self, UInt8.self, UInt16.self, UInt32.self, UInt64.self, Float.self, Double.self,
        Decimal.self, String.self, Data.self, Date.self, UUID.self, URL.self, ObjectID.self, Int?.self, String??.self, Decimal?.self,
        FuzzedTuple.self, Int128.self, UInt128.self, Duration.self, GeoPoint.self,
    ]

    /// What a query reads from keys.
    private static let fieldTypes: [FieldType?] =
        knownFieldTypes + ScalarTypes.all.filter { type in !knownFieldTypes.contains { $0?.scalar?.valueClass == type.valueClass } }.map { $0.fieldType }

    private static let knownFieldTypes: [FieldType?] = [
        nil, .bool, .int8, .int64, .uint64, .float, .double, .decimal, .string, .data, .url, .date, .uuid, .objectID, .optional(.string),
        .optional(.decimal), .array(.int8), .int128, .uint128, .duration, .geoPoint,
    ]

    static func run(_ input: inout FuzzInput) throws {
        let selector = Int(input.byte())
        let bytes = input.rest()
        try types[selector % types.count].checkAsKey(bytes)
        _ = try valueOrTypedError("an id where it lies") {
            try bytes.withUnsafeBytes { try RecordID.withValue(of: $0, type: fieldTypes[selector % fieldTypes.count]) { try $0.storedValue() } }
        }
        if let reference = try valueOrTypedError("a reference", { try AnyReference(storedBytes: bytes) }) {
            try require(try AnyReference(storedBytes: reference.storedBytes) == reference, "another reference is read again")
            _ = try valueOrTypedError("the reference's id") { try reference.reference(to: FuzzedModel.self) }
        }
    }
}

extension StorableKey {
    fileprivate static func checkAsKey(_ bytes: [UInt8]) throws {
        guard let key = try valueOrTypedError("\(Self.self)", { try Self(keyBytes: bytes) }) else { return }
        let written = key.keyBytes
        try require(!written.isEmpty, "\(Self.self): an empty key")
        let again = try mustSucceed("reading \(Self.self) again, \(hexadecimal(written))") { try Self(keyBytes: written) }
        try require(again.keyBytes == written, "\(Self.self), written again, is another key: \(hexadecimal(written))")
        let stored = RecordKey(written)
        try require(stored.bytes.count <= StorageLimits.maxKeySize, "a key of \(stored.bytes.count) bytes")
    }
}

/// An id of several values.
struct FuzzedTuple: StorableKey {
    var text: String
    var number: Decimal?
    var data: Data
    var date: Date

    func encode(into key: inout KeyEncoder) {
        text.encode(into: &key)
        number.encode(into: &key)
        data.encode(into: &key)
        date.encode(into: &key)
    }

    init(from key: inout KeyDecoder) throws {
        text = try String(from: &key)
        number = try Decimal?(from: &key)
        data = try Data(from: &key)
        date = try Date(from: &key)
    }
}
