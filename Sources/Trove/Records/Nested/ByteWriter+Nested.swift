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
        let size = value.utf8.count
        if size < 64 {
            append(NestedTag.shortString | UInt8(size))
        } else {
            append(tag: .string)
            append(varint: UInt64(size))
        }
        append(utf8: value)
    }

    /// Appends a container: its tag, count and length around what `body` appends.
    mutating func container(_ tag: NestedTag, count elements: Int, _ body: (inout ByteWriter) throws -> Void) throws {
        guard depth < NestedTag.maxDepth else {
            throw DecodingFault.unfit(reason: "values nest deeper than \(NestedTag.maxDepth) levels")
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
            for (name, value) in values.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
                bytes.append(varint: UInt64(name.utf8.count))
                bytes.append(utf8: name)
                try body(value, &bytes)
            }
        }
    }

    /// The bytes of one nested value that will stand `depth` containers deep.
    static func nestedBytes(of value: some Storable, depth: Int) throws -> [UInt8] {
        var bytes = ByteWriter(capacity: 64)
        bytes.depth = depth
        try value.encodeNested(into: &bytes)
        return bytes.bytes()
    }
}
