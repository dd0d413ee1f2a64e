extension RecordEncoder {
    /// Writes a value that lies in bytes as the next field. A text stands for a value of a type that has such a form, as of dates and UUIDs.
    ///
    /// - Parameter nested: the value in the nested encoding.
    /// - Throws: `DecodingFault.unfit` when the type cannot hold the value.
    mutating func encode(_ value: FieldValue, nested: UnsafeRawBufferPointer, as type: FieldType) throws {
        switch (type, value) {
        case (.optional(let wrapped), .null): appendNil(wrapped)
        case (.optional(let wrapped), _):
            appendPresent()
            try encode(value, nested: nested, as: wrapped)
        // The commonest, as they lie there.
        case (.int64, .int(let value)): appendFixed(value.littleEndian)
        case (.double, .double(let value)): appendFixed(value.bitPattern.littleEndian)
        case (.bool, .bool(let value)): appendFixed(value ? 1 as UInt8 : 0)
        case (.date, .date(let seconds)): appendFixed(seconds.bitPattern.littleEndian)
        case (.uuid, .wide(.uuid, let high, let low)), (.objectID, .wide(.objectID, let high, let low)), (.duration, .wide(.duration, let high, let low)),
            (.geoPoint, .wide(.geoPoint, let high, let low)):
            appendFixed(high.bigEndian)
            appendFixed(low.bigEndian)
        case (.string, .text(let text)), (.data, .data(let text)), (.url, .url(let text)):
            bytes.append(text)
            endVariable()
        case (.lazy(let wrapped), _):
            switch (wrapped.unwrapped, value) {
            case (.string, .text), (.data, .data), (.codable, _): appendLazy(nested: nested)
            default: try encodeConverted(value, type)
            }
        case (.codable, _):
            bytes.append(nested)
            endVariable()
        case (.array, .container), (.set, .container), (.dictionary, .container):
            if try value.isStored(as: type) {
                bytes.append(nested)
                return endVariable()
            }
            try encodeConverted(value, type)
        default: try encodeConverted(value, type)
        }
    }

    private mutating func encodeConverted(_ value: FieldValue, _ type: FieldType) throws {
        try encode(value.storedValue().meant(as: type).converted(to: type), as: type)
    }
}

extension FieldValue {
    /// Whether the value is a collection whose bytes are those that a field of this type has. Of some types nobody looks, and the answer is no.
    fileprivate func isStored(as type: FieldType, depth: Int = 0) throws -> Bool {
        switch (type, self) {
        case (.optional, .null): return true
        case (.optional(let wrapped), _): return try isStored(as: wrapped, depth: depth)
        case (.string, .text), (.int64, .int), (.double, .double), (.bool, .bool), (.date, .date), (.uuid, .wide(.uuid, _, _)),
            (.objectID, .wide(.objectID, _, _)):
            return true
        case (.array(let element), .container(let container)) where container.tag == .array && depth < NestedTag.maxDepth:
            var reader = ByteReader(container.bytes)
            for _ in 0..<container.count { guard try reader.fieldValue().isStored(as: element, depth: depth + 1) else { return false } }
            return true
        case (.set(let element), .container(let container)) where container.tag == .array && depth < NestedTag.maxDepth:
            var reader = ByteReader(container.bytes)
            var last: UnsafeRawBufferPointer?
            for _ in 0..<container.count {
                let start = reader.position
                guard try reader.fieldValue().isStored(as: element, depth: depth + 1) else { return false }
                let bytes = reader.bytesRead(from: start)
                // In the order of their bytes, each once.
                if let last, KeyList.compare(last, bytes) >= 0 { return false }
                last = bytes
            }
            return true
        case (.dictionary(.string, let member), .container(let container)) where container.tag == .object && depth < NestedTag.maxDepth:
            var reader = ByteReader(container.bytes)
            for _ in 0..<container.count {
                _ = try reader.bytes(reader.count())
                guard try reader.fieldValue().isStored(as: member, depth: depth + 1) else { return false }
            }
            return true
        default: return false
        }
    }
}
