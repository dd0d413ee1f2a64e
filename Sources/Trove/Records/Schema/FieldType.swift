/// How a property's values are stored.
public indirect enum FieldType: Sendable, Hashable {
    case bool
    case int8, int16, int32, int64
    case uint8, uint16, uint32, uint64
    case float, double
    case decimal
    case string, data, url
    case date
    case uuid, objectID
    /// A value that may be nil.
    case optional(FieldType)
    /// An ordered collection.
    case array(FieldType)
    /// A collection without order or repetition.
    case set(FieldType)
    /// Values by key.
    case dictionary(FieldType, FieldType)
    /// A `Codable` value, with its Swift type's name for people to read.
    case codable(String)

    /// The type without its optional layers.
    public var unwrapped: FieldType {
        if case .optional(let wrapped) = self { wrapped.unwrapped } else { self }
    }

    /// How many optional layers the type has; each takes one bit of a record.
    var optionalDepth: Int {
        if case .optional(let wrapped) = self { wrapped.optionalDepth + 1 } else { 0 }
    }

    /// The bytes a value takes in a record's fixed part; nil when it goes to the variable part.
    var fixedSize: Int? {
        switch self {
        case .bool, .int8, .uint8: 1
        case .int16, .uint16: 2
        case .int32, .uint32, .float: 4
        case .int64, .uint64, .double, .date: 8
        case .uuid, .objectID: 16
        case .decimal: 18
        case .optional(let wrapped): wrapped.fixedSize
        case .string, .data, .url, .array, .set, .dictionary, .codable: nil
        }
    }
}
