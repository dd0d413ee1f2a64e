import Foundation
import Trove

enum Genre: String, Codable, CaseIterable, Sendable { case jazz, rock, classical }
enum Priority: Int16, Codable, Sendable { case low = -1, normal = 0, high = 1 }

struct Address: Codable, Hashable, Sendable {
    var street: String
    var city: String?
    var position: [Double]
    var since: Date
    var tags: [String: [UUID]]
}

indirect enum Formula: Codable, Hashable, Sendable {
    case number(Decimal)
    case sum(Formula, Formula)
    case named(name: String, value: Formula?)
}

/// A model with a property of every kind that can be stored.
@Model
struct EveryType: Equatable {
    var bool: Bool
    var int: Int, int8: Int8, int16: Int16, int32: Int32, int64: Int64
    var uint: UInt, uint8: UInt8, uint16: UInt16, uint32: UInt32, uint64: UInt64
    var int128: Int128, uint128: UInt128
    var float: Float
    var double: Double
    var decimal: Decimal
    var string: String
    var data: Data
    var date: Date
    var duration: Duration
    var uuid: UUID
    var url: URL
    var objectID: ObjectID
    var geoPoint: GeoPoint
    var genre: Genre
    var priority: Priority
    var address: Address
    var expression: Formula

    var optionalBool: Bool?
    var optionalInt: Int?
    var optionalDouble: Double?
    var optionalDecimal: Decimal?
    var optionalString: String?
    var optionalData: Data?
    var optionalDate: Date?
    var optionalUUID: UUID?
    var optionalURL: URL?
    var optionalGeoPoint: GeoPoint?
    var optionalGenre: Genre?
    var optionalPriority: Priority?
    var optionalAddress: Address?
    var doubleOptional: Int??

    var strings: [String]
    var optionalStrings: [String]?
    var numbers: [Int?]
    var grid: [[Double]]
    var genres: [Genre]
    var addresses: [Address]
    var set: Set<String>
    var uuids: Set<UUID>
    var counts: [String: Int]
    var names: [Int: String]
    var deep: [String: [[UInt64: Set<Data>]]]
}

extension EveryType {
    /// Values at one end of their types: least, empty, nil.
    static var least: EveryType {
        EveryType(
            bool: false, int: .min, int8: .min, int16: .min, int32: .min, int64: .min, uint: .min, uint8: .min, uint16: .min,
            uint32: .min, uint64: .min, int128: .min, uint128: .min, float: -.infinity, double: -.greatestFiniteMagnitude,
            decimal: -Decimal.greatestFiniteMagnitude, string: "", data: Data(), date: .distantPast, duration: .seconds(-1),
            uuid: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)), url: URL(string: "a:")!,
            objectID: ObjectID(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))), geoPoint: GeoPoint(latitude: -90, longitude: -180)!, genre: .jazz, priority: .low,
            address: Address(street: "", city: nil, position: [], since: .distantPast, tags: [:]), expression: .number(0),
            strings: [], numbers: [], grid: [], genres: [], addresses: [], set: [], uuids: [], counts: [:], names: [:], deep: [:])
    }

    /// Values at the other end: greatest, long, nested.
    static var greatest: EveryType {
        let uuid = UUID()
        let address = Address(
            street: String(repeating: "Straße 🎷 ", count: 40), city: "Zürich", position: [47.3769, -0.0, .infinity],
            since: Date(timeIntervalSinceReferenceDate: 0), tags: ["": [uuid], "long": Array(repeating: uuid, count: 50)])
        return EveryType(
            bool: true, int: .max, int8: .max, int16: .max, int32: .max, int64: .max, uint: .max, uint8: .max, uint16: .max,
            uint32: .max, uint64: .max, int128: .max, uint128: .max, float: .leastNonzeroMagnitude, double: .leastNonzeroMagnitude,
            decimal: Decimal.greatestFiniteMagnitude, string: String(repeating: "日本語\0\u{10FFFF}", count: 100),
            data: Data((0...255).map { UInt8($0) }), date: Date(timeIntervalSince1970: -0.123456789), duration: .nanoseconds(1), uuid: uuid,
            url: URL(string: "https://user@example.org:8080/a%20b?q=1#f")!, objectID: ObjectID(), geoPoint: GeoPoint(latitude: 90, longitude: 180)!, genre: .classical, priority: .high,
            address: address,
            expression: .sum(.named(name: "x", value: nil), .sum(.number(Decimal(string: "0.1")!), .named(name: "y", value: .number(2)))),
            optionalBool: false, optionalInt: 0, optionalDouble: 0, optionalDecimal: Decimal(string: "-1.50"), optionalString: "",
            optionalData: Data(), optionalDate: Date(timeIntervalSince1970: 0), optionalUUID: uuid, optionalURL: URL(string: "a:b"), optionalGeoPoint: GeoPoint(latitude: 0.1, longitude: -1e-9),
            optionalGenre: .rock, optionalPriority: .normal, optionalAddress: address, doubleOptional: .some(.some(7)),
            strings: ["", "a", String(repeating: "x", count: 63), String(repeating: "y", count: 64), String(repeating: "z", count: 70_000)],
            optionalStrings: [], numbers: [nil, 0, 31, 32, -1, .max, .min, nil], grid: [[], [1], [2, -0.0]],
            genres: Genre.allCases, addresses: [address, address], set: ["a", "", "b"], uuids: [uuid, UUID()],
            counts: ["a": 1, "b": -1, "": .max], names: [1: "one", -1: "minus one", .max: ""],
            deep: ["x": [[:], [.max: [Data([1]), Data()]]]])
    }
}
