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
    /// A byte, 1 for a negative one, then the magnitude in sixteen bytes; only for values beyond 64 bits.
    case largeInteger = 0x0E
    /// The class of a value of sixteen bytes that has no tag of its own, then its bytes.
    case wide = 0x0F
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

    /// How many members a container may have, names and keys not counted: a bound on the memory that reading untrusted bytes can take, of which a
    /// nil in a list of optionals is one.
    static let maxMembers = 1 << 22
}

extension ByteWriter {
    mutating func append(tag: NestedTag) {
        append(tag.rawValue)
    }

    /// Appends an integer with its tag, in one byte from 0 to 31.
    mutating func append(nested value: Int64) {
        if value >= 0 && value < 32 { return append(NestedTag.smallInt | UInt8(value)) }
        append(tag: .int)
        append(varint: UInt64(bitPattern: value << 1 ^ value >> 63))
    }

    /// Appends an integer above `Int64.max` with its tag.
    mutating func append(nested value: UInt64) {
        append(tag: .uint)
        append(varint: value)
    }

    /// Appends a string with its tag, the length in the tag up to 63 bytes.
    mutating func append(nested value: String) {
        appendTextHead(size: value.utf8.count)
        append(utf8: value)
    }

    /// Appends UTF-8 as a string is.
    mutating func append(nestedText text: UnsafeRawBufferPointer) {
        appendTextHead(size: text.count)
        append(text)
    }

    private mutating func appendTextHead(size: Int) {
        if size < 64 { return append(NestedTag.shortString | UInt8(size)) }
        append(tag: .string)
        append(varint: UInt64(size))
    }

    /// Throws when a container here would be too deep. To be called before the members of one are looked at, since those are as deep.
    func checkDepth() throws {
        guard depth < NestedTag.maxDepth else {
            throw DecodingFault.unfit(reason: "values nest deeper than \(NestedTag.maxDepth) levels")
        }
    }

    /// Appends a container: its tag, count and length around what `body` appends.
    mutating func container(_ tag: NestedTag, count elements: Int, _ body: (inout ByteWriter) throws -> Void) throws {
        try checkDepth()
        guard elements <= NestedTag.maxMembers else {
            throw DecodingFault.unfit(reason: "it has \(elements) members; a collection has up to \(NestedTag.maxMembers)")
        }
        depth += 1
        append(tag: tag)
        append(varint: UInt64(elements))
        let place = count
        append(UInt32(0))
        try body(&self)
        guard let length = UInt32(exactly: count - place - 4) else {
            throw DecodingFault.unfit(reason: "a nested value is over 4 GiB")
        }
        base.storeBytes(of: length.littleEndian, toByteOffset: place, as: UInt32.self)
        depth -= 1
    }

    /// Appends values by name, ascending by the names' UTF-8 bytes.
    mutating func object<Value>(
        _ values: [String: Value], _ body: (Value, inout ByteWriter) throws -> Void
    ) throws {
        try container(.object, count: values.count) { bytes in
            for (name, value) in values.sorted(by: { $0.key.precedesInBytes($1.key) }) {
                bytes.append(name: name)
                try body(value, &bytes)
            }
        }
    }

    /// Appends a name of an object.
    mutating func append(name: String) {
        append(varint: UInt64(name.utf8.count))
        append(utf8: name)
    }

    /// The bytes of one nested value that will stand `depth` containers deep.
    static func nestedBytes(of value: some Storable, depth: Int) throws -> [UInt8] {
        var bytes = ByteWriter(capacity: 64)
        bytes.depth = depth
        try value.encodeNested(into: &bytes)
        return bytes.bytes()
    }
}

extension ByteReader {
    /// Passes over a null and returns true, or leaves the next value where it is.
    mutating func takeNull() throws -> Bool { try take(tag: .null) }

    /// Passes the next value's tag if it is this one.
    mutating func take(tag: NestedTag) throws -> Bool {
        guard try peek() == tag.rawValue else { return false }
        _ = try load(UInt8.self)
        return true
    }

    /// The next bytes as they are in memory, when they follow a byte with this tag; otherwise nothing is read, and nil.
    @inlinable @inline(__always)
    mutating func take<Value: BitwiseCopyable>(_ type: Value.Type, tagged tag: UInt8) -> Value? {
        guard end &- position > MemoryLayout<Value>.size, buffer[position] == tag else { return nil }
        let value = buffer.loadUnaligned(fromByteOffset: position &+ 1, as: type)
        position &+= 1 &+ MemoryLayout<Value>.size
        return value
    }

    /// The next name of an object.
    mutating func name() throws -> String {
        try string(count: count())
    }

    /// Reads a container: checks its tag and that its values take just the length it tells.
    mutating func container<Result>(
        _ tag: NestedTag, _ body: (inout ByteReader, _ count: Int) throws -> Result
    ) throws -> Result {
        let found = try load(UInt8.self)
        guard found == tag.rawValue else {
            throw TroveError.corruptValue(reason: "found the tag \(found) where \(tag) was expected")
        }
        guard depth < NestedTag.maxDepth else {
            throw TroveError.corruptValue(reason: "values nest deeper than \(NestedTag.maxDepth) levels")
        }
        depth += 1
        let (elements, length) = try containerHead(tag)
        let before = remaining
        let result = try body(&self, elements)
        guard before - remaining == length else { throw Self.wrongLength }
        depth -= 1
        return result
    }

    /// The count and the length of a container of which the tag has been read: so many bytes are there, and each member takes at least one of them,
    /// with its name or key two.
    mutating func containerHead(_ tag: NestedTag) throws -> (count: Int, length: Int) {
        let count = try count()
        let length = Int(try integer(UInt32.self))
        guard length <= remaining, count <= (tag == .array ? length : length / 2) else { throw Self.truncated }
        guard count <= NestedTag.maxMembers else {
            throw TroveError.corruptValue(reason: "a collection has \(count) members, more than \(NestedTag.maxMembers)")
        }
        return (count, length)
    }

    static var wrongLength: TroveError { .corruptValue(reason: "the length of a container differs from that of its values") }

    /// Reads an array.
    @usableFromInline mutating func array<Result>(_ body: (inout ByteReader, _ count: Int) throws -> Result) throws -> Result {
        try container(.array, body)
    }
}
