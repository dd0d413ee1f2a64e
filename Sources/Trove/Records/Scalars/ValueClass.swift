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
