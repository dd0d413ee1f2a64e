/// The names by which JSON tells a value's type where its own syntax does not: `{"$date": "2001-01-01T00:00:00Z"}`.
///
/// A tag is the only name of its object. Other names that begin with `$` get a second one.
enum JSONTag: String, CaseIterable {
    case int = "$int"
    case float = "$float"
    case double = "$double"
    case decimal = "$decimal"
    case data = "$data"
    case url = "$url"
    case date = "$date"
    case duration = "$duration"
    case uuid = "$uuid"
    case objectID = "$objectID"
    case geoPoint = "$geoPoint"
    case dictionary = "$dictionary"

    static let mark = UInt8(ascii: "$")

    /// Integers up to this one, and down to its negative, are written as plain numbers: those that every reader of JSON takes for what they are.
    static let maxPlainInteger: Int64 = 1 << 53 - 1

    private static let names = allCases.map { (tag: $0, name: Array($0.rawValue.utf8)) }

    init?(_ name: UnsafeRawBufferPointer) {
        guard let known = Self.names.first(where: { known in known.name.withUnsafeBytes { $0.hasBytes(of: name) } }) else { return nil }
        self = known.tag
    }

    /// All names, for messages.
    static var list: String { allCases.map(\.rawValue).joined(separator: ", ") }
}

extension UnsafeRawBufferPointer {
    /// Whether both have the same bytes.
    @inline(__always)
    func hasBytes(of other: UnsafeRawBufferPointer) -> Bool { count == other.count && KeyList.compare(self, other) == 0 }

    @inline(__always)
    func hasBytes(of text: StaticString) -> Bool { hasBytes(of: UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)) }
}
