/// The first byte of a nested value; `docs/format.md` draws what follows each.
enum NestedTag: UInt8 {
    case null = 0x00
    case `false` = 0x01
    case `true` = 0x02
    /// Zigzag varint.
    case int = 0x03
    /// Varint; only for values above `Int64.max`.
    case uint = 0x04
    case float = 0x05
    case double = 0x06
    case decimal = 0x07
    /// Varint length, then UTF-8.
    case string = 0x08
    case data = 0x09
    case url = 0x0A
    case date = 0x0B
    case uuid = 0x0C
    case objectID = 0x0D
    /// Varint count, four bytes of length, then the values.
    case array = 0x10
    /// As an array, of names (varint length and UTF-8, no tag) and values, ascending by name.
    case object = 0x11
    /// As an array, of keys and values, ascending by the keys' bytes.
    case dictionary = 0x12

    /// From here on a byte is the tag and the value of an integer, 0 to 31.
    static let smallInt: UInt8 = 0x20
    /// From here on a byte is the tag and the length of a string, 0 to 63.
    static let shortString: UInt8 = 0x40

    /// How deep values may nest: a bound on the stack that reading untrusted bytes can take.
    static let maxDepth = 256
}
