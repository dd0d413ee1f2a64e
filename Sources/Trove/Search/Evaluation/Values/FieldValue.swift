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
    case uuid(high: UInt64, low: UInt64)
    case objectID(high: UInt64, low: UInt64)
    case container(FieldContainer)

    @inline(__always)
    static func unsigned(_ value: UInt64) -> FieldValue {
        value > UInt64(Int64.max) ? .uint(value) : .int(Int64(value))
    }

    @inline(__always)
    var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// The value as a number; nil when it is none.
    var number: ExactNumber? {
        switch self {
        case .int(let value): .int(value)
        case .uint(let value): .uint(value)
        case .float(let value): .double(Double(value))
        case .double(let value): .double(value)
        case .decimal(let value): .decimal(value)
        default: nil
        }
    }

    /// The UTF-8 of a text; nil when it is none. `type` is the static one of the path it was read from: a URL is a text where it is
    /// known to be one, and inside `Codable` values it is not, as it has a place of its own in indexes there.
    func text(of type: FieldType?) -> UnsafeRawBufferPointer? {
        switch self {
        case .text(let bytes): bytes
        case .url(let bytes): type == .url ? bytes : nil
        default: nil
        }
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
