import Foundation

/// The types of single values, each with a line here for each of the ways in which it is met. A new one needs a case of ``FieldType``, one of
/// ``StoredValue``, a file of its own beside this one, and its lines below.
enum ScalarTypes {
    static let all: [any Scalar.Type] = [
        Bool.self, Int8.self, Int16.self, Int32.self, Int64.self, UInt8.self, UInt16.self, UInt32.self, UInt64.self, Int128.self,
        UInt128.self, Float.self, Double.self, Decimal.self, String.self, Data.self, URL.self, Date.self, Duration.self, UUID.self,
        ObjectID.self, GeoPoint.self,
    ]

    /// Those that keep a form of their own inside `Codable` values, where `Codable` itself knows nothing of them.
    static let keptInCodable: [any Scalar.Type] = [Date.self, Duration.self, UUID.self, Decimal.self, Data.self, URL.self, ObjectID.self, GeoPoint.self]
}

extension FieldType {
    /// The type of single values; nil for an optional, a collection, a `Codable` and a lazy value.
    var scalar: (any Scalar.Type)? {
        switch self {
        case .bool: Bool.self
        case .int8: Int8.self
        case .int16: Int16.self
        case .int32: Int32.self
        case .int64: Int64.self
        case .uint8: UInt8.self
        case .uint16: UInt16.self
        case .uint32: UInt32.self
        case .uint64: UInt64.self
        case .int128: Int128.self
        case .uint128: UInt128.self
        case .float: Float.self
        case .double: Double.self
        case .decimal: Decimal.self
        case .string: String.self
        case .data: Data.self
        case .url: URL.self
        case .date: Date.self
        case .duration: Duration.self
        case .uuid: UUID.self
        case .objectID: ObjectID.self
        case .geoPoint: GeoPoint.self
        case .optional, .array, .set, .dictionary, .codable, .lazy: nil
        }
    }
}

extension StoredValue {
    /// The single value; nil for nil and containers.
    var scalar: (any Scalar)? {
        switch self {
        case .bool(let value): value
        case .int(let value): value
        case .uint(let value): value
        case .int128(let value): value
        case .uint128(let value): value
        case .float(let value): value
        case .double(let value): value
        case .decimal(let value): value
        case .string(let value): value
        case .data(let value): value
        case .url(let value): value
        case .date(let value): value
        case .duration(let value): value
        case .uuid(let value): value
        case .objectID(let value): value
        case .geoPoint(let value): value
        case .null, .array, .object, .dictionary: nil
        }
    }
}

/// Which values compare with which; `docs/search.md` has the table. Where only a value tells its type, this is their order.
///
/// The numbers are on the disk: new ones go last.
enum ValueClass: UInt8, Sendable {
    case bool = 1, number, date, text, url, data, uuid, objectID
    /// Arrays and keyed values, all alike: they have no order.
    case container
    case duration
    case geoPoint

    /// The type of values of sixteen bytes that are in the order of the values; nil when the class has other values.
    var wideScalar: (any WideScalar.Type)? {
        switch self {
        case .uuid: UUID.self
        case .objectID: ObjectID.self
        case .duration: Duration.self
        case .geoPoint: GeoPoint.self
        case .bool, .number, .date, .text, .url, .data, .container: nil
        }
    }
}

extension ValueClass {
    /// The class of a field's values; nil when only the value tells.
    init?(_ type: FieldType) {
        switch type {
        case .array, .set, .dictionary: self = .container
        case .optional(let wrapped): self.init(wrapped)
        default:
            guard let scalar = type.scalar else { return nil }
            self = scalar.valueClass
        }
    }

    /// The class of a literal; nil for nil.
    init?(_ value: StoredValue) {
        switch value {
        case .null: return nil
        case .array, .object, .dictionary: self = .container
        default:
            guard let scalar = value.scalar else { return nil }
            self = type(of: scalar).valueClass
        }
    }

    /// The class of a value that is not nil.
    init(_ value: FieldValue) {
        self =
            switch value {
            case .bool: .bool
            case .int, .uint, .largeInteger, .float, .double, .decimal: .number
            case .date: .date
            case .text: .text
            case .url: .url
            case .data: .data
            case .wide(let valueClass, _, _): valueClass
            case .null, .container: .container
            }
    }

    /// Whether `<` has a meaning.
    var isOrdered: Bool { self != .bool && self != .container }

    /// How a value of the class ends as a part of an index, where only the value tells its type.
    var partForm: PartForm {
        switch self {
        case .bool: .fixed(1)
        case .date: .fixed(8)
        case .text, .url, .data: .terminated
        case .number: .anyNumber
        case .container: .none
        default: .fixed(16)
        }
    }
}
