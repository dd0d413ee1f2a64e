import Foundation

extension JSONParser {
    /// Reads what stands behind a tag, and appends the value that the two are.
    mutating func tagged(_ tag: JSONTag, into output: inout ByteWriter) throws(JSONFault) {
        skipSpace()
        let place = position
        switch tag {
        case .dictionary: try dictionary(into: &output)
        case .int: try integer(into: &output)
        case .float:
            let bits = try special(Float.self, tag) { _, text in Float(String(storedUTF8: text)) }
            output.append(tag: .float)
            output.append(UInt32(truncatingIfNeeded: bits).littleEndian)
        case .double:
            let bits = try special(Double.self, tag) { number, _ in number.exactDouble }
            output.append(tag: .double)
            output.append(bits.littleEndian)
        case .date: try date(at: place, into: &output)
        case .decimal: try decimal(into: &output)
        case .data: try data(into: &output)
        case .url: try url(into: &output)
        case .duration: try duration(into: &output)
        case .geoPoint: try geoPoint(into: &output)
        case .uuid, .objectID: try id(tag, into: &output)
        }
    }

    private mutating func integer(into output: inout ByteWriter) throws(JSONFault) {
        try withTaggedText(.int, "the digits of an integer of up to 128 bits", &output) { text, output in
            guard case .integer(let isNegative, let magnitude)? = Self.number(in: text) else { return false }
            JSONNumber.integer(isNegative: isNegative, magnitude: magnitude).append(to: &output)
            return true
        }
    }

    private mutating func decimal(into output: inout ByteWriter) throws(JSONFault) {
        try withTaggedText(.decimal, "a number of at most 38 digits that a Decimal holds, or 'nan'", &output) { text, output in
            guard let decimal = PackedDecimal(jsonText: text) else { return false }
            output.append(tag: .decimal)
            output.append(decimal.kind)
            output.append(decimal.exponent)
            output.append(decimal.mantissa.littleEndian)
            return true
        }
    }

    private mutating func data(into output: inout ByteWriter) throws(JSONFault) {
        try withTaggedText(.data, "bytes in base 64", &output) { text, output in
            guard let size = Base64.decodedSize(text) else { return false }
            output.append(tag: .data)
            output.append(varint: UInt64(size))
            return Base64.decode(text, into: &output)
        }
    }

    private mutating func url(into output: inout ByteWriter) throws(JSONFault) {
        try withTaggedText(.url, "a URL", &output) { text, output in
            guard let url = URL(string: String(storedUTF8: text)) else { return false }
            let string = url.absoluteString
            output.append(tag: .url)
            output.append(varint: UInt64(string.utf8.count))
            output.append(utf8: string)
            return true
        }
    }

    private mutating func duration(into output: inout ByteWriter) throws(JSONFault) {
        try withTaggedText(.duration, Duration.literalForm, &output) { text, output in
            guard let form = Self.numberForm(of: text), form.place.upperBound - form.digits.lowerBound <= 60,
                !text.contains(where: { $0 | 0x20 == UInt8(ascii: "e") }), let duration = Duration(literalDigits: String(storedUTF8: text))
            else { return false }
            output.append(nestedWide: duration)
            return true
        }
    }

    private mutating func geoPoint(into output: inout ByteWriter) throws(JSONFault) {
        try withTaggedText(.geoPoint, GeoPoint.literalForm, &output) { text, output in
            guard let point = GeoPoint(text: String(storedUTF8: text)) else { return false }
            output.append(nestedWide: point)
            return true
        }
    }

    private mutating func id(_ tag: JSONTag, into output: inout ByteWriter) throws(JSONFault) {
        try withTaggedText(tag, "a UUID in its 36 characters", &output) { text, output in
            guard let id = ObjectID(jsonText: text) else { return false }
            output.append(tag: tag == .uuid ? .uuid : .objectID)
            output.append(id.high.bigEndian)
            output.append(id.low.bigEndian)
            return true
        }
    }

    /// Reads the text behind a tag.
    ///
    /// - Parameter body: appends its value; false when it stands for none.
    private mutating func withTaggedText(
        _ tag: JSONTag, _ form: String, _ output: inout ByteWriter, _ body: (UnsafeRawBufferPointer, inout ByteWriter) -> Bool
    ) throws(JSONFault) {
        let place = position
        guard take("\"") else { throw fault("after \(tag.rawValue) comes a text: \(form); not \(found)") }
        let start = output.count
        let text = try text()
        guard body(text, &output) else {
            output.count = start
            throw fault("after \(tag.rawValue) comes \(form)", at: place)
        }
    }

    /// Pairs of keys and values, in the order of the keys' bytes.
    private mutating func dictionary(into output: inout ByteWriter) throws(JSONFault) {
        let start = position
        let head = try open(.dictionary, &output, at: start)
        var pairs: [(key: Range<Int>, end: Int, place: Int)] = []
        try require("[", "an array of pairs [key, value]")
        skipSpace()
        if !take("]") {
            repeat {
                skipSpace()
                try checkRoom(after: pairs.count)
                let place = position
                try require("[", "a pair [key, value]")
                let keyStart = output.count
                try value(into: &output)
                let keyEnd = output.count
                try require(",", "',' and a value")
                try value(into: &output)
                try require("]", "']' after the pair")
                pairs.append((keyStart..<keyEnd, output.count, place))
                skipSpace()
            } while take(",")
            try require("]", "',' or ']'")
        }
        let copy = output.bytes(from: head)
        func key(_ pair: (key: Range<Int>, end: Int, place: Int)) -> ArraySlice<UInt8> { copy[pair.key.lowerBound - head..<pair.key.upperBound - head] }
        let sorted = pairs.sorted { left, right in
            let (leftKey, rightKey) = (key(left), key(right))
            return leftKey == rightKey ? left.place < right.place : leftKey.lexicographicallyPrecedes(rightKey)
        }
        for (left, right) in zip(sorted, sorted.dropFirst()) where key(left) == key(right) { throw fault("the key is there twice", at: right.place) }
        output.count = head
        for pair in sorted { copy[pair.key.lowerBound - head..<pair.end - head].withUnsafeBytes { output.append($0) } }
        try close(head, pairs.count, &output)
    }

    private mutating func date(at place: Int, into output: inout ByteWriter) throws(JSONFault) {
        let seconds: Double
        if position < bytes.count, bytes[position] == UInt8(ascii: "\"") {
            position += 1
            let text = try text()
            if let bits = JSONSpecial.bits(text, of: Double.self) {
                seconds = Double(bitPattern: bits)
            } else if let date = Date(iso8601: text) {
                seconds = date.timeIntervalSinceReferenceDate
            } else {
                throw fault("after $date comes a time as in \"2020-01-31T12:30:00.5Z\", or the seconds since 2001", at: place)
            }
        } else {
            guard let number = try number().exactDouble else { throw fault("after $date comes a number that a Double holds", at: place) }
            seconds = number
        }
        output.append(tag: .date)
        output.append(seconds.bitPattern.littleEndian)
    }

    /// The bits of a number, or of one that has no digits.
    ///
    /// - Parameter convert: makes the value of a number, of which it gets the text too.
    private mutating func special<Value: JSONSpecialFloat>(
        _ type: Value.Type, _ tag: JSONTag, _ convert: (JSONNumber, UnsafeRawBufferPointer) -> Value?
    ) throws(JSONFault) -> UInt64 {
        let place = position
        let form = "after \(tag.rawValue) comes a number, or one of \"nan\", \"inf\" and \"-inf\""
        if take("\"") {
            guard let bits = JSONSpecial.bits(try text(), of: type) else { throw fault(form, at: place) }
            return bits
        }
        guard position < bytes.count, bytes[position] == UInt8(ascii: "-") || bytes[position] &- UInt8(ascii: "0") < 10 else { throw fault(form) }
        let number = try number()
        guard let value = convert(number, UnsafeRawBufferPointer(rebasing: bytes[place..<position])), value.isFinite else {
            throw fault("the number is beyond what a \(type) holds", at: place)
        }
        return value.bits
    }
}
