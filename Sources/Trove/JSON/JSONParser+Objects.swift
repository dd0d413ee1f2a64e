extension JSONParser {
    /// A name and a value of an object that is being read, by their places in the output.
    struct Member {
        /// Where the name's length begins, the name, and the value; where that ends.
        let start, name, value, end: Int
        /// Where the name stands in the text.
        let place: Int
    }

    /// An object, or the value that one with a tag stands for.
    mutating func object(into output: inout ByteWriter) throws(JSONFault) {
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
                throw fault(
                    "'\(String(storedUTF8: first))' is not a tag; the tags are \(JSONTag.list), and a name that begins with $ is written with $$",
                    at: firstPlace)
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
        try checkMarks(of: name, at: place)
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

    /// Refuses a name that Swift takes long to compare: time that grows with the square of the marks behind a letter.
    private func checkMarks(of name: UnsafeRawBufferPointer, at place: Int) throws(JSONFault) {
        if name.hasTooManyMarks { throw fault("a name has more than \(UnsafeRawBufferPointer.maxMarks) combining marks behind a letter", at: place) }
    }

    /// Puts the members of an object into the order in which they are stored.
    private mutating func sortMembers(from base: Int, _ output: inout ByteWriter) throws(JSONFault) {
        let written = UnsafeRawPointer(output.base)
        func name(_ member: Member) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: written + member.name, count: member.value - member.name) }
        func order(_ left: Member, _ right: Member) -> Int { KeyList.compare(name(left), name(right)) }
        // Looked at here: the places of the members are those in the output before it is sorted.
        let isWide = members[base...].contains { name($0).contains { $0 >= 0x80 } }
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
        if isWide { try checkCanonicalNames(from: base) }
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

    // MARK: Objects whose names mean something

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
        try checkMarks(of: name, at: place)
        try require(":", "':'")
        return (name, place)
    }

    /// The next value, which has to be a text; valid until the next text is read.
    mutating func textValue(_ what: String) throws(JSONFault) -> UnsafeRawBufferPointer {
        skipSpace()
        guard take("\"") else { throw fault("\(what) is a text, not \(found)") }
        return try text()
    }
}
