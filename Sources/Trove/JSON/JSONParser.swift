/// Reads JSON (RFC 8259) into the nested encoding of values, in one pass.
///
/// What is read is checked as it comes: names that are there twice, depth, numbers, UTF-8. Each level that calls itself is a level of the value, of which
/// there are no more than can be stored; memory is bounded by a small multiple of the text.
struct JSONParser: ~Copyable {
    /// A name and a value of an object that is being read, by their places in the output.
    private struct Member {
        /// Where the name's length begins, the name, and the value; where that ends.
        let start, name, value, end: Int
        /// Where the name stands in the text.
        let place: Int
    }

    /// The text; valid during the closure in which the parser was made or restarted.
    private(set) var bytes: UnsafeRawBufferPointer
    var position = 0
    /// A text without its escapes.
    var unescaped = ByteWriter(capacity: 64)
    /// How many containers of the value are open.
    private var depth = 0
    private var members: [Member] = []
    private let maxMembers: Int

    /// - Parameter maxMembers: how many members a container has at most.
    init(_ bytes: UnsafeRawBufferPointer, maxMembers: Int = NestedTag.maxMembers) {
        self.bytes = bytes
        self.maxMembers = maxMembers
        // A byte order mark says nothing of UTF-8; some programs write it.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    /// Begins anew with another text, keeping the memory.
    mutating func restart(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        position = 0
        depth = 0
        members.removeAll(keepingCapacity: true)
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

    /// An object, or the value that one with a tag stands for.
    private mutating func object(into output: inout ByteWriter) throws(JSONFault) {
        let start = position
        position += 1
        skipSpace()
        if take("}") {
            position = start
            let head = try open(.object, &output)
            position = start + 1
            skipSpace()
            position += 1
            return try close(head, 0, &output)
        }
        let firstPlace = position
        try require("\"", "a name in double quotes, or '}',")
        let first = try text()
        if let byte = first.first, byte == JSONTag.mark, first.count < 2 || first[1] != JSONTag.mark {
            guard let tag = JSONTag(first) else {
                throw fault("'\(String(storedUTF8: first))' is not a tag; the tags are \(JSONTag.list), and a name that begins with $ is written with $$", at: firstPlace)
            }
            try require(":", "':'")
            try tagged(tag, into: &output)
            return try require("}", "'}', since a tag is the only name of its object,")
        }
        let head = try open(.object, &output, at: start)
        let base = members.count
        try checkRoom(after: 0)
        try member(first, at: firstPlace, into: &output)
        skipSpace()
        while take(",") {
            skipSpace()
            try checkRoom(after: members.count - base)
            let place = position
            try require("\"", "a name in double quotes")
            try member(try text(), at: place, into: &output)
            skipSpace()
        }
        try require("}", "',' or '}'")
        let count = members.count - base
        try sortMembers(from: base, &output)
        members.removeSubrange(base...)
        try close(head, count, &output)
    }

    /// Reads the value of a name that has been read, and appends both.
    private mutating func member(_ written: UnsafeRawBufferPointer, at place: Int, into output: inout ByteWriter) throws(JSONFault) {
        let name = try plainName(written, at: place)
        let start = output.count
        output.append(varint: UInt64(name.count))
        let nameStart = output.count
        output.append(name)
        let valueStart = output.count
        try require(":", "':'")
        try value(into: &output)
        members.append(Member(start: start, name: nameStart, value: valueStart, end: output.count, place: place))
    }

    /// A name as it is without the `$` that tells it from a tag.
    func plainName(_ written: UnsafeRawBufferPointer, at place: Int) throws(JSONFault) -> UnsafeRawBufferPointer {
        guard let byte = written.first, byte == JSONTag.mark else { return written }
        guard written.count > 1, written[1] == JSONTag.mark else {
            throw fault("'\(String(storedUTF8: written))' stands beside other names, so it is no tag; a name that begins with $ is written with $$", at: place)
        }
        return UnsafeRawBufferPointer(rebasing: written.dropFirst())
    }

    // MARK: - Objects whose names mean something

    /// Begins an object, whose members ``nextName(isFirst:)`` gives.
    mutating func beginObject() throws(JSONFault) {
        skipSpace()
        guard take("{") else { throw fault("an object was expected, not \(found)") }
    }

    /// The next name of the object that was begun, its colon passed; nil at its end. The name is valid until the next text is read.
    mutating func nextName(isFirst: Bool) throws(JSONFault) -> (name: UnsafeRawBufferPointer, place: Int)? {
        skipSpace()
        if take("}") { return nil }
        if !isFirst {
            guard take(",") else { throw fault("',' or '}' was expected, not \(found)") }
            skipSpace()
        }
        let place = position
        try require("\"", "a name in double quotes")
        let name = try text()
        try require(":", "':'")
        return (name, place)
    }

    /// The next value, which has to be a text; valid until the next text is read.
    mutating func textValue(_ what: String) throws(JSONFault) -> UnsafeRawBufferPointer {
        skipSpace()
        guard take("\"") else { throw fault("\(what) is a text, not \(found)") }
        return try text()
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

    /// Puts the members of an object into the order in which they are stored.
    private mutating func sortMembers(from base: Int, _ output: inout ByteWriter) throws(JSONFault) {
        let written = UnsafeRawPointer(output.base)
        func name(_ member: Member) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: written + member.name, count: member.value - member.name) }
        func order(_ left: Member, _ right: Member) -> Int { KeyList.compare(name(left), name(right)) }
        let isSorted = zip(members[base...], members[(base + 1)...]).allSatisfy { order($0, $1) < 0 }
        if !isSorted {
            // Of two alike the later one comes later, so that it is the one told of.
            let sorted = members[base...].sorted { left, right in
                let order = order(left, right)
                return order == 0 ? left.place < right.place : order < 0
            }
            for (left, right) in zip(sorted, sorted.dropFirst()) where order(left, right) == 0 { throw duplicate(name(right), right.place) }
            let start = members[base].start
            let copy = output.bytes(from: start)
            output.count = start
            for member in sorted {
                copy.withUnsafeBytes { output.append(UnsafeRawBufferPointer(rebasing: $0[member.start - start..<member.end - start])) }
            }
        }
        // Swift takes é as one scalar and as two for equal, and a value has only one of them.
        guard members[base...].contains(where: { name($0).contains { $0 >= 0x80 } }) else { return }
        try checkCanonicalNames(from: base)
    }

    private func checkCanonicalNames(from base: Int) throws(JSONFault) {
        var names: Set<String> = []
        for member in members[base...] {
            var parser = JSONParser(bytes)
            parser.position = member.place + 1
            let text = String(storedUTF8: try parser.text())
            guard names.insert(text).inserted else {
                throw fault("the name '\(text)' is there twice, in other scalars that are the same characters", at: member.place)
            }
        }
    }

    private func duplicate(_ name: UnsafeRawBufferPointer, _ place: Int) -> JSONFault {
        fault("the name '\(String(storedUTF8: name).prefix(60))' is there twice", at: place)
    }
}
