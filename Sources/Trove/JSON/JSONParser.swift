/// Reads JSON (RFC 8259) into the nested encoding of values, in one pass.
///
/// What is read is checked as it comes: names that are there twice, depth, numbers, UTF-8. Each level that calls itself is a level of the value, of which
/// there are no more than can be stored; memory is bounded by a small multiple of the text.
struct JSONParser: ~Copyable {
    /// The text; valid during the closure in which the parser was made or restarted.
    private(set) var bytes: UnsafeRawBufferPointer
    var position = 0
    /// A text without its escapes.
    var unescaped = ByteWriter(capacity: 64)
    /// The members of the objects that are being read.
    var members: [Member] = []
    /// How many containers of the value are open.
    private var depth = 0
    private let maxMembers: Int

    /// - Parameter maxMembers: how many members a container has at most.
    init(_ bytes: UnsafeRawBufferPointer, maxMembers: Int = NestedTag.maxMembers) {
        self.bytes = bytes
        self.maxMembers = maxMembers
        // A byte order mark says nothing of UTF-8; some programs write it.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    /// A part of a text, which begins with no byte order mark.
    init(part bytes: UnsafeRawBufferPointer) {
        self.init(bytes)
        position = 0
    }

    /// Begins anew with another text, keeping the memory.
    mutating func restart(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        position = 0
        depth = 0
        members.removeAll(keepingCapacity: true)
    }

    /// Reads all of a text.
    ///
    /// - Throws: ``TroveError/invalidJSON(line:column:offset:reason:)`` with the place of the mistake; what else `body` throws.
    static func read<Result>(_ text: String, _ body: (inout JSONParser) throws -> Result) throws -> Result {
        try text.withRawUTF8 { bytes in
            do {
                var parser = JSONParser(bytes)
                let result = try body(&parser)
                try parser.finish()
                return result
            } catch let fault as JSONFault {
                throw fault.error(in: bytes)
            }
        }
    }

    // MARK: - Places

    func fault(_ reason: String, at offset: Int? = nil) -> JSONFault { JSONFault(offset: offset ?? position, reason: reason) }

    @inline(__always)
    mutating func skipSpace() {
        while position < bytes.count {
            let byte = bytes[position]
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
            position &+= 1
        }
    }

    @inline(__always)
    mutating func take(_ byte: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: byte) else { return false }
        position &+= 1
        return true
    }

    /// Passes space and a byte that has to be there.
    mutating func require(_ byte: Unicode.Scalar, _ expected: String) throws(JSONFault) {
        skipSpace()
        guard take(byte) else { throw fault("\(expected) was expected, not \(found)") }
    }

    /// What stands here, for messages.
    var found: String {
        guard position < bytes.count else { return "the end" }
        let byte = bytes[position]
        return byte > 0x20 && byte < 0x7F ? "'\(Unicode.Scalar(byte))'" : "the byte \(byte)"
    }

    /// Throws when anything but space is left.
    mutating func finish() throws(JSONFault) {
        skipSpace()
        guard position == bytes.count else { throw fault("the end was expected after the value, not \(found)") }
    }

    // MARK: - Values

    /// Appends the next value.
    mutating func value(into output: inout ByteWriter) throws(JSONFault) {
        skipSpace()
        guard position < bytes.count else { throw fault("a value was expected, not the end") }
        switch bytes[position] {
        case UInt8(ascii: "\""):
            position += 1
            output.append(nestedText: try text())
        case UInt8(ascii: "{"): try object(into: &output)
        case UInt8(ascii: "["): try array(into: &output)
        case UInt8(ascii: "t"): try word("true", .true, &output)
        case UInt8(ascii: "f"): try word("false", .false, &output)
        case UInt8(ascii: "n"): try word("null", .null, &output)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try number().append(to: &output)
        default: throw fault("a value was expected, not \(found)")
        }
    }

    private mutating func word(_ word: StaticString, _ tag: NestedTag, _ output: inout ByteWriter) throws(JSONFault) {
        let expected = UnsafeRawBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
        guard bytes[position...].starts(with: expected) else { throw fault("a value was expected; the only words are true, false and null") }
        position += expected.count
        output.append(tag: tag)
    }

    private mutating func array(into output: inout ByteWriter) throws(JSONFault) {
        let head = try open(.array, &output)
        var count = 0
        position += 1
        skipSpace()
        if !take("]") {
            repeat {
                try checkRoom(after: count)
                try value(into: &output)
                count += 1
                skipSpace()
            } while take(",")
            try require("]", "',' or ']'")
        }
        try close(head, count, &output)
    }

    /// What `element` makes of each element of an array whose bracket was passed, to its end.
    mutating func elements<Element>(_ element: (inout JSONParser) throws -> Element) throws -> [Element] {
        var elements: [Element] = []
        skipSpace()
        if take("]") { return elements }
        repeat {
            elements.append(try element(&self))
            skipSpace()
        } while take(",")
        try require("]", "',' or ']'")
        return elements
    }

    // MARK: - Containers

    /// Begins a container; `close` gets what it returns.
    mutating func open(_ tag: NestedTag, _ output: inout ByteWriter, at place: Int? = nil) throws(JSONFault) -> Int {
        guard depth < NestedTag.maxDepth else { throw fault("values nest deeper than \(NestedTag.maxDepth) levels", at: place) }
        depth += 1
        output.append(tag: tag)
        // The count, when it is small, and the length.
        output.append(UInt8(0))
        output.append(UInt32(0))
        return output.count
    }

    /// Throws when a container has as many members as it can.
    @inline(__always)
    func checkRoom(after count: Int) throws(JSONFault) {
        guard count < maxMembers else { throw fault("a collection has up to \(maxMembers) members, and here is one more") }
    }

    /// Ends the container whose members begin at `head`.
    mutating func close(_ head: Int, _ count: Int, _ output: inout ByteWriter) throws(JSONFault) {
        depth -= 1
        let length = output.count - head
        guard let length32 = UInt32(exactly: length) else { throw fault("a nested value is over 4 GiB") }
        if count < 0x80 {
            output.base.storeBytes(of: UInt8(count), toByteOffset: head - 5, as: UInt8.self)
            output.base.storeBytes(of: length32.littleEndian, toByteOffset: head - 4, as: UInt32.self)
            return
        }
        // A count that takes more than one byte pushes the members on.
        let extra = count < 0x4000 ? 1 : count < 0x20_0000 ? 2 : 3
        output.reserve(extra)
        (output.base + head + extra).copyMemory(from: output.base + head, byteCount: length)
        output.count = head - 5
        output.append(varint: UInt64(count))
        output.append(length32.littleEndian)
        output.count += length
    }
}
