/// The stored type of a property's values.
public indirect enum FieldType: Sendable, Hashable {
    /// `Bool`.
    case bool
    /// `Int8`.
    case int8
    /// `Int16`.
    case int16
    /// `Int32`.
    case int32
    /// `Int64`, and `Int`.
    case int64
    /// `UInt8`.
    case uint8
    /// `UInt16`.
    case uint16
    /// `UInt32`.
    case uint32
    /// `UInt64`, and `UInt`.
    case uint64
    /// `Int128`.
    case int128
    /// `UInt128`.
    case uint128
    /// `Float`.
    case float
    /// `Double`.
    case double
    /// `Decimal`.
    case decimal
    /// `String`.
    case string
    /// `Data`.
    case data
    /// `URL`.
    case url
    /// `Date`.
    case date
    /// `Duration`.
    case duration
    /// `UUID`.
    case uuid
    /// ``ObjectID``.
    case objectID
    /// ``GeoPoint``.
    case geoPoint
    /// A value that may be nil.
    case optional(FieldType)
    /// An ordered collection.
    case array(FieldType)
    /// A collection without order and repetitions.
    case set(FieldType)
    /// Values by their keys.
    case dictionary(FieldType, FieldType)
    /// A `Codable` value, with its Swift type's name for people to read.
    case codable(String)
    /// A value that is read when it is first used, see ``Lazy``. It stands for itself, in no other type.
    case lazy(FieldType)

    /// The type without its optional layers.
    public var unwrapped: FieldType {
        if case .optional(let wrapped) = self { wrapped.unwrapped } else { self }
    }

    /// Whether the values may be stored apart from their records.
    var isLazy: Bool {
        if case .lazy = self { true } else { false }
    }

    /// Whether the type contains a lazy type, where nothing could load it later.
    var hasLazyPart: Bool {
        switch self {
        case .optional(let type), .array(let type), .set(let type), .lazy(let type): type.isLazy || type.hasLazyPart
        case .dictionary(let key, let value): [key, value].contains { $0.isLazy || $0.hasLazyPart }
        default: false
        }
    }

    /// The number of optional layers of the type; each takes one bit of a record.
    var optionalDepth: Int {
        if case .optional(let wrapped) = self { wrapped.optionalDepth + 1 } else { 0 }
    }

    /// The number of bytes of a value in a record's fixed part; nil when it goes into the variable part.
    var fixedSize: Int? {
        switch self {
        case .optional(let wrapped): wrapped.fixedSize
        // The commonest, which each nil that is written or read asks for.
        case .int64, .double, .date: 8
        case .int32: 4
        case .bool: 1
        case .string: nil
        default: scalar?.fixedSize
        }
    }
}

extension FieldType {
    /// How the ids of this type are stored: natively, or by their raw values; nil for ids made of several values.
    init?(ofID type: any StorableKey.Type) {
        func rawType<Value: RawRepresentable>(_ type: Value.Type) -> (any Storable.Type)? { Value.RawValue.self as? any Storable.Type }
        guard let native = type as? any Storable.Type ?? (type as? any RawRepresentable.Type).flatMap({ rawType($0) }) else { return nil }
        self = native.fieldType
    }
}

extension FieldType {
    /// Whether every value of this stored type can be read as `declared` without loss.
    ///
    /// Integers widen to larger integers that hold all their values, to `Double` up to 32 bits, to `Float` up to 16,
    /// and to `Decimal`; `Float` to `Double`; a type to its optional; `URL` to `String`; elements and
    /// dictionary values likewise. `Codable` types decode by their own rules, whatever their name.
    func widens(to declared: FieldType) -> Bool {
        if self == declared { return true }
        switch (self, declared) {
        case (.lazy(let stored), .lazy(let declared)): return stored.widens(to: declared)
        case (.lazy(let stored), _): return stored.widens(to: declared)
        case (_, .lazy(let declared)): return widens(to: declared)
        case (.optional(let stored), .optional(let wrapped)): return stored.widens(to: wrapped)
        case (_, .optional(let wrapped)): return widens(to: wrapped)
        case (.array(let stored), .array(let element)), (.set(let stored), .set(let element)):
            return stored.widens(to: element)
        case (.set(let stored), .array(let element)): return stored.widens(to: element)
        case (.dictionary(let key, let stored), .dictionary(let declaredKey, let value)):
            return key == declaredKey && stored.widens(to: value)
        case (.codable, .codable): return true
        case (.float, .double), (.url, .string): return true
        default:
            guard let integer = scalar?.integer else { return false }
            switch declared {
            case .decimal: return integer.bitWidth <= 64
            case .double: return integer.bitWidth <= 32
            case .float: return integer.bitWidth <= 16
            default:
                guard let other = declared.scalar?.integer else { return false }
                return integer.isSigned == other.isSigned
                    ? integer.bitWidth <= other.bitWidth : !integer.isSigned && integer.bitWidth < other.bitWidth
            }
        }
    }
}

extension FieldType {
    /// Whether every value of this stored type has the nested bytes of one of `declared`, so that who reads that needs no conversion.
    func nests(as declared: FieldType) -> Bool {
        if self == declared { return true }
        return switch (self, declared) {
        case (.optional(let stored), .optional(let wrapped)): stored.nests(as: wrapped)
        case (_, .optional(let wrapped)): nests(as: wrapped)
        case (.array(let stored), .array(let element)), (.set(let stored), .set(let element)), (.set(let stored), .array(let element)):
            stored.nests(as: element)
        case (.dictionary(let key, let stored), .dictionary(let declaredKey, let value)): key == declaredKey && stored.nests(as: value)
        case (.codable, .codable): true
        // All of them nest in their narrowest form.
        default: scalar?.integer != nil && declared.scalar?.integer != nil && widens(to: declared)
        }
    }
}
