import Foundation

extension JSONWriter {
    /// Appends a value as its own JSON where that tells its type, else with a ``JSONTag``.
    ///
    /// - Throws: ``TroveError/corruptValue(reason:)`` when its bytes are damaged, or nest deeper than values do.
    mutating func value(_ value: FieldValue, depth: Int = 0) throws {
        switch value {
        case .null: append(raw: "null")
        case .bool(let value): append(raw: value ? "true" : "false")
        case .text(let bytes): text(bytes)
        case .int(let value):
            guard value.magnitude <= JSONTag.maxPlainInteger.magnitude else { return tagged(.int, "\(value)") }
            digits(value)
        case .uint(let value): tagged(.int, "\(value)")
        case .largeInteger(let value): tagged(.int, (value.kind == 1 ? "-" : "") + "\(value.mantissa)")
        case .double(let value): number(value, .double)
        case .float(let value):
            guard value.isFinite else { return number(value, .float) }
            tagged(.float) { $0.append(utf8: value.description) }
        case .decimal(let value): tagged(.decimal, value.jsonText)
        case .date(let seconds): date(seconds)
        case .url(let bytes): tagged(.url, bytes)
        case .data(let data):
            tagged(.data) {
                $0.append(UInt8(ascii: "\""))
                Base64.encode(data, into: &$0)
                $0.append(UInt8(ascii: "\""))
            }
        case .wide(let valueClass, let high, let low): wide(valueClass, high, low)
        case .container(let container): try members(of: container, depth)
        }
    }

    private mutating func tagged(_ tag: JSONTag, _ body: (inout ByteWriter) -> Void) {
        append(raw: "{\"")
        bytes.append(utf8: tag.rawValue)
        append(raw: "\":")
        body(&bytes)
        append("}")
    }

    private mutating func tagged(_ tag: JSONTag, _ text: String) { text.withRawUTF8 { tagged(tag, $0) } }

    private mutating func tagged(_ tag: JSONTag, _ content: UnsafeRawBufferPointer) {
        append(raw: "{\"")
        bytes.append(utf8: tag.rawValue)
        append(raw: "\":")
        text(content)
        append("}")
    }

    private mutating func number<Value: JSONSpecialFloat>(_ value: Value, _ tag: JSONTag) {
        // Swift writes the shortest digits that are read as the same number, and always a point or an exponent.
        if value.isFinite { bytes.append(utf8: "\(value)") } else { tagged(tag, JSONSpecial.text(value)) }
    }

    private mutating func date(_ seconds: Double) {
        if let time = ExactTime(seconds) {
            tagged(.date) {
                $0.append(UInt8(ascii: "\""))
                time.append(to: &$0)
                $0.append(UInt8(ascii: "\""))
            }
        } else if seconds.isFinite {
            tagged(.date) { $0.append(utf8: seconds.description) }
        } else {
            tagged(.date, JSONSpecial.text(seconds))
        }
    }

    private mutating func wide(_ valueClass: ValueClass, _ high: UInt64, _ low: UInt64) {
        switch valueClass {
        case .duration: tagged(.duration, Duration(high: high, low: low).literalDigits)
        case .geoPoint: tagged(.geoPoint, GeoPoint(high: high, low: low).description)
        case .uuid, .objectID:
            tagged(valueClass == .uuid ? .uuid : .objectID) {
                $0.append(UInt8(ascii: "\""))
                $0.append(uuid: high, low)
                $0.append(UInt8(ascii: "\""))
            }
        case .bool, .number, .date, .text, .url, .data, .container: append(raw: "null")
        }
    }

    private mutating func members(of container: FieldContainer, _ depth: Int) throws {
        guard depth < NestedTag.maxDepth else { throw TroveError.corruptValue(reason: "values nest deeper than \(NestedTag.maxDepth) levels") }
        var reader = ByteReader(container.bytes)
        switch container.tag {
        case .object:
            beginObject()
            for _ in 0..<container.count {
                let size = try reader.count()
                name(try reader.bytes(size))
                try value(reader.fieldValue(), depth: depth + 1)
            }
            endObject()
        case .dictionary:
            beginObject()
            name(raw: "$dictionary")
            beginArray()
            for _ in 0..<container.count {
                next()
                beginArray()
                next()
                try value(reader.fieldValue(), depth: depth + 1)
                next()
                try value(reader.fieldValue(), depth: depth + 1)
                endArray()
            }
            endArray()
            endObject()
        default:
            beginArray()
            for _ in 0..<container.count {
                next()
                try value(reader.fieldValue(), depth: depth + 1)
            }
            endArray()
        }
        guard reader.remaining == 0 else { throw ByteReader.wrongLength }
    }
}

extension ByteWriter {
    /// Appends the 36 characters of a UUID, in lower case.
    fileprivate mutating func append(uuid high: UInt64, _ low: UInt64) {
        reserve(36)
        for digit in 0..<32 {
            if digit == 8 || digit == 12 || digit == 16 || digit == 20 { append(UInt8(ascii: "-")) }
            let word = digit < 16 ? high : low
            append(Hexadecimal.digit(UInt8(truncatingIfNeeded: word >> UInt64(60 - 4 * (digit & 15))) & 15))
        }
    }
}
