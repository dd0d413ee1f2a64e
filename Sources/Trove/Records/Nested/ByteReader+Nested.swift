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
        return try containerBody(body)
    }

    /// Reads an array.
    @usableFromInline mutating func array<Result>(_ body: (inout ByteReader, _ count: Int) throws -> Result) throws -> Result {
        try container(.array, body)
    }

    /// Reads a container of which the tag has been read.
    mutating func containerBody<Result>(_ body: (inout ByteReader, _ count: Int) throws -> Result) throws -> Result {
        guard depth < NestedTag.maxDepth else {
            throw TroveError.corruptValue(reason: "values nest deeper than \(NestedTag.maxDepth) levels")
        }
        depth += 1
        let elements = try count()
        let length = Int(try integer(UInt32.self))
        let before = remaining
        guard length <= before else { throw Self.truncated }
        let result = try body(&self, elements)
        guard before - remaining == length else {
            throw TroveError.corruptValue(reason: "a container's values do not take the length it tells")
        }
        depth -= 1
        return result
    }
}
